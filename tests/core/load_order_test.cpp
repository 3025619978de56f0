#include "core/core_rig.h"

using namespace gicsim;

namespace {

Task<> own(Core& cpu, Location location) {
    co_await atomic(cpu, AtomicOperation::Kind::add, location, 0, AtomicOrder::relaxed);
}

/// Core 0 has line `near`; line `far` is owned by the other die, 32 ns away (see the coherence tests).
struct Setting {
    CoreRig rig;
    Location far{rig.memory.map.allocate(0, 0), 0};
    Location near{rig.memory.map.allocate(0, 64), 0};

    Setting() {
        rig.run({{2, [this](Core& cpu) { return own(cpu, far); }}});
        rig.run({{0, [this](Core& cpu) { return own(cpu, near); }}});
    }
    void run(Core::Program program) { rig.run({{0, std::move(program)}}); }
};

/// Loads `far` and then, after what `between` does, `near`: has the second got its value before the first?
bool second_load_overtakes(LoadOrder first_order, std::optional<Barrier> between) {
    Setting s;
    PendingLoad first{s.far, whole_word, first_order};
    PendingLoad second{s.near};
    s.run([&](Core& cpu) -> Task<> {
        co_await issue_load(cpu, first);
        if (between) co_await barrier(cpu, *between);
        co_await issue_load(cpu, second);
    });
    REQUIRE(first.bound);
    REQUIRE(second.bound);
    return second.ready < first.ready;
}

/// Loads `far`, then stores to `near`: is the store visible while the load is still under way?
bool store_overtakes_load(LoadOrder order, std::optional<Barrier> between, StoreOrder store_order) {
    Setting s;
    PendingLoad first{s.far, whole_word, order};
    bool visible_early = false;
    s.run([&](Core& cpu) -> Task<> {
        co_await issue_load(cpu, first);
        if (between) co_await barrier(cpu, *between);
        co_await store(cpu, s.near, 1, store_order);
        cpu.compute(Time::ns(10));
        co_await isb(cpu);
        visible_early = cpu.lsu->buffer().empty() && !first.bound;
    });
    REQUIRE(first.bound);
    REQUIRE(s.rig.lsus[0]->buffer().empty());
    return visible_early;
}

const Barrier dmb_sy = *Barrier::parse("dmb sy");
const Barrier dmb_ld = *Barrier::parse("dmb ld");
const Barrier dmb_st = *Barrier::parse("dmb st");
const Barrier dsb_ld = *Barrier::parse("dsb ld");
const Barrier dsb_st = *Barrier::parse("dsb st");

}  // namespace

TEST_CASE("Load order 1. A load that hits overtakes one that waits for its line") {
    CHECK(second_load_overtakes(LoadOrder::plain, std::nullopt));
}

TEST_CASE("Load order 2. Not past a DMB that covers loads: dmb ld") {
    CHECK_FALSE(second_load_overtakes(LoadOrder::plain, dmb_ld));
}

TEST_CASE("Load order 3. Not past a DMB that covers loads: dmb sy") {
    CHECK_FALSE(second_load_overtakes(LoadOrder::plain, dmb_sy));
}

TEST_CASE("Load order 4. A DMB of stores orders no loads") {
    CHECK(second_load_overtakes(LoadOrder::plain, dmb_st));
}

TEST_CASE("Load order 5. Not past a load-acquire") {
    CHECK_FALSE(second_load_overtakes(LoadOrder::acquire, std::nullopt));
}

TEST_CASE("Load order 6. Not past an LDAPR") {
    CHECK_FALSE(second_load_overtakes(LoadOrder::acquire_pc, std::nullopt));
}

TEST_CASE("Load order 7. A DSB of loads waits for them") {
    CHECK_FALSE(second_load_overtakes(LoadOrder::plain, dsb_ld));
}

TEST_CASE("Load order 8. ... and a DSB of stores lets a load overtake another") {
    CHECK(second_load_overtakes(LoadOrder::plain, dsb_st));
}

TEST_CASE("Load order 9. A store becomes visible before the load that comes before it has its value") {
    CHECK(store_overtakes_load(LoadOrder::plain, std::nullopt, StoreOrder::plain));
}

TEST_CASE("Load order 10. Not past dmb ld") {
    CHECK_FALSE(store_overtakes_load(LoadOrder::plain, dmb_ld, StoreOrder::plain));
}

TEST_CASE("Load order 11. Past dmb st, which orders no loads") {
    CHECK(store_overtakes_load(LoadOrder::plain, dmb_st, StoreOrder::plain));
}

TEST_CASE("Load order 12. Not past a load-acquire") {
    CHECK_FALSE(store_overtakes_load(LoadOrder::acquire, std::nullopt, StoreOrder::plain));
}

