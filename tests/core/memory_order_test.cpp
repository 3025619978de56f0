#include "core/core_rig.h"

using namespace gicsim;

namespace {

/// Brings a line into a core's cache, owned.
Task<> own(Core& cpu, Location location) {
    co_await atomic(cpu, AtomicOperation::Kind::add, location, 0, AtomicOrder::relaxed);
}

/// What a barrier between a store and an SGI register write does: when the write leaves, and whether the store is
/// visible by then.
struct Outcome {
    Time written;
    bool visible = false;
};

Outcome store_then_sgi(Barrier which, bool isb_too = false) {
    CoreRig rig;
    const Location x{rig.memory.map.allocate(0, 0), 0};
    Outcome outcome;
    Time start;
    rig.gics[0]->on_write = [&] { outcome.visible = rig.lsus[0]->buffer().empty(); };
    rig.run({{2, [&](Core& cpu) { return own(cpu, x); }}});
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  start = cpu.local();
                  co_await store(cpu, x, 1);
                  co_await barrier(cpu, which);
                  if (isb_too) co_await isb(cpu);
                  co_await write(cpu, IccRegister::ICC_SGI1R_EL1, 1);
              }}});
    REQUIRE(rig.gics[0]->writes.size() == 1);
    outcome.written = rig.gics[0]->writes[0].at - start;
    return outcome;
}

}  // namespace

// A store to a line that the other die owns takes 32 ns (see the coherence tests); MSR 7 ns, a DSB 10 ns after the last
// completion, every store and DMB one cycle of 1 ns.
TEST_CASE("1. An SGI register write overtakes a store that waits for its line") {
    const Outcome outcome = store_then_sgi(Barrier{});
    CHECK(outcome.written == Time::ns(1 + 7));
    CHECK_FALSE(outcome.visible);
}

TEST_CASE("2. No DMB holds an SGI register write back: dmb sy") {
    const Outcome outcome = store_then_sgi(*Barrier::parse("dmb sy"));
    CHECK(outcome.written == Time::ns(1 + 1 + 7));
    CHECK_FALSE(outcome.visible);
}

TEST_CASE("3. No DMB holds an SGI register write back: dmb ishst") {
    CHECK_FALSE(store_then_sgi(*Barrier::parse("dmb ishst")).visible);
}

TEST_CASE("4. An ISB drains no store buffer") {
    const Outcome outcome = store_then_sgi(Barrier{}, true);
    CHECK(outcome.written == Time::ns(1 + 5 + 7));
    CHECK_FALSE(outcome.visible);
}

TEST_CASE("5. DSB LD does not wait for stores") {
    const Outcome outcome = store_then_sgi(*Barrier::parse("dsb ld"));
    CHECK(outcome.written == Time::ns(1 + 10 + 7));
    CHECK_FALSE(outcome.visible);
}

TEST_CASE("6. DSB ISHST waits until the store is visible") {
    const Outcome outcome = store_then_sgi(*Barrier::parse("dsb ishst"));
    CHECK(outcome.written == Time::ns(32 + 10 + 7));
    CHECK(outcome.visible);
}

TEST_CASE("7. DSB ST waits alike") {
    CHECK(store_then_sgi(*Barrier::parse("dsb st")).written == Time::ns(32 + 10 + 7));
}

TEST_CASE("8. DSB NSH waits alike") {
    CHECK(store_then_sgi(*Barrier::parse("dsb nsh")).visible);
}

TEST_CASE("9. A DSB waits for the acknowledgement of earlier GIC commands") {
    CoreRig rig;
    Time done;
    rig.gics[0]->idle = false;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  co_await barrier(cpu, *Barrier::parse("dsb ishst"));
                  done = cpu.local();
              }}});
    CHECK(done == Time{});
    CHECK(rig.cores[0]->waits_for() == "completion of earlier accesses (dsb ishst)");
    rig.gics[0]->idle = true;
    const Time released = rig.now();
    rig.cores[0]->upstream_drained();
    rig.run_for(Time::us(1));
    CHECK(done == released + Time::ns(10));
}

TEST_CASE("10. With acknowledgement for full barriers only, a DSB of stores does not wait for the GIC") {
    CoreParameters parameters = CoreRig::plain();
    parameters.dsb_gic_ack = DsbGicAck::full_only;
    CoreRig rig(parameters);
    rig.gics[0]->idle = false;
    unsigned passed = 0;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  co_await barrier(cpu, *Barrier::parse("dsb st"));
                  ++passed;
                  co_await barrier(cpu, *Barrier::parse("dsb sy"));
                  ++passed;
              }}});
    CHECK(passed == 1);
}

