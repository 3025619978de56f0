// Tests with another order before their SGIs: what is changed, and what the verdict is then.
#include "laboratory/lab_rig.h"

using namespace gicsim;
using Catch::Matchers::Contains;

namespace {

using litmus::Opcode;
using litmus::Verdict;

/// MPviaSGI with this code on P0, this verdict and further lines of its table.
litmus::LitmusTest sender(const std::string& code, const std::string& expected, const std::string& handler = {}) {
    return LabRig::isla(
        "symbolic = [\"x\", \"y\"]\n[thread.0]\ncode = \"\"\"\n" + code +
        "\"\"\"\n[thread.0.reset]\nX0 = \"1\"\nX1 = \"x\"\nX2 = \"0x1000002\"\nX3 = \"y\"\n"
        "VBAR_EL1 = \"0x2000\"\n[thread.1]\ncode = \"NOP\"\n[thread.1.reset]\nX1 = \"x\"\nX3 = \"y\"\n"
        "X9 = \"1\"\nX2 = \"0x1000001\"\nVBAR_EL1 = \"0x1000\"\n"
        "[section.thread1_irq]\naddress = \"0x1280\"\ncode = \"\"\"\nMRS X5,IAR\nLDR X0,[X1]\nMOV X6,#1\n" +
        handler +
        "MSR EOIR,X5\nERET\n\"\"\"\n"
        "[section.thread0_irq]\naddress = \"0x2280\"\ncode = \"\"\"\nMRS X5,IAR\nLDR X7,[X3]\n"
        "MOV X6,#1\nMSR EOIR,X5\nERET\n\"\"\"\n"
        "[final]\nassertion = \"1:X6 = 1 & 1:X0 = 0\"\n[expected]\nsource = \"test\"\n" +
        expected);
}
Verdict verdict(const litmus::LitmusTest& test, const std::string& order) {
    return with_sender_order(test, *SenderOrder::parse(order)).expected.verdict;
}
std::size_t count(const litmus::Program& program, Opcode opcode) {
    std::size_t n = 0;
    for (const auto& i : program.instructions) n += i.opcode == opcode ? 1 : 0;
    return n;
}

}  // namespace

TEST_CASE("Variants 5. A verdict stays with what it was given for") {
    const auto none = sender("STR X0,[X1]\nMSR ICC_SGI1R_EL1,X2\n", "verdict = \"allowed\"\n");
    CHECK(verdict(none, "none") == Verdict::allowed);
    CHECK(verdict(none, "dsb st") == Verdict::unknown);
    CHECK(verdict(none, "dmb sy") == Verdict::unknown);
    const auto both =
        sender("STR X0,[X1]\nMSR ICC_SGI1R_EL1,X2\n",
               "verdict = \"allowed\"\nbehind_dsb_of_stores = \"forbidden\"\nbehind_dsb_of_loads = \"allowed\"\n");
    CHECK(verdict(both, "dmb sy") == Verdict::allowed);
    CHECK(verdict(both, "stlr") == Verdict::allowed);
    CHECK(verdict(both, "dsb st") == Verdict::forbidden);
    CHECK(verdict(both, "dsb ld") == Verdict::allowed);
    // Forbidden because of the DSB that the file has: not without it.
    for (const char* more : {"", "behind_dsb_of_stores = \"forbidden\"\n"}) {
        const auto filed =
            sender("STR X0,[X1]\nDSB ISHST\nMSR ICC_SGI1R_EL1,X2\n", std::string("verdict = \"forbidden\"\n") + more);
        CHECK(verdict(filed, "dsb ishst") == Verdict::forbidden);
        CHECK(verdict(filed, "dsb sy") == (*more == 0 ? Verdict::unknown : Verdict::forbidden));
        for (const char* order : {"none", "dmb sy", "isb", "stlr", "casal"})
            CHECK(verdict(filed, order) == Verdict::unknown);
    }
}

TEST_CASE("Variants 6. The SGIs of handlers are crossed too") {
    const auto test =
        sender("STR X0,[X1]\nMSR ICC_SGI1R_EL1,X2\n", "verdict = \"allowed\"\nbehind_dsb_of_stores = \"forbidden\"\n",
               "STR X9,[X3]\nMSR ICC_SGI1R_EL1,X2\n");
    const auto variant = with_sender_order(test, *SenderOrder::parse("dsb ishst"));
    CHECK(count(variant.threads[0].program, Opcode::barrier) == 1);
    CHECK(count(variant.threads[1].handlers[0].program, Opcode::barrier) == 1);
    LabRig& rig = LabRig::shared();
    CHECK(rig.run(variant, 4000).asked_for == 0);
}

TEST_CASE("Variants 7. A handler that would grow into the next section is refused") {
    auto test =
        sender("STR X0,[X1]\nMSR ICC_SGI1R_EL1,X2\n", "verdict = \"allowed\"\n", "STR X9,[X3]\nMSR ICC_SGI1R_EL1,X2\n");
    litmus::Handler next = test.threads[1].handlers[0];
    next.name = "next";
    next.program.address += 4 * next.program.instructions.size();
    test.threads[1].handlers.push_back(next);
    CHECK_THROWS_WITH(with_sender_order(test, *SenderOrder::parse("dsb sy")),
                      Contains("no room") && Contains("'next'"));
}

TEST_CASE("Variants 8. A CASAL in the place of a store stores whatever was there, and spoils no register") {
    // X30, X29 and X28 are in use, and x is 5 at first.
    auto test =
        sender("MOV X30,#7\nSTR X0,[X1]\nMOV X29,#6\nMOV X28,#5\nMSR ICC_SGI1R_EL1,X2\n", "verdict = \"allowed\"\n");
    test.locations[0].initial[0].number = 5;
    const auto variant = with_sender_order(test, *SenderOrder::parse("casal"));
    CHECK(count(variant.threads[0].program, Opcode::compare_and_swap) == 1);
    LabRig& rig = LabRig::shared();
    for (std::uint8_t n = 28; n <= 30; ++n) {
        auto observed = variant;
        litmus::Observable observable;
        observable.kind = litmus::Observable::Kind::reg;
        observable.thread = 0;
        observable.reg = litmus::Register{n};
        observable.bits = 64;
        litmus::Observable memory;
        memory.kind = litmus::Observable::Kind::memory;
        memory.location = 0;
        observed.observables = {observable, memory};
        observed.condition.expression = {};  // holds always
        const auto result = rig.run(observed, 100);
        REQUIRE(result.states.size() == 1);
        CHECK(result.states[0].state.values[0].number == n - 23U);
        CHECK(result.states[0].state.values[1].number == 1);
    }
}

TEST_CASE("Variants 9. What an order needs and a test has not is known before") {
    const auto no_store = sender("MSR ICC_SGI1R_EL1,X2\n", "verdict = \"allowed\"\n");
    CHECK_FALSE(can_have(no_store, *SenderOrder::parse("stlr")));
    CHECK(can_have(no_store, *SenderOrder::parse("dsb sy")));
    CHECK(can_have(LabRig::payload_behind("none"), *SenderOrder::parse("casal + isb")));
}
