#include <set>

#include "laboratory/lab_rig.h"

using namespace gicsim;

TEST_CASE("Arena 1. The same seed gives the same states and counts, also after another test") {
    LabRig rig;
    const auto test = LabRig::shipped("classic/SB.litmus");
    const auto once = rig.run(test);
    rig.run(LabRig::shipped("classic/MP.litmus"));
    const auto again = rig.run(test);
    CHECK(once.state_texts == again.state_texts);
    REQUIRE(once.states.size() == again.states.size());
    for (std::size_t i = 0; i < once.states.size(); ++i) CHECK(once.states[i].count == again.states[i].count);
    CHECK(once.events == again.events);
}

TEST_CASE("Arena 2. A shortest execution is had again from its replay") {
    LabRig rig;
    const auto result = rig.run(LabRig::payload_behind("dmb ishst"));
    bool any = false;
    for (const StateCount& each : result.states) {
        if (!each.asked_for) continue;
        any = true;
        const Witness witness = replay(rig.arena(), rig.options, each.shortest);
        const std::string text = witness_as_text(witness, 2);
        INFO(text);
        // The handler reads 0 before the store is visible.
        const std::size_t read = text.find("reads x = 0x0");
        const std::size_t visible = text.find("x = 0x1 visible");
        REQUIRE(read != std::string::npos);
        REQUIRE(visible != std::string::npos);
        CHECK(read < visible);
        CHECK(text.find("SGI pending") < read);
    }
    CHECK(any);
}

TEST_CASE("Arena 3. The systematic search says when it has been everywhere") {
    LabRig rig;
    rig.options.systematic = 100'000;
    const auto test = LabRig::shipped("classic/SB+dmb.sys.litmus");
    rig.options.iterations = 100'000;
    rig.arena().load(test);
    const auto all = run_campaign(rig.arena(), rig.options);
    CHECK(all.complete);
    CHECK(all.share_explored == 1);
    rig.options.systematic = 10;
    const auto some = run_campaign(rig.arena(), rig.options);
    CHECK_FALSE(some.complete);
    CHECK(some.systematic == 10);
    CHECK(some.share_explored > 0);
    CHECK(some.share_explored < 1);
}

TEST_CASE("Arena 4. More threads than the machine has CPUs are refused with the file's name") {
    std::string header;
    std::string row;
    for (unsigned t = 0; t < 9; ++t) {
        header += (t == 0 ? " P" : "| P") + std::to_string(t) + " ";
        row += t == 0 ? " NOP " : "| NOP ";
    }
    LabRig rig;
    CHECK_THROWS_WITH(rig.run(LabRig::herd("AArch64 many\n{ x=0; }\n" + header + ";\n" + row + ";\nexists (x=0)\n")),
                      Catch::Contains("test.litmus") && Catch::Contains("9 threads"));
}

TEST_CASE("Arena 5. An access where nothing is names the instruction and its place") {
    LabRig rig;
    CHECK_THROWS_WITH(rig.run(LabRig::herd("AArch64 wild\n{ x=0; }\n P0 ;\n LDR X0,[X1] ;\nexists (x=0)\n")),
                      Catch::Contains("test.litmus:4") && Catch::Contains("LDR X0,[X1]"));
}

TEST_CASE("Arena 6. A thread that spins for ever is stopped and counted, one that waits for ever too") {
    LabRig rig;
    const auto spin = rig.run(LabRig::herd("AArch64 spin\n{ x=0; }\n P0 ;\n L: ;\n B L ;\nexists (x=0)\n"), 10);
    CHECK(spin.exhausted == 10);
    const auto sleep = rig.run(LabRig::herd("AArch64 sleep\n{ x=0; }\n P0 ;\n WFE ;\nexists (x=0)\n"), 10);
    CHECK(sleep.stuck == 10);
}

TEST_CASE("Variants 1. A barrier replaces what stands before the SGI write and nothing else") {
    const auto none = LabRig::payload_behind("none").threads[0].program.instructions.size();
    CHECK(LabRig::payload_behind("dsb ishst").threads[0].program.instructions.size() == none + 1);
    CHECK(LabRig::payload_behind("dsb ishst + isb").threads[0].program.instructions.size() == none + 2);
    const auto once = with_sender_order(LabRig::payload_behind("dsb sy + isb"), *SenderOrder::parse("dmb st"));
    CHECK(once.threads[0].program.instructions.size() == none + 1);
}

TEST_CASE("Variants 2. A branch over the SGI write still jumps over it") {
    const auto test = LabRig::shipped("matrix/llist-test-dependent.litmus.toml");
    const auto variant = with_sender_order(test, *SenderOrder::parse("dsb sy + isb"));
    for (const litmus::LitmusTest* each : {&test, &variant}) {
        for (const litmus::Instruction& i : each->threads[0].program.instructions) {
            if (i.opcode == litmus::Opcode::branch_not_zero) {
                CHECK(i.target == each->threads[0].program.instructions.size());
            }
        }
    }
}

TEST_CASE("Variants 3. There are 54 orders with names of their own that are read back") {
    std::set<std::string> names;
    for (const SenderOrder& order : SenderOrder::all()) {
        names.insert(order.name());
        const auto read = SenderOrder::parse(order.name());
        REQUIRE(read);
        CHECK(*read == order);
    }
    CHECK(names.size() == 54);
    CHECK_FALSE(SenderOrder::parse("dsb foo"));
}

TEST_CASE("Variants 4. A test without an SGI write has no barrier to replace") {
    CHECK_THROWS_WITH(with_sender_order(LabRig::shipped("classic/MP.litmus"), SenderOrder{}),
                      Catch::Contains("no SGI register"));
}
