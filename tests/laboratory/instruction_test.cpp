// What single instructions do on the cores, end to end: what orders, what waits, what it leaves.
#include <fmt/format.h>

#include "laboratory/lab_rig.h"

using namespace gicsim;

namespace {

CampaignResult run(const std::string& text, std::uint64_t iterations = 6000) {
    LabRig& rig = LabRig::shared();
    return rig.run(LabRig::herd(text), iterations);
}

/// Message passing: what P0 does after its first store, and P1 between x and y or after it.
std::string message(const std::string& sender, const std::string& receiver) {
    const auto lines = [](const std::string& code) {
        std::vector<std::string> list;
        for (std::size_t at = 0; at < code.size();) {
            const std::size_t end = std::min(code.find(';', at), code.size());
            list.push_back(code.substr(at, end - at));
            at = end + 1;
        }
        return list;
    };
    const auto p0 = lines("STR W9,[X1];" + sender);
    const auto p1 = lines(receiver);
    std::string rows;
    for (std::size_t n = 0; n < std::max(p0.size(), p1.size()); ++n) {
        rows += fmt::format(" {} | {} ;\n", n < p0.size() ? p0[n] : "", n < p1.size() ? p1[n] : "");
    }
    return "AArch64 T\n{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; 1:X7=x; 0:X9=1; 1:X9=1; 0:X8=0; }\n P0 | P1 ;\n" + rows +
           "exists (1:W0=1 /\\ 1:W2=0)\n";
}

void check_ordered(const std::string& ordered, const std::string& relaxed) {
    INFO(ordered);
    CHECK(run(ordered).asked_for == 0);
    CHECK(run(relaxed).asked_for > 0);
}

/// One thread, every execution of which ends with `condition`.
void always(const std::string& init, const std::string& code, const std::string& condition) {
    const std::string text = "AArch64 T\n{ " + init + " }\n P0 ;\n" + code + "exists (" + condition + ")\n";
    const CampaignResult result = run(text, 400);
    INFO(text << (result.state_texts.empty() ? "" : result.state_texts.front()));
    CHECK(result.asked_for == result.executions);
}

}  // namespace

TEST_CASE("Instruction 1. LDAXR acquires, LDXR does not") {
    const std::string sender = "DMB SY;STR W9,[X3]";
    check_ordered(message(sender, "LDAXR W0,[X3];LDR W2,[X1]"), message(sender, "LDXR W0,[X3];LDR W2,[X1]"));
}

TEST_CASE("Instruction 2. STLXR releases, STXR does not") {
    const std::string receiver = "LDAR W0,[X3];LDR W2,[X1]";
    check_ordered(message("LDXR W5,[X3];STLXR W6,W9,[X3]", receiver),
                  message("LDXR W5,[X3];STXR W6,W9,[X3]", receiver));
}

TEST_CASE("Instruction 3. An ISB behind a branch waits for it") {
    const std::string sender = "DMB SY;STR W9,[X3]";
    for (const char* branch : {"CBZ W0,L", "CBNZ W0,L", "TBZ W0,#0,L", "TBNZ W0,#0,L"}) {
        const std::string head = std::string("LDR W0,[X3];") + branch + ";L:;";
        check_ordered(message(sender, head + "ISB;LDR W2,[X1]"), message(sender, head + "LDR W2,[X1]"));
    }
}

TEST_CASE("Instruction 4. CSEL and CSINC wait for what they select from and for their condition") {
    const std::string sender = "DMB SY;STR W9,[X3]";
    for (const char* select : {"CMP W0,#1;CSEL X6,X1,X7,EQ", "EOR X5,X0,X0;ADD X5,X5,X1;CSEL X6,X5,X5,EQ",
                               "EOR X5,X0,X0;ADD X5,X5,X1;SUB X5,X5,#1;CMP X9,#0;CSINC X6,X1,X5,EQ"}) {
        check_ordered(message(sender, std::string("LDR W0,[X3];") + select + ";LDR W2,[X6]"),
                      message(sender, "LDR W0,[X3];MOV X6,X1;LDR W2,[X6]"));
    }
    always("x=5; 0:X1=x; 0:X4=8;",
           " CMP X4,#8 ;\n LDR W0,[X1] ;\n CSEL W5,W0,W4,EQ ;\n LDR W2,[X1] ;\n CSEL W6,W4,W2,NE ;\n"
           " LDR W3,[X1] ;\n CSINC W7,W4,W3,NE ;\n LDR W9,[X1] ;\n CSINC W8,W9,W4,EQ ;\n",
           "0:X5=5 /\\ 0:X6=5 /\\ 0:X7=6 /\\ 0:X8=5");
}

TEST_CASE("Instruction 5. TBZ and TBNZ wait for the loaded value") {
    always("x=1; 0:X1=x; 0:X9=1;",
           " LDR W0,[X1] ;\n TBZ W0,#0,L ;\n MOV W5,#1 ;\n L: ;\n LDR W2,[X1] ;\n TBNZ W2,#0,M ;\n MOV W6,#1 ;\n M: ;\n"
           " LDR W3,[X1] ;\n TBNZ W3,#1,N ;\n MOV W7,#1 ;\n N: ;\n NOP ;\n",
           "0:X5=1 /\\ 0:X6=0 /\\ 0:X7=1");
}