TEST_CASE("11. Stores to owned lines leave one an interval, and a DSB waits for the last") {
    CoreRig rig;
    std::vector<Location> lines;
    for (std::uint64_t i = 0; i < 5; ++i) lines.push_back({rig.memory.map.allocate(0, 64 * i), 0});
    Time start;
    Time end;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  for (const Location& line : lines) co_await own(cpu, line);
                  co_await barrier(cpu, *Barrier::parse("dsb sy"));
                  start = cpu.local();
                  for (const Location& line : lines) co_await store(cpu, line, 1);
                  co_await barrier(cpu, *Barrier::parse("dsb ishst"));
                  end = cpu.local();
              }}});
    // The first leaves as it enters, the others 2 ns after each other: 0, 2, 4, 6, 8; then the DSB's own 10 ns.
    CHECK(end - start == Time::ns(8 + 10));
}

TEST_CASE("12. A load is served by the youngest store to its word in the buffer") {
    CoreRig rig;
    const Location x{rig.memory.map.allocate(0, 0), 0};
    const Location other_word{x.line, 1};
    std::vector<Word> values;
    Time forwarded;
    rig.run({{2, [&](Core& cpu) { return own(cpu, x); }}});
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  co_await store(cpu, x, 1);
                  co_await store(cpu, x, 2);
                  const Time before = cpu.local();
                  values.push_back(co_await load(cpu, x));
                  forwarded = cpu.local() - before;
                  values.push_back(co_await load(cpu, other_word));
              }}});
    CHECK(values == std::vector<Word>{2, 0});
    CHECK(forwarded == Time::ns(2));
}

TEST_CASE("13. Stores become visible out of order when the older one waits, and a DMB ST keeps them in order") {
    CoreRig rig;
    for (const bool with_barrier : {false, true}) {
        const Location slow{rig.memory.map.allocate(0, 0), 0};
        const Location fast{rig.memory.map.allocate(0, 64), 0};
        bool fast_first = false;
        rig.run({{2, [&](Core& cpu) { return own(cpu, slow); }}});
        rig.run({{0, [&](Core& cpu) { return own(cpu, fast); }}});
        rig.run({{0, [&](Core& cpu) -> Task<> {
                      co_await store(cpu, slow, 1);
                      if (with_barrier) co_await barrier(cpu, *Barrier::parse("dmb ishst"));
                      co_await store(cpu, fast, 1);
                      cpu.compute(Cycles(15));
                      co_await isb(cpu);
                      rig.lsus[0]->advance();
                      fast_first = rig.memory.caches[0]->read(fast) == 1 && !rig.memory.caches[0]->writable(slow.line);
                  }}});
        CHECK(fast_first == !with_barrier);
        CHECK(rig.memory.caches[0]->read(slow) == 1);
        CHECK(rig.memory.caches[0]->read(fast) == 1);
    }
}

TEST_CASE("14. A store-release becomes visible after every older store") {
    CoreRig rig;
    const Location slow{rig.memory.map.allocate(0, 0), 0};
    const Location flag{rig.memory.map.allocate(0, 64), 0};
    bool early = true;
    rig.run({{2, [&](Core& cpu) { return own(cpu, slow); }}});
    rig.run({{0, [&](Core& cpu) { return own(cpu, flag); }}});
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  co_await store(cpu, slow, 1);
                  co_await store(cpu, flag, 1, StoreOrder::release);
                  cpu.compute(Cycles(15));
                  co_await isb(cpu);
                  rig.lsus[0]->advance();
                  early = rig.memory.caches[0]->read(flag) == 1;
              }}});
    CHECK_FALSE(early);
    CHECK(rig.memory.caches[0]->read(flag) == 1);
}

TEST_CASE("15. A read-modify-write with release waits for older stores, one without does not") {
    CoreRig rig;
    for (const AtomicOrder order : {AtomicOrder::relaxed, AtomicOrder::acquire_release}) {
        const Location slow{rig.memory.map.allocate(0, 0), 0};
        const Location counter{rig.memory.map.allocate(0, 64), 0};
        Time took;
        rig.run({{2, [&](Core& cpu) { return own(cpu, slow); }}});
        rig.run({{0, [&](Core& cpu) { return own(cpu, counter); }}});
        rig.run({{0, [&](Core& cpu) -> Task<> {
                      const Time start = cpu.local();
                      co_await store(cpu, slow, 1);
                      co_await atomic(cpu, AtomicOperation::Kind::add, counter, 1, order);
                      took = cpu.local() - start;
                  }}});
        CHECK(took == (order == AtomicOrder::relaxed ? Time::ns(1 + 3) : Time::ns(32 + 3)));
    }
}

