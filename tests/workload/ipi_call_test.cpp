#include "case_rig.h"

using namespace gicsim;

// The doorbell is control-dependent on the read of the enqueue's compare-and-swap, and the dequeue is a swap: had the
// handler found the queue empty, its write would have been read by that compare-and-swap, which came before it.
TEST_CASE("a call is never lost, under any barrier, none included") {
    CaseRig rig("kunpeng920-96", "ipi-call");
    rig.options.targets = {cpu_id(1), cpu_id(0), cpu_id(24), cpu_id(72), cpu_id(95)};
    rig.options.remote_owner = cpu_id(72);
    rig.options.payload_lines = 2;
    rig.options.rounds = 10;
    for (const unsigned lines : {0U, 36U}) {
        for (const bool running : {false, true}) {
            for (const bool wait : {true, false}) {
                rig.options.remote_lines = lines;
                rig.options.receiver_running = running;
                rig.options.wait = wait;
                for (const Barrier& barrier : Barrier::all()) {
                    INFO(barrier.name() << ", " << lines << " lines, running: " << running << ", wait: " << wait);
                    rig.options.send = policy_with(barrier.name());
                    const RunResult result = rig.run();
                    CHECK(result.calls == 50);
                    CHECK(result.ipis == 40);
                    CHECK(result.lost == 0);
                    CHECK(counter(result, "functions run") == 50);
                }
            }
        }
    }
}

TEST_CASE("giving the remote lines back is no part of a call's time") {
    CaseRig rig("small-8", "ipi-call");
    rig.options.send = policy_with("dsb ishst");
    rig.options.rounds = 10;
    rig.options.targets = {cpu_id(1), cpu_id(7)};
    rig.options.remote_owner = cpu_id(7);
    const Time without = rig.run().total;
    rig.options.remote_lines = 8;
    const RunResult with = rig.run();
    CHECK(with.total > without);
    Time classes;
    for (const ClassSegments& each : with.classes) {
        CHECK(each.adds_up());
        classes += each.total;
    }
    // The loop ends with one ISB.
    CHECK(with.total == classes + rig.description.machine.core.isb);
}

TEST_CASE("an idle target takes longer to answer than a running one, by its way out of WFI") {
    CaseRig rig("small-8", "ipi-call");
    rig.options.send = policy_with("dsb ishst");
    rig.options.targets = {cpu_id(1)};
    rig.options.rounds = 1;
    const Time idle = rig.run().total;
    rig.options.receiver_running = true;
    CHECK(idle - rig.run().total == rig.description.machine.core.wfi_wake);
}
