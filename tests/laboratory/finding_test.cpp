// What a campaign makes of executions that say less than they seem to.
#include "laboratory/lab_rig.h"

using namespace gicsim;
using Catch::Matchers::Contains;

namespace {

std::string herd(const char* verdict, const std::string& init, const std::string& code, const std::string& condition) {
    return std::string("AArch64 T\nExpected=") + verdict + "\nSource=for this test\n{ " + init + " }\n" + code +
           "exists (" + condition + ")\n";
}

const std::string sleeps = " P0 ;\n WFI ;\n LDR X0,[X1] ;\n";
const std::string sometimes = " P0 | P1 ;\n LDR W0,[X1] | MOV W0,#1 ;\n CBZ W0,L | STR W0,[X1] ;\n WFI | ;\n L: | ;\n";

litmus::LitmusTest to_nobody(const char* verdict) {
    auto test = LabRig::shipped("sgi/MPviaSGI.litmus.toml");
    for (litmus::InitialRegister& initial : test.threads[0].registers) {
        if (initial.value.number == 0x1000002) initial.value.number = 0x1'0001'0002;
    }
    test.expected.verdict = *litmus::parse_verdict(verdict);
    return test;
}

}  // namespace

TEST_CASE("Finding 1. A forbidden state is not ruled out by executions that came to no end") {
    LabRig rig;
    const auto never = rig.run(LabRig::herd(herd("Forbidden", "0:X1=x;", sleeps, "0:X0=0")), 20);
    CHECK(never.finding == Finding::unfinished);
    CHECK_THAT(never.remark, Contains("20 of 20"));
    const auto some = rig.run(LabRig::herd(herd("Forbidden", "0:X1=x; 1:X1=x;", sometimes, "x=2")), 400);
    CHECK(some.stuck > 0);
    CHECK(some.stuck < some.executions);
    CHECK(some.finding == Finding::unfinished);
    // What was seen was seen.
    const auto seen = rig.run(LabRig::herd(herd("Allowed", "0:X1=x; 1:X1=x;", sometimes, "0:X0=0")), 400);
    CHECK(seen.finding == Finding::ok);
    CHECK(rig.run(LabRig::herd("AArch64 T\n{ 0:X1=x; }\n" + sleeps + "exists (0:X0=0)\n"), 20).finding ==
          Finding::unfinished);
}

TEST_CASE("Finding 2. An SGI that reaches no CPU of the test is said, with whom it was for and who is there") {
    LabRig rig;
    for (const char* verdict : {"forbidden", "allowed"}) {
        const auto result = rig.run(to_nobody(verdict), 50);
        CHECK(result.finding == Finding::no_target);
        CHECK(result.untargeted == 50);
        CHECK_THAT(result.remark, Contains("0.1.1.1") && Contains("'litmus-8' P0 0.0.0.0, P1 0.0.0.1"));
    }
    CHECK(rig.run(LabRig::shipped("sgi/MPviaSGI.litmus.toml"), 50).untargeted == 0);
}

TEST_CASE("Finding 3. On a machine with other affinities than the test has, an SGI reaches nobody") {
    LabRig rig(Mutant::none, "kunpeng920-96");
    const auto result = rig.run(LabRig::payload_behind("dsb sy"), 20);
    CHECK(result.finding == Finding::no_target);
    CHECK_THAT(result.remark, Contains("0.0.0.1") && Contains("kunpeng920-96"));
}

TEST_CASE("Finding 4. A reason why a state is not seen is given only where the test says what it needs") {
    LabRig rig;
    const auto needs = rig.run(LabRig::shipped("classic/SB+swpas.litmus"), 10'000);
    CHECK(needs.finding == Finding::not_seen);
    CHECK_THAT(needs.remark, Contains("reads and writes at one moment"));
    // An atomic that has nothing to do with it; and too short a search.
    const auto other =
        rig.run(LabRig::herd(herd("Allowed", "0:X1=x; 0:X9=1;", " P0 ;\n SWP W9,W0,[X1] ;\n", "0:X0=3")), 100);
    CHECK(other.finding == Finding::not_seen);
    CHECK_THAT(other.remark, Contains("100 executions") && Contains("complete"));
    const auto brief = rig.run(LabRig::shipped("sgi/doorbell+load-first.litmus.toml"), 100);
    CHECK_THAT(brief.remark, Contains("not reached in 100 executions") && Contains("%"));
}

TEST_CASE("Finding 5. What was broken off is partial, unless it was seen") {
    LabRig rig;
    const auto run = [&rig](const char* name) {
        const auto test = LabRig::shipped(name);
        rig.arena().load(test);
        rig.options.iterations = 100'000'000;
        unsigned asked = 0;
        return run_campaign(rig.arena(), rig.options, [&asked] { return ++asked < 4; });
    };
    const auto forbidden = run("classic/MP+dmb.sys.litmus");
    CHECK(forbidden.interrupted);
    CHECK(forbidden.executions > 0);
    CHECK(forbidden.finding == Finding::partial);
    CHECK(run("classic/SB.litmus").finding == Finding::ok);
}