TEST_CASE("Load order 13. A store-release stays behind every load before it") {
    CHECK_FALSE(store_overtakes_load(LoadOrder::plain, std::nullopt, StoreOrder::release));
}

TEST_CASE("Load order 14. A DMB holds no SGI register write back behind a load, a DSB of loads does") {
    Setting s;
    for (const Barrier which : {dmb_sy, dsb_ld}) {
        PendingLoad first{s.far};
        bool bound_at_write = false;
        s.rig.gics[0]->on_write = [&] { bound_at_write = first.bound; };
        s.rig.run({{2, [&](Core& cpu) { return own(cpu, s.far); }}});
        s.run([&](Core& cpu) -> Task<> {
            co_await issue_load(cpu, first);
            co_await barrier(cpu, which);
            co_await write(cpu, IccRegister::ICC_SGI1R_EL1, 1);
        });
        CHECK(bound_at_write == (which.kind() == Barrier::Kind::dsb));
    }
}

TEST_CASE("Load order 15. Two loads of one word get their values in program order") {
    Setting s;
    PendingLoad first{s.far};
    PendingLoad second{s.far};
    s.run([&](Core& cpu) -> Task<> {
        co_await issue_load(cpu, first);
        co_await issue_load(cpu, second);
    });
    CHECK(first.ready <= second.ready);
}

TEST_CASE("Load order 16. A load reads neither a younger store of its own core nor past an older one") {
    Setting s;
    PendingLoad before{s.far};
    PendingLoad after{s.far};
    s.run([&](Core& cpu) -> Task<> {
        co_await issue_load(cpu, before);
        co_await store(cpu, s.far, 7);
        co_await issue_load(cpu, after);
    });
    CHECK(before.value == 0);
    CHECK(after.value == 7);
}

TEST_CASE("Load order 17. Behind dmb sy a load waits until the stores before it are visible, behind dmb ld not") {
    Setting s;
    for (const Barrier which : {dmb_sy, dmb_ld}) {
        PendingLoad second{s.near};
        bool store_visible = false;
        s.rig.run({{2, [&](Core& cpu) { return own(cpu, s.far); }}});
        s.run([&](Core& cpu) -> Task<> {
            co_await store(cpu, s.far, 1);
            co_await barrier(cpu, which);
            co_await issue_load(cpu, second);
            co_await value_of_load(cpu, second);
            store_visible = cpu.lsu->buffer().empty();
        });
        CHECK(store_visible == (which.type() == Barrier::Type::all));
    }
}

TEST_CASE("Load order 18. A load of half a word is served by a store of that half, not by one of the other half") {
    Setting s;
    constexpr Word low = 0xFFFF'FFFF;
    PendingLoad same{s.far, low};
    PendingLoad whole{s.far};
    s.run([&](Core& cpu) -> Task<> {
        co_await store_masked(cpu, s.far, 5, low);
        co_await issue_load(cpu, same);
        co_await issue_load(cpu, whole);
        CHECK(same.bound);
        CHECK_FALSE(whole.bound);
    });
    CHECK((same.value & low) == 5);
    CHECK(whole.value == 5);
}

TEST_CASE("Load order 19. A store-exclusive stores while the monitor is set and fails after another core's store") {
    Setting s;
    const auto exclusive = [](Location where, Word value) {
        PendingLoad store{where};
        store.kind = PendingLoad::Kind::store_exclusive;
        store.operand = value;
        return store;
    };
    PendingLoad first = exclusive(s.far, 1);
    PendingLoad second = exclusive(s.far, 2);
    s.run([&](Core& cpu) -> Task<> {
        co_await load_exclusive(cpu, s.far);
        co_await issue_load(cpu, first);
        co_await issue_load(cpu, second);
    });
    CHECK(first.value == 0);
    CHECK(second.value == 1);
    PendingLoad contended = exclusive(s.far, 3);
    s.rig.run({{0,
                [&](Core& cpu) -> Task<> {
                    co_await load_exclusive(cpu, s.far);
                    cpu.compute(Time::ns(200));
                    co_await issue_load(cpu, contended);
                }},
               {2, [&](Core& cpu) -> Task<> { co_await store(cpu, s.far, 8); }}});
    CHECK(contended.value == 1);
}

namespace {

PendingLoad swap(Location where, Word value, LoadOrder order, bool release) {
    PendingLoad load{where, whole_word, order};
    load.kind = PendingLoad::Kind::atomic;
    load.operand = value;
    load.release = release;
    return load;
}

}  // namespace

