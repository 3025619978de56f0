// Exceptions of litmus threads: what they save, where they go, and what their return restores (DDI 0487, D1).
#include <fmt/format.h>

#include "laboratory/lab_rig.h"

using namespace gicsim;
using Catch::Matchers::Contains;

namespace {

const std::string acknowledge = "MRS X20,ICC_IAR1_EL1\n";
const std::string end_of_interrupt = "MSR ICC_EOIR1_EL1,X20\n";

/// One thread with VBAR_EL1 0x1000, `code`, and a handler at 0x1000 + `vector`; `more` follows its table.
std::string thread(const std::string& code, unsigned vector, const std::string& handler, const std::string& reset,
                   const std::string& more = {}) {
    return fmt::format(
        "symbolic = [\"x\", \"y\"]\n[thread.0]\ncode = \"\"\"\n{}\"\"\"\n"
        "[thread.0.reset]\nVBAR_EL1 = \"0x1000\"\nX1 = \"x\"\nX3 = \"y\"\nX9 = \"1\"\n{}\n{}\n"
        "[section.thread0_handler]\naddress = \"{:#x}\"\ncode = \"\"\"\n{}\"\"\"\n",
        code, reset, more, 0x1000 + vector, handler);
}
std::string assertion(const std::string& text) {
    return "[final]\nassertion = \"" + text + "\"\n";
}
const std::string injected = "[[thread.0.interrupt]]\nat = \"here\"\n";

std::string interrupted(const std::string& code, const std::string& handler, const std::string& reset = {}) {
    return thread(code, 0x280, handler, reset, injected);
}
std::string called(const std::string& code, const std::string& handler, const std::string& reset = {}) {
    return thread(code, 0x200, handler, reset);
}

/// Every execution comes to its end, in a state in which `condition` holds.
void always(const std::string& text, const std::string& condition) {
    LabRig& rig = LabRig::shared();
    const CampaignResult result = rig.run(LabRig::isla(text + assertion(condition)), 400);
    INFO(text << "\n" << (result.state_texts.empty() ? "" : result.state_texts.front()));
    CHECK(result.stuck + result.exhausted == 0);
    CHECK(result.asked_for == result.executions);
}

}  // namespace

TEST_CASE("Exception 1. An interrupt and a supervisor call leave the flags of what they interrupt alone") {
    const std::string rest = "B.EQ good\nMOV X5,#7\ngood: NOP\n";
    always(interrupted("CMP X9,#1\nhere:\n" + rest, acknowledge + "CMP X20,#999\n" + end_of_interrupt + "ERET\n"),
           "0:X5 = 0");
    always(called("CMP X9,#1\nSVC #0\n" + rest, "CMP X9,#999\nERET\n"), "0:X5 = 0");
    // A handler finds them in SPSR_EL1 and may change them there: Z is bit 30.
    always(called("CMP X9,#1\nSVC #0\n" + rest, "MRS X6,SPSR_EL1\nMSR SPSR_EL1,X7\nERET\n", "X7 = \"5\"\n"),
           "0:X5 = 7 & 0:X6 = 0x60000005");
}

TEST_CASE("Exception 2. An interrupt saves PSTATE and returns by what SPSR_EL1 and ELR_EL1 say") {
    always(
        interrupted("here:\nNOP\nMRS X7,DAIF\n",
                    acknowledge + "MRS X6,SPSR_EL1\nORR X8,X6,#0x80\nMSR SPSR_EL1,X8\n" + end_of_interrupt + "ERET\n"),
        "0:X6 = 5 & 0:X7 = 0x80");
    // It may return to another instruction: past the next one.
    always(interrupted("here:\nMOV X5,#7\nMOV X6,#1\n",
                       acknowledge + "MRS X8,ELR_EL1\nADD X8,X8,#4\nMSR ELR_EL1,X8\n" + end_of_interrupt + "ERET\n"),
           "0:X5 = 0 & 0:X6 = 1");
    always(interrupted("here:\nMOV X6,#1\n",
                       acknowledge + "MRS X7,DAIF\nMRS X8,CurrentEL\n" + end_of_interrupt + "ERET\n"),
           "0:X7 = 0x3C0 & 0:X8 = 4 & 0:X6 = 1");
}

