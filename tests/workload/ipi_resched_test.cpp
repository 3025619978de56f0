#include "case_rig.h"

using namespace gicsim;

namespace {

/// Sender 0, target 1 in its cluster, remote lines owned by the far die of the other socket: with 46 of them the
/// STSET of need_resched takes the last entry of the store buffer.
class ReschedRig : public CaseRig {
public:
    ReschedRig() : CaseRig("kunpeng920-96", "ipi-resched") {
        options.targets = {cpu_id(1)};
        options.remote_owner = cpu_id(72);
        options.remote_lines = 46;
        options.receiver_running = true;
        options.rounds = 200;
    }
};

}  // namespace

TEST_CASE("a wake-up is lost after no barrier, an ISB, any DMB and a DSB of loads") {
    ReschedRig rig;
    for (const Sequence& sequence : weak_sequences()) {
        INFO(sequence.name);
        rig.options.send = sequence.policy;
        CHECK(rig.run().lost > 0);
    }
}

TEST_CASE("no wake-up is lost after a DSB that covers stores") {
    ReschedRig rig;
    for (const std::string& barrier : dsbs_of_stores()) {
        rig.options.send = policy_with(barrier);
        for (const unsigned lines : {0U, 20U, 21U, 46U, 64U}) {
            for (const bool running : {true, false}) {
                INFO(barrier << ", " << lines << " lines, target running: " << running);
                rig.options.remote_lines = lines;
                rig.options.receiver_running = running;
                const RunResult result = rig.run(lines);
                CHECK(result.lost == 0);
                CHECK(result.ok == 200);
            }
        }
    }
}

TEST_CASE("a round after a lost wake-up is like the first") {
    ReschedRig rig;
    rig.options.send = policy_with("dmb ishst");
    const RunResult result = rig.run();
    CHECK(result.lost == 200);
    // With nothing in the way of the flag none is lost, by any barrier.
    rig.options.remote_lines = 0;
    for (const Sequence& sequence : weak_sequences()) {
        INFO(sequence.name);
        rig.options.send = sequence.policy;
        CHECK(rig.run().ok == 200);
    }
}
