#include "case_rig.h"

using namespace gicsim;

namespace {

/// Sender 0, receiver 1 in its cluster, remote lines owned by a CPU of the other socket.
class MessageRig : public CaseRig {
public:
    MessageRig() : CaseRig("kunpeng920-96", "message-passing") {
        options.targets = {cpu_id(1)};
        options.remote_owner = cpu_id(48);
        options.payload_lines = 1;
        options.receiver_running = true;
    }
};

}  // namespace

TEST_CASE("a handler reads an old payload after no barrier, an ISB, any DMB and a DSB of loads") {
    MessageRig rig;
    rig.options.remote_lines = 32;
    rig.options.rounds = 200;
    const std::vector<Sequence> sequences = weak_sequences();
    CHECK(sequences.size() == 18);
    for (const Sequence& sequence : sequences) {
        INFO(sequence.name);
        rig.options.send = sequence.policy;
        const RunResult result = rig.run();
        CHECK(result.ipis == 200);
        CHECK(result.stale > 0);
    }
}

TEST_CASE("a barrier after the SGI, and one that is placed nowhere, protect no payload") {
    MessageRig rig;
    rig.options.remote_lines = 32;
    rig.options.rounds = 20;
    for (const Placement placement : {Placement::none, Placement::after}) {
        rig.options.send = policy_with("dsb sy");
        rig.options.send.placement = placement;
        CHECK(rig.run().stale > 0);
    }
    rig.options.send.placement = Placement::before_group;
    CHECK(rig.run().stale == 0);
}

TEST_CASE("no handler reads an old payload after a DSB that covers stores") {
    MessageRig rig;
    for (const std::string& barrier : dsbs_of_stores()) {
        rig.options.send = policy_with(barrier);
        std::uint64_t ipis = 0;
        for (const unsigned lines : {0U, 1U, 20U, 21U, 32U, 46U, 64U}) {
            for (const bool running : {true, false}) {
                INFO(barrier << ", " << lines << " lines, receiver running: " << running);
                rig.options.remote_lines = lines;
                rig.options.receiver_running = running;
                rig.options.rounds = 150;
                const RunResult result = rig.run(lines);
                CHECK(result.stale == 0);
                ipis += result.ok;
            }
        }
        CHECK(ipis == 2100);
    }
}

TEST_CASE("the share of old payloads grows with the stores before it") {
    MessageRig rig;
    rig.options.send = policy_with("dsb ld");
    rig.options.rounds = 5;
    std::uint64_t before = 0;
    for (const unsigned lines : {0U, 20U, 26U, 32U}) {
        rig.options.remote_lines = lines;
        std::uint64_t stale = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) stale += rig.run(seed).stale;
        INFO(lines << " lines: " << stale << " of 100");
        CHECK(stale >= before);
        if (lines == 0) CHECK(stale == 0);
        // The pages of the run decide.
        if (lines == 26) {
            CHECK(stale > 0);
            CHECK(stale < 100);
        }
        if (lines == 32) CHECK(stale == 100);
        before = stale;
    }
}

TEST_CASE("messages to several receivers in turn, one of them the owner of the remote lines, another the sender") {
    MessageRig rig;
    rig.options.targets = {cpu_id(1), cpu_id(0), cpu_id(48), cpu_id(95)};
    rig.options.payload_lines = 3;
    rig.options.rounds = 20;
    for (const CpuId owner : {cpu_id(48), cpu_id(0), cpu_id(24)}) {
        for (const bool running : {true, false}) {
            INFO("owner " << index(owner) << ", receivers running: " << running);
            rig.options.receiver_running = running;
            rig.options.remote_owner = owner;
            rig.options.remote_lines = 32;
            rig.options.send = policy_with("dsb ishst");
            const RunResult good = rig.run();
            CHECK(good.ok == 60);  // not to itself
            rig.options.send = policy_with("dmb ish");
            const RunResult bad = rig.run();
            CHECK(bad.ipis == 60);
            // Lines that the sender itself owns are remote to nobody.
            CHECK((bad.stale > 0) == (owner != cpu_id(0)));
        }
    }
}

TEST_CASE("a message's segments add up to its time") {
    MessageRig rig;
    rig.options.remote_lines = 16;
    rig.options.send = policy_with("dsb st");
    rig.options.rounds = 10;
    const RunResult result = rig.run();
    REQUIRE(result.classes.size() == 1);
    CHECK(result.classes[0].count == 10);
    CHECK(result.classes[0].adds_up());
    CHECK(result.classes[0].total == result.total);
}

// One test case a barrier, so that ctest can spread them and its time limit holds for each.
TEMPLATE_TEST_CASE_SIG("a million messages after a DSB that covers stores, none old", "", ((std::size_t n), n), 0, 1, 2,
                       3, 4, 5, 6, 7) {
    if (!long_tests()) return;
    MessageRig rig;
    rig.options.send = policy_with(dsbs_of_stores()[n]);
    std::uint64_t ok = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        rig.options.remote_lines = seed % 2 == 0 ? 21 : 4;
        rig.options.receiver_running = seed % 4 < 2;
        rig.options.rounds = 10'000;
        const RunResult result = rig.run(seed);
        REQUIRE(result.stale == 0);
        ok += result.ok;
    }
    CHECK(ok == 1'000'000);
}
