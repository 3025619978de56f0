#include "core/core_rig.h"

using namespace gicsim;

namespace {

/// A handler that notes when it began and takes the line away, as an acknowledgement would.
Core::Program noting_handler(CoreRig& rig, std::vector<Time>& began) {
    return [&rig, &began](Core& cpu) -> Task<> {
        began.push_back(cpu.local());
        co_await read(cpu, IccRegister::ICC_IAR1_EL1);
        rig.set_line(index(cpu.id()), false);
    };
}

}  // namespace

TEST_CASE("1. WFI ends with an interrupt, even a masked one, after the wake-up time") {
    CoreRig rig;
    Time woken;
    Time idle;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  idle = cpu.local();
                  co_await wfi(cpu);
                  woken = cpu.local();
              }}});
    CHECK(woken == Time{});
    CHECK(rig.cores[0]->waits_for() == "an interrupt (wfi)");
    const Time raised = rig.now();
    rig.set_line(0, true);
    rig.run_for(Time::us(1));
    CHECK(woken == raised + Time::ns(20));
    CHECK(rig.cores[0]->interrupts_taken() == 0);
}

TEST_CASE("2. WFI with an interrupt pending does not sleep") {
    CoreRig rig;
    Time start;
    Time end;
    rig.set_line(0, true);
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  start = cpu.local();
                  co_await wfi(cpu);
                  end = cpu.local();
              }}});
    CHECK(end - start == Time::ns(1));
}

TEST_CASE("3. Unmasking lets the pending interrupt in before the next operation") {
    CoreRig rig;
    std::vector<Time> began;
    const Core::Program handler = noting_handler(rig, began);
    rig.cores[0]->set_interrupt_handler(handler);
    rig.set_line(0, true);
    Time unmasked;
    Time resumed;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  co_await isb(cpu);
                  CHECK(began.empty());
                  unmasked = cpu.local();
                  cpu.unmask_interrupts();
                  co_await isb(cpu);
                  resumed = cpu.local();
              }}});
    REQUIRE(began.size() == 1);
    CHECK(began[0] <= unmasked + Time::ns(9));
    // entry 9, MRS 6, return 4, then the ISB itself; the 5 ns of the first ISB are still being spent when it comes.
    CHECK(resumed - unmasked == Time::ns(9 + 6 + 4 + 5));
}

TEST_CASE("4. An interrupt breaks a computation off where it stands, and the rest follows after the return") {
    CoreRig rig;
    std::vector<Time> began;
    const Core::Program handler = noting_handler(rig, began);
    rig.cores[0]->set_interrupt_handler(handler);
    Time start;
    Time end;
    const Core::Program program = [&](Core& cpu) -> Task<> {
        cpu.unmask_interrupts();
        start = cpu.local();
        cpu.compute(Time::ns(1000));
        co_await isb(cpu);
        end = cpu.local();
    };
    rig.cores[0]->run(program);
    rig.run_for(Time::ns(300));
    rig.set_line(0, true);
    rig.run_for(Time::us(5));
    REQUIRE(began.size() == 1);
    CHECK(began[0] - start == Time::ns(300 + 9));
    CHECK(end - start == Time::ns(1000 + 9 + 6 + 4 + 5));
}

TEST_CASE("5. An interrupt waits for an operation that has begun") {
    CoreRig rig;
    std::vector<Time> began;
    const Core::Program handler = noting_handler(rig, began);
    rig.cores[0]->set_interrupt_handler(handler);
    const Location x{rig.memory.map.allocate(1, 0), 0};
    Time loaded;
    const Core::Program program = [&](Core& cpu) -> Task<> {
        cpu.unmask_interrupts();
        co_await load(cpu, x);
        loaded = cpu.local();
        co_await isb(cpu);
    };
    rig.cores[0]->run(program);
    rig.run_for(Time::ns(20));
    rig.set_line(0, true);
    rig.run_for(Time::us(5));
    REQUIRE(began.size() == 1);
    CHECK(began[0] >= loaded);
}

TEST_CASE("6. The exclusive monitor wakes WFE when the line is taken away, not before") {
    CoreRig rig;
    const Location flag{rig.memory.map.allocate(0, 0), 0};
    Time asleep;
    Time woken;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  co_await load_exclusive(cpu, flag);
                  asleep = cpu.local();
                  co_await wfe(cpu);
                  woken = cpu.local();
              }}});
    CHECK(woken == Time{});
    CHECK(rig.cores[0]->waits_for() == "an event (wfe)");
    const Time start = rig.now();
    rig.run({{1, [&](Core& cpu) -> Task<> { co_await store(cpu, flag, 1); }}});
    // miss 1 + link 1 + slice 1 + link 1: the snoop arrives after 4 ns; then the wake-up of 8 ns.
    CHECK(woken == start + Time::ns(4 + 8));
}

TEST_CASE("7. An event that came before WFE is not lost") {
    CoreRig rig;
    Time start;
    Time end;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  cpu.set_event();
                  start = cpu.local();
                  co_await wfe(cpu);
                  end = cpu.local();
              }}});
    CHECK(end - start == Time::ns(1));
}

TEST_CASE("7b. An exception return is an event: WFE after an interrupt does not sleep") {
    CoreRig rig;
    std::vector<Time> began;
    const Core::Program handler = noting_handler(rig, began);
    rig.cores[0]->set_interrupt_handler(handler);
    rig.set_line(0, true);
    bool past = false;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  cpu.unmask_interrupts();
                  co_await isb(cpu);
                  co_await wfe(cpu);
                  past = true;
              }}});
    CHECK(began.size() == 1);
    CHECK(past);
}

TEST_CASE("7c. The next interrupt is taken when the exception return is over, not within it") {
    CoreRig rig;
    std::vector<Time> began;
    const Core::Program handler = [&](Core& cpu) -> Task<> {
        began.push_back(cpu.local());
        co_await read(cpu, IccRegister::ICC_IAR1_EL1);
        if (began.size() == 2) rig.set_line(0, false);
    };
    rig.cores[0]->set_interrupt_handler(handler);
    rig.set_line(0, true);
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  cpu.unmask_interrupts();
                  co_await isb(cpu);
              }}});
    REQUIRE(began.size() == 2);
    // MRS 6, return 4, entry 9.
    CHECK(began[1] - began[0] == Time::ns(6 + 4 + 9));
}

TEST_CASE("8. An exception in a program reaches the run loop with its type") {
    CoreRig rig;
    CHECK_THROWS_AS(rig.run({{0,
                              [&](Core& cpu) -> Task<> {
                                  co_await isb(cpu);
                                  throw std::runtime_error("program");
                              }}}),
                    std::runtime_error);
}

TEST_CASE("9. A task returns its value to the task that awaits it, a hundred thousand times without a growing stack") {
    CoreRig rig;
    struct Adder {
        static Task<unsigned> add(Core& cpu, unsigned a) {
            cpu.compute(Cycles(1));
            co_return a + 1;
        }
    };
    unsigned sum = 0;
    rig.run({{0, [&](Core& cpu) -> Task<> {
                  for (unsigned i = 0; i < 100'000; ++i) sum = co_await Adder::add(cpu, sum);
              }}});
    CHECK(sum == 100'000);
}