TEST_CASE("Exception 3. An interrupt inside a supervisor call is returned from to the call, and that to the program") {
    always(thread("SVC #1\nMRS X7,DAIF\nMOV X6,#1\n", 0x200,
                  "MRS X9,ELR_EL1\nMRS X10,SPSR_EL1\nMSR ICC_SGI1R_EL1,X2\nMSR DAIFClr,#2\nwait: CBZ X5,wait\n"
                  "MSR DAIFSet,#2\nMSR ELR_EL1,X9\nMSR SPSR_EL1,X10\nERET\n",
                  "X2 = \"0x1000001\"\n",
                  "[section.thread0_irq]\naddress = \"0x1280\"\ncode = \"\"\"\n" + acknowledge +
                      "MRS X8,SPSR_EL1\nMOV X5,#1\n" + end_of_interrupt + "ERET\n\"\"\"\n"),
           "0:X5 = 1 & 0:X6 = 1 & 0:X7 = 0 & 0:X8 = 0x345");
}

TEST_CASE("Exception 4. An exception return ends an exclusive access, also one whose load is under way") {
    always(called("LDXR X0,[X1]\nSVC #0\nSTXR W5,X0,[X1]\n", "ERET\n"), "0:X5 = 1");
    always(interrupted("LDXR X0,[X1]\nhere:\nSTXR W5,X0,[X1]\n", acknowledge + end_of_interrupt + "ERET\n"),
           "0:X5 = 1");
}

TEST_CASE("Exception 5. An exception return is an event: a WFE after it does not sleep") {
    always(called("SVC #0\nWFE\nMOV X5,#1\n", "ERET\n"), "0:X5 = 1");
}

TEST_CASE("Exception 6. An injected interrupt waits until it is not masked") {
    const std::string handler = acknowledge + "MOV X6,X7\n" + end_of_interrupt + "ERET\n";
    always(interrupted("MSR DAIFSet,#2\nhere:\nNOP\nMOV X7,#1\n", handler, "X6 = \"9\"\n"), "0:X6 = 9 & 0:X7 = 1");
    always(interrupted("MSR DAIFSet,#2\nhere:\nNOP\nMOV X7,#1\nMSR DAIFClr,#2\nMOV X7,#2\n", handler, "X6 = \"9\"\n"),
           "0:X6 != 9 & 0:X6 != 0 & 0:X7 = 2");
    // From a device that the handler does not acknowledge, as well.
    always(interrupted("MSR DAIFSet,#2\nhere:\nNOP\nMOV X7,#1\nMSR DAIFClr,#2\nNOP\n", "MOV X6,X7\nERET\n"),
           "0:X6 = 1 & 0:X7 = 1");
}

TEST_CASE("Exception 7. An injected interrupt comes once, whether its handler acknowledges or not") {
    always(interrupted("here:\nNOP\n", "ADD X5,X5,#1\nERET\n"), "0:X5 = 1");
    always(interrupted("here:\nNOP\n", acknowledge + "ADD X5,X5,#1\n" + end_of_interrupt + "ERET\n"), "0:X5 = 1");
    // ... also when the program passes the place again.
    always(interrupted("MOV X6,#3\nhere:\nSUB X6,X6,#1\nCBNZ X6,here\n", "ADD X5,X5,#1\nERET\n"),
           "0:X5 = 1 & 0:X6 = 0");
}

TEST_CASE("Exception 8. Where VBAR_EL1 is left open, the vectors are where the thread's handlers are") {
    const std::string text =
        "symbolic = [\"x\"]\n[thread.0]\ncode = \"\"\"\nhere:\nNOP\n\"\"\"\n[thread.0.reset]\n\"PSTATE.EL\" = "
        "\"0b00\"\n" +
        injected + "[section.thread0_handler]\naddress = \"0x3480\"\ncode = \"\"\"\nMOV X5,#1\nERET\n\"\"\"\n";
    always(text, "0:X5 = 1");
}

