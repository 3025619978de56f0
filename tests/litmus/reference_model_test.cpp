// The reference model has the rules of the architecture one by one.
#include "support/reference_model.h"

#include "litmus_fixture.h"

using namespace gicsim;
using namespace gicsim::litmus;

namespace {

/// Whether the model lets a test end in a state that its condition asks for.
bool is_allowed(const std::string& init, const std::string& rows, const std::string& condition) {
    const LitmusTest test = read_herd(herd_text(init, rows, "exists (" + condition + ")"), "t.litmus");
    return reference::verdict(test) == Verdict::allowed;
}

/// Message passing whose writer has a barrier, with what stands between the loads of the reader.
bool message_is_lost(const std::string& between, const std::string& load = "LDR W2,[X1]") {
    const std::string rows = " MOV W0,#1 | LDR W0,[X3] ;\n STR W0,[X1] | " + between + " ;\n DMB ST | " + load +
                             " ;\n STR W0,[X3] | NOP ;\n";
    return is_allowed("0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y;", rows, "1:W0=1 /\\ 1:W2=0");
}

std::set<FinalState> states(const std::string& init, const std::string& rows, const std::string& locations) {
    return reference::reachable_states(
        read_herd(herd_text(init, rows, "locations [" + locations + "]\nexists true"), "t.litmus"));
}

}  // namespace

TEST_CASE("reference: store buffering has four states") {
    const auto found =
        states("0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;",
               " MOV W0,#1 | MOV W0,#1 ;\n STR W0,[X1] | STR W0,[X1] ;\n LDR W2,[X3] | LDR W2,[X3] ;\n", "0:W2; 1:W2;");
    CHECK(found.size() == 4);
}

TEST_CASE("reference: a false dependency orders, a branch alone does not order loads") {
    CHECK(message_is_lost("NOP"));
    CHECK(message_is_lost("CBNZ W0,l", "l: LDR W2,[X1]"));
    CHECK(message_is_lost("ISB"));
    CHECK_FALSE(message_is_lost("EOR W4,W0,W0", "LDR W2,[X1,W4,SXTW]"));
    CHECK_FALSE(message_is_lost("CBNZ W0,l", "l: ISB ;\n NOP | LDR W2,[X1]"));
}

TEST_CASE("reference: a load sees an own store early") {
    // Each thread sees its own store before the other's: allowed by forwarding from the store buffer.
    CHECK(is_allowed("0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;",
                     " MOV W0,#1 | MOV W0,#1 ;\n STR W0,[X1] | STR W0,[X1] ;\n LDR W4,[X1] | LDR W4,[X1] ;\n"
                     " EOR W5,W4,W4 | EOR W5,W4,W4 ;\n LDR W2,[X3,W5,SXTW] | LDR W2,[X3,W5,SXTW] ;\n",
                     "0:W4=1 /\\ 0:W2=0 /\\ 1:W4=1 /\\ 1:W2=0"));
}

TEST_CASE("reference: a speculated load past an untaken branch is dropped when the branch goes the other way") {
    const auto found = states("0:X1=x; 1:X1=x;",
                              " LDR W0,[X1] | MOV W0,#1 ;\n CBZ W0,out | STR W0,[X1] ;\n"
                              " LDR W2,[X1] | NOP ;\n out: | NOP ;\n",
                              "0:W0; 0:W2;");
    // 0 and not taken, or 1 and 1; never 1 and 0.
    CHECK(found ==
          std::set<FinalState>{{{{no_location, 0}, {no_location, 0}}}, {{{no_location, 1}, {no_location, 1}}}});
}

TEST_CASE("reference: pairs are two accesses without an order") {
    CHECK(is_allowed("uint64_t a[2]; 0:X1=a; 1:X1=a;", " MOV X0,#1 | LDP X0,X2,[X1] ;\n STP X0,X0,[X1] | NOP ;\n",
                     "1:X0=0 /\\ 1:X2=1"));
    CHECK(is_allowed("uint64_t a[2]; 0:X1=a; 1:X1=a;", " MOV X0,#1 | LDP X0,X2,[X1] ;\n STP X0,X0,[X1] | NOP ;\n",
                     "1:X0=1 /\\ 1:X2=0"));
}

TEST_CASE("reference: addresses may come from memory") {
    // The pointer is published without order: its target may still be old.
    const std::string init = "uint64_t p=x; x=0; y=0; 0:X1=p; 0:X2=y; 1:X1=p;";
    const std::string rows = " MOV X0,#1 | LDR X0,[X1] ;\n STR X0,[X2] | LDR X3,[X0] ;\n STR X2,[X1] | NOP ;\n";
    CHECK(is_allowed(init, rows, "1:X0=y /\\ 1:X3=0"));
    CHECK(is_allowed(init, rows, "1:X0=y /\\ 1:X3=1"));
    CHECK_FALSE(is_allowed(init, rows, "1:X0=x /\\ 1:X3=1"));
}

TEST_CASE("reference: write-back of the base is not part of the access") {
    CHECK(is_allowed("uint64_t a[2]={3,4}; 0:X1=a;", " LDR X0,[X1],#8 | NOP ;\n LDR X2,[X1] | NOP ;\n",
                     "0:X0=3 /\\ 0:X2=4 /\\ 0:X1=a[1]"));
}

TEST_CASE("reference: a compare-and-swap stores only when it finds the comparand") {
    const auto found =
        states("x=5; 0:X1=x;", " MOV W2,#4 | NOP ;\n MOV W0,#9 | NOP ;\n CAS W2,W0,[X1] | NOP ;\n", "x; 0:W2;");
    CHECK(found == std::set<FinalState>{{{{no_location, 5}, {no_location, 5}}}});
}

TEST_CASE("reference: a store-exclusive may fail, and does so without its load-exclusive") {
    CHECK(states("0:X1=x;", " LDXR W0,[X1] | NOP ;\n STXR W2,W0,[X1] | NOP ;\n", "0:W2;").size() == 2);
    CHECK(states("0:X1=x;", " STXR W2,W0,[X1] | NOP ;\n", "0:W2;") == std::set<FinalState>{{{{no_location, 1}}}});
}

TEST_CASE("reference: what the model does not have is refused") {
    const auto refused = [](const std::string& rows) {
        try {
            states("0:X1=x;", rows, "x;");
        } catch (const reference::Unsupported&) {
            return true;
        }
        return false;
    };
    CHECK(refused(" l: CBNZ W0,l | NOP ;"));
    CHECK(refused(" WFI | NOP ;"));
    CHECK(refused(" MSR ICC_SGI1R_EL1,X0 | NOP ;"));
    CHECK(refused(" SVC #0 | NOP ;"));
    CHECK(refused(" LDR W0,[X1] | NOP ;\n LDRB W2,[X1] | NOP ;"));
    CHECK(refused(" LDR W0,[X2] | NOP ;"));
}