TEST_CASE(
    "Load order 22. An SGI register write overtakes a read-modify-write that nobody waits for, a DSB of stores waits") {
    Setting s;
    for (const bool dsb : {false, true}) {
        PendingLoad rmw = swap(s.far, 1, LoadOrder::plain, false);
        bool done_at_write = false;
        s.rig.gics[0]->on_write = [&] { done_at_write = rmw.bound; };
        s.rig.run({{2, [&](Core& cpu) { return own(cpu, s.far); }}});
        s.run([&](Core& cpu) -> Task<> {
            co_await issue_load(cpu, rmw);
            co_await barrier(cpu, dsb ? dsb_st : dmb_sy);
            co_await write(cpu, IccRegister::ICC_SGI1R_EL1, 1);
        });
        CHECK(done_at_write == dsb);
    }
}

TEST_CASE("Load order 23. A load overtakes a read-modify-write with release, not one with acquire") {
    Setting s;
    for (const bool acquire : {false, true}) {
        PendingLoad rmw = swap(s.far, 1, acquire ? LoadOrder::acquire : LoadOrder::plain, true);
        PendingLoad after{s.near};
        s.rig.run({{2, [&](Core& cpu) { return own(cpu, s.far); }}});
        s.run([&](Core& cpu) -> Task<> {
            co_await issue_load(cpu, rmw);
            co_await issue_load(cpu, after);
        });
        CHECK((after.ready < rmw.ready) == !acquire);
    }
}

TEST_CASE("Load order 24. dmb st orders a read-modify-write and a later store") {
    Setting s;
    for (const bool fenced : {false, true}) {
        PendingLoad rmw = swap(s.far, 1, LoadOrder::plain, false);
        bool early = false;
        s.rig.run({{2, [&](Core& cpu) { return own(cpu, s.far); }}});
        s.run([&](Core& cpu) -> Task<> {
            co_await issue_load(cpu, rmw);
            if (fenced) co_await barrier(cpu, dmb_st);
            co_await store(cpu, s.near, 1);
            cpu.compute(Time::ns(10));
            co_await isb(cpu);
            cpu.lsu->advance();
            early = cpu.lsu->buffer().empty() && !rmw.bound;
        });
        CHECK(early == !fenced);
        CHECK(rmw.bound);
    }
}

TEST_CASE("Load order 25. A read-modify-write with release waits for older stores, also for those of other lines") {
    Setting s;
    for (const bool release : {false, true}) {
        PendingLoad rmw = swap(s.near, 1, LoadOrder::plain, release);
        bool early = false;
        s.rig.run({{2, [&](Core& cpu) { return own(cpu, s.far); }}});
        s.run([&](Core& cpu) -> Task<> {
            co_await store(cpu, s.far, 1);
            co_await issue_load(cpu, rmw);
            cpu.compute(Time::ns(8));
            co_await isb(cpu);
            early = rmw.bound && !cpu.lsu->buffer().empty();
        });
        CHECK(early == !release);
        CHECK(rmw.bound);
    }
}

TEST_CASE("Load order 20. More loads than the queue holds wait for room") {
    Setting s;
    std::vector<PendingLoad> loads(12, PendingLoad{s.far});
    Time last;
    s.run([&](Core& cpu) -> Task<> {
        for (PendingLoad& load : loads) co_await issue_load(cpu, load);
        last = cpu.local();
    });
    CHECK(loads.back().bound);
    CHECK(last >= loads.front().ready - Time::ns(5));
}

TEST_CASE("Load order 21. Progress of loads behind a varying port needs no other event") {
    Setting s;
    PendingLoad second{s.near};
    s.run([&](Core& cpu) -> Task<> {
        co_await store(cpu, s.near, 1);
        co_await store(cpu, s.near, 2);
        co_await barrier(cpu, dmb_sy);
        co_await issue_load(cpu, second);
    });
    CHECK(second.bound);
    CHECK(second.value == 2);
}

TEST_CASE("Load order 26. Behind a DMB, an acquire is bound when the stores before are visible, whoever waits for it") {
    Setting s;
    const Location near2{s.rig.memory.map.allocate(0, 128), 0};
    s.run([&](Core& cpu) { return own(cpu, near2); });
    PendingLoad load{near2, whole_word, LoadOrder::acquire};
    s.run([&](Core& cpu) -> Task<> {
        // When the first is visible, the port still needs some time for the others.
        co_await store(cpu, s.far, 1);
        co_await barrier(cpu, dmb_st);
        for (Word n = 1; n <= 4; ++n) co_await store(cpu, s.near, n);
        co_await barrier(cpu, dmb_sy);
        co_await issue_load(cpu, load);
        // It waits for the load, so that the store buffer does not become empty before.
        co_await store(cpu, near2, 1);
    });
    CHECK(load.bound);
    CHECK(load.value == 0);
}