TEST_CASE("Exception 9. A supervisor call goes to the vector of where it comes from, and ESR_EL1 says which") {
    const std::string handler = "MRS X5,ESR_EL1\nMRS X6,SPSR_EL1\nERET\n";
    always(thread("SVC #3\nMOV X7,#1\n", 0x200, handler, ""), "0:X5 = 0x56000003 & 0:X6 = 5 & 0:X7 = 1");
    always(thread("SVC #3\nMOV X7,#1\n", 0x000, handler, "\"PSTATE.SP\" = \"0\"\n"),
           "0:X5 = 0x56000003 & 0:X6 = 4 & 0:X7 = 1");
    always(thread("SVC #4\nMOV X7,#1\n", 0x400, handler, "\"PSTATE.EL\" = \"0\"\n"),
           "0:X5 = 0x56000004 & 0:X6 = 0 & 0:X7 = 1");
}

TEST_CASE("Exception 10. An exception return restores the masks, and nothing but it") {
    always(called("SVC #0\nMRS X5,DAIF\n", "MRS X6,DAIF\nERET\n"), "0:X5 = 0 & 0:X6 = 0x3C0");
    always(called("MSR DAIFSet,#7\nSVC #0\nMRS X5,DAIF\n", "ERET\n"), "0:X5 = 0x1C0");
}

TEST_CASE("Exception 11. What belongs to EL1 is refused at EL0, by name") {
    LabRig& rig = LabRig::shared();
    const std::string at_el0 = "\"PSTATE.EL\" = \"0\"\n";
    for (const char* code : {"MSR DAIFSet,#2\n", "MRS X5,CurrentEL\n", "MSR ICC_SGI1R_EL1,X2\n", "ERET\n"}) {
        const auto test = LabRig::isla(thread(code, 0x200, "ERET\n", at_el0) + assertion("0:X5 = 0"));
        CHECK_THROWS_WITH(rig.run(test, 10),
                          Contains(std::string(code, std::string(code).find_first_of(",\n"))) && Contains("EL0"));
    }
    always(thread("MRS X5,NZCV\nMRS X6,TPIDR_EL0\n", 0x200, "ERET\n", at_el0), "0:X5 = 0");
    const auto illegal =
        LabRig::isla(called("SVC #0\n", "MSR SPSR_EL1,X2\nERET\n", "X2 = \"9\"\n") + assertion("true"));
    CHECK_THROWS_WITH(rig.run(illegal, 10), Contains("ERET") && Contains("EL1h"));
}

TEST_CASE("Exception 12. EOImode is a thread's own: one that writes ICC_DIR_EL1 does not change the others") {
    const auto test = LabRig::isla(R"(symbolic = ["x"]
[thread.0]
code = """
    MSR ICC_SGI1R_EL1,X2
    DSB SY
    MSR ICC_SGI1R_EL1,X3
again:
    LDR X5,[X1]
    SUB X5,X5,#2
    CBNZ X5,again
    MSR ICC_SGI1R_EL1,X2
    MSR ICC_SGI1R_EL1,X3
"""
[thread.0.reset]
X1 = "x"
X2 = "0x1000002"
X3 = "0x1000004"
[thread.1]
code = "NOP"
[thread.1.reset]
X1 = "x"
X9 = "1"
VBAR_EL1 = "0x1000"
[thread.2]
code = "NOP"
[thread.2.reset]
X1 = "x"
X9 = "1"
VBAR_EL1 = "0x2000"
[section.thread1_irq]
address = "0x1280"
code = """
    MRS X5,ICC_IAR1_EL1
    ADD X6,X6,#1
    MSR ICC_EOIR1_EL1,X5
    MSR ICC_DIR_EL1,X5
    LDADD X9,XZR,[X1]
    ERET
"""
[section.thread2_irq]
address = "0x2280"
code = """
    MRS X5,ICC_IAR1_EL1
    ADD X6,X6,#1
    MSR ICC_EOIR1_EL1,X5
    LDADD X9,XZR,[X1]
    ERET
"""
[final]
assertion = "1:X6 = 2 & 2:X6 = 2"
)");
    LabRig& rig = LabRig::shared();
    const CampaignResult result = rig.run(test, 400);
    CHECK(result.stuck + result.exhausted == 0);
    CHECK(result.asked_for == result.executions);
}