TEST_CASE("16. A full store buffer holds the next store until one leaves") {
    CoreRig rig;
    std::vector<Location> lines;
    for (std::uint64_t i = 0; i < 9; ++i) lines.push_back({rig.memory.map.allocate(0, 64 * i), 0});
    Time start;
    std::vector<Time> issued;
    rig.run({{2, [&](Core& cpu) -> Task<> {
                  for (const Location& line : lines) co_await own(cpu, line);
              }}});
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  start = cpu.local();
                  for (const Location& line : lines) {
                      co_await store(cpu, line, 1);
                      issued.push_back(cpu.local() - start);
                  }
              }}});
    // Eight fit, one a cycle; the first line comes after 32 ns and makes room for the ninth.
    CHECK(issued[7] == Time::ns(8));
    CHECK(issued[8] == Time::ns(32 + 1));
}

TEST_CASE("17. At most as many lines are asked for at a time as the core has ownership requests") {
    CoreRig rig;
    std::vector<Location> lines;
    for (std::uint64_t i = 0; i < 5; ++i) lines.push_back({rig.memory.map.allocate(0, 64 * i), 0});
    Time start;
    Time end;
    rig.run({{2, [&](Core& cpu) -> Task<> {
                  for (const Location& line : lines) co_await own(cpu, line);
              }}});
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  start = cpu.local();
                  for (const Location& line : lines) co_await store(cpu, line, 1);
                  co_await barrier(cpu, *Barrier::parse("dsb st"));
                  end = cpu.local();
              }}});
    // Four requests leave at 0, 2, 4, 6; the fifth when the first is answered at 32; it takes 32 ns itself.
    CHECK(end - start == Time::ns(32 + 32 + 10));
}

TEST_CASE("18. A no-return atomic waits in the buffer and sets its bits in the value that is there by then") {
    CoreRig rig;
    const Location flags{rig.memory.map.allocate(0, 0), 0};
    Time issued;
    rig.run({{2, [&](Core& cpu) -> Task<> {
                  co_await own(cpu, flags);
                  co_await store(cpu, flags, 4);
              }}});
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  const Time start = cpu.local();
                  co_await set_bits_no_return(cpu, flags, 1);
                  issued = cpu.local() - start;
              }}});
    CHECK(issued == Time::ns(1));
    CHECK(rig.memory.caches[0]->read(flags) == 5);
}

TEST_CASE("19. Message passing over memory: DMB ISHST or a release on the sender's side is enough") {
    CoreRig rig;
    for (unsigned variant = 0; variant < 3; ++variant) {
        const Location data{rig.memory.map.allocate(0, 0), 0};
        const Location flag{rig.memory.map.allocate(0, 64), 0};
        Word seen = 99;
        rig.run({{2, [&](Core& cpu) { return own(cpu, data); }}});
        rig.run({{0, [&](Core& cpu) { return own(cpu, flag); }}});
        rig.run({{1, [&](Core& cpu) -> Task<> { co_await load(cpu, data); }}});
        rig.run({{0,
                  [&](Core& cpu) -> Task<> {
                      co_await store(cpu, data, 1);
                      if (variant == 1) co_await barrier(cpu, *Barrier::parse("dmb ishst"));
                      co_await store(cpu, flag, 1, variant == 2 ? StoreOrder::release : StoreOrder::plain);
                  }},
                 {1, [&](Core& cpu) -> Task<> {
                      while (co_await load(cpu, flag, LoadOrder::acquire) == 0) {
                      }
                      seen = co_await load(cpu, data);
                  }}});
        CHECK(seen == (variant == 0 ? 0 : 1));
    }
}

TEST_CASE("20. The hypothesis of confirmed writes delays full-system barriers over owned writes only") {
    CoreParameters parameters = CoreRig::plain();
    parameters.dsb_confirms_owned_writes = true;
    CoreRig rig(parameters);
    std::vector<Location> lines;
    for (std::uint64_t i = 0; i < 3; ++i) lines.push_back({rig.memory.map.allocate(0, 64 * i), 0});
    std::vector<Time> took;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  for (const Location& line : lines) co_await own(cpu, line);
                  for (const char* name : {"dsb ishst", "dsb st", "dsb st"}) {
                      co_await barrier(cpu, *Barrier::parse("dsb sy"));
                      if (took.size() < 2) {
                          for (const Location& line : lines) co_await store(cpu, line, 1);
                      }
                      cpu.compute(Cycles(10));
                      const Time start = cpu.local();
                      co_await barrier(cpu, *Barrier::parse(name));
                      took.push_back(cpu.local() - start);
                  }
              }}});
    REQUIRE(took.size() == 3);
    CHECK(took[0] == Time::ns(10));
    // Three confirmations leave 2 ns apart and take 3 ns each.
    CHECK(took[1] == Time::ns(2 * 2 + 3 + 10));
    CHECK(took[2] == Time::ns(10));
}
