#include "case_rig.h"

using namespace gicsim;

namespace {

void check_broadcast(CaseRig& rig, std::uint64_t targets, std::uint64_t writes_a_round) {
    rig.options.send = policy_with("dsb ishst");
    rig.options.csd_home = "target";
    rig.options.rounds = 10;
    for (const bool wait : {true, false}) {
        INFO("wait: " << wait);
        rig.options.wait = wait;
        const RunResult result = rig.run();
        CHECK(result.calls == 10);
        CHECK(result.ipis == 10 * targets);
        CHECK(result.lost == 0);
        CHECK(counter(result, "sgi writes") == 10 * writes_a_round);
        CHECK(counter(result, "functions run") == 10 * targets);
        CHECK(counter(result, "fewest functions run on a target") == 10);
    }
}

}  // namespace

TEST_CASE("a broadcast on kunpeng920-96 takes one write for each of 95 CPUs, or one with IRM") {
    CaseRig rig("kunpeng920-96", "ipi-broadcast");
    rig.target_all();
    check_broadcast(rig, 95, 95);
    rig.options.irm = true;
    check_broadcast(rig, 95, 1);
}

TEST_CASE("a broadcast on thunderx1-48 takes one write for each group of sixteen, or one with IRM") {
    CaseRig rig("thunderx1-48", "ipi-broadcast");
    rig.target_all();
    check_broadcast(rig, 47, 3);
    rig.options.irm = true;
    check_broadcast(rig, 47, 1);
    rig.options.irm = false;
    rig.options.targets = {cpu_id(0), cpu_id(1), cpu_id(15), cpu_id(16)};
    check_broadcast(rig, 3, 2);
    // IRM reaches CPUs that nothing was queued for; that loses nothing.
    rig.options.irm = true;
    check_broadcast(rig, 3, 1);
}

TEST_CASE("a broadcast is never lost, under any barrier, none included") {
    CaseRig rig("kunpeng920-96", "ipi-broadcast");
    rig.options.targets = {cpu_id(1), cpu_id(2)};
    rig.options.receiver_running = true;
    rig.options.rounds = 10;
    rig.options.payload_lines = 1;
    rig.options.remote_owner = cpu_id(72);
    for (const unsigned lines : {0U, 36U}) {
        rig.options.remote_lines = lines;
        for (const Barrier& barrier : Barrier::all()) {
            INFO(barrier.name() << ", " << lines << " lines");
            rig.options.send = policy_with(barrier.name());
            const RunResult result = rig.run();
            CHECK(result.lost == 0);
            CHECK(result.ipis == 20);
            CHECK(counter(result, "fewest functions run on a target") == 10);
        }
    }
}