TEST_CASE("Instruction 6. LDP and STP access two places") {
    always("uint64_t a[3]={5,6,7}; 0:X1=a; 0:X7=3; 0:X8=4;",
           " LDP X2,X3,[X1] ;\n LDP X4,X5,[X1,#8] ;\n STP X7,X8,[X1,#8] ;\n LDR X9,[X1] ;\n LDR X10,[X1,#8] ;\n"
           " LDR X11,[X1,#16] ;\n",
           "0:X2=5 /\\ 0:X3=6 /\\ 0:X4=6 /\\ 0:X5=7 /\\ 0:X9=5 /\\ 0:X10=3 /\\ 0:X11=4");
    always("uint32_t a[2]={5,6}; 0:X1=a; 0:X7=3; 0:X8=4;",
           " LDP W2,W3,[X1] ;\n STP W7,W8,[X1] ;\n LDR W4,[X1] ;\n LDR W5,[X1,#4] ;\n",
           "0:X2=5 /\\ 0:X3=6 /\\ 0:X4=3 /\\ 0:X5=4");
}

TEST_CASE("Instruction 7. Pre-index accesses the new base, post-index the old one, and both write it back") {
    always("uint64_t a[3]={5,6,7}; 0:X1=a; 0:X2=a; 0:X12=a; 0:X13=a; 0:X9=9;",
           " LDR X3,[X1],#8 ;\n LDR X4,[X1] ;\n LDR X5,[X2,#8]! ;\n LDR X6,[X2] ;\n"
           " STR X9,[X12,#16]! ;\n LDR X7,[X12] ;\n STR X9,[X13],#8 ;\n LDR X8,[X13],#-8 ;\n LDR X10,[X13] ;\n",
           "0:X3=5 /\\ 0:X4=6 /\\ 0:X5=6 /\\ 0:X6=6 /\\ 0:X7=9 /\\ 0:X8=6 /\\ 0:X10=9");
}

TEST_CASE("Instruction 8. A post-indexed load that an interrupt comes before moves its base once, after it") {
    const auto test = LabRig::isla(R"(symbolic = ["x", "y"]
[thread.0]
code = """
here:
    LDR X2,[X1],#16
    SUB X8,X1,X9
"""
[thread.0.reset]
X1 = "x"
X9 = "x"
VBAR_EL1 = "0x1000"
[[thread.0.interrupt]]
at = "here"
[section.irq]
address = "0x1280"
code = """
    MOV X5,X1
    MOV X6,X2
    ERET
"""
[locations]
x = "4"
[final]
assertion = "0:X8 = 16 & 0:X5 = x & 0:X6 = 0 & 0:X2 = 4"
)");
    LabRig& rig = LabRig::shared();
    const CampaignResult result = rig.run(test, 400);
    REQUIRE_FALSE(result.state_texts.empty());
    INFO(result.state_texts.front());
    CHECK(result.stuck + result.exhausted == 0);
    CHECK(result.asked_for == result.executions);
}

TEST_CASE("Instruction 9. WFE sleeps until SEV or SEVL, WFI until an interrupt, masked or not") {
    const std::string pair = "AArch64 T\n{ 0:X1=x; 1:X1=x; 0:X9=1; }\n P0 | P1 ;\n STR W9,[X1] | WFE ;\n";
    const CampaignResult woken = run(pair + " DSB ISHST | LDR W2,[X1] ;\n SEV | ;\nexists (1:W2=0)\n");
    CHECK(woken.stuck == 0);
    CHECK(woken.asked_for == 0);
    CHECK(run(pair + " DSB ISHST | LDR W2,[X1] ;\nexists (1:W2=0)\n").stuck == 6000);
    always("x=0;", " SEVL ;\n WFE ;\n MOV X5,#1 ;\n", "0:X5=1");
    CHECK(run("AArch64 T\n{ x=0; }\n P0 ;\n WFI ;\nexists (x=0)\n", 50).stuck == 50);
    LabRig& rig = LabRig::shared();
    const CampaignResult masked = rig.run(
        LabRig::isla(
            "symbolic = [\"x\"]\n[thread.0]\ncode = \"MSR ICC_SGI1R_EL1,X2\"\n[thread.0.reset]\nX2 = \"0x1000002\"\n"
            "[thread.1]\ncode = \"\"\"\nWFI\nMOV X7,#1\n\"\"\"\n[thread.1.reset]\n\"PSTATE.I\" = \"1\"\n"
            "[final]\nassertion = \"1:X7 = 1\"\n"),
        400);
    CHECK(masked.asked_for == 400);
}

TEST_CASE("Instruction 10. System registers read what they hold") {
    always(
        "x=0; 0:X4=0x60000000;",
        " MRS X5,CurrentEL ;\n MSR DAIFSet,#10 ;\n MRS X6,DAIF ;\n MSR DAIFClr,#8 ;\n MRS X7,DAIF ;\n MSR NZCV,X4 ;\n"
        " MRS X8,NZCV ;\n MRS X9,MPIDR_EL1 ;\n",
        "0:X5=4 /\\ 0:X6=0x280 /\\ 0:X7=0x80 /\\ 0:X8=0x60000000 /\\ 0:X9=0x80000000");
}
