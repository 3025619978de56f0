// What is wrong with a herd test, and where.
#include "litmus_fixture.h"

using namespace gicsim;
using namespace gicsim::litmus;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::string init_error(const std::string& init) {
    return herd_error("AArch64 T\n{ " + init + " }\n P0 ;\n NOP ;\nexists true");
}
std::string end_error(const std::string& end) {
    return herd_error("AArch64 T\n{ x; int a[2]; }\n P0 ;\n NOP ;\n" + end);
}
std::string header_error(const std::string& header) {
    return herd_error("AArch64 T\n" + header + "\n{}\n P0 ;\n NOP ;\nexists true");
}

}  // namespace

TEST_CASE("herd: another architecture, no name, no text") {
    CHECK(herd_error("X86 T\n{}") == "t.litmus:1:1: expected 'AArch64' and the name of the test, found 'X86'");
    CHECK_THAT(herd_error("AArch64\n{}"), StartsWith("t.litmus:1:1: the name of the test is missing"));
    CHECK_THAT(herd_error(""), StartsWith("t.litmus:1:1: is empty"));
    CHECK_THAT(herd_error("(* only *) \n"), Contains("is empty"));
}

TEST_CASE("herd: truncated at every stage") {
    CHECK_THAT(herd_error("AArch64 T\n"), Contains("expected '{' and the initial state"));
    CHECK_THAT(herd_error("AArch64 T\n{ x=1;"), StartsWith("t.litmus:2:1: initial state without an end"));
    CHECK_THAT(herd_error("AArch64 T\n{}\n"), Contains("expected the program table"));
    CHECK_THAT(herd_error("AArch64 T\n{}\n P0 "), StartsWith("t.litmus:3:2: row without an end"));
    CHECK(herd_error("AArch64 T\n{}\n P0 ;\n NOP ;\n") ==
          "t.litmus:5:1: expected the final condition (exists, ~exists or forall), found the end of the file");
    CHECK_THAT(herd_error("AArch64 T\n{}\n P0 ;\nexists"), Contains("expected a proposition, found the end"));
    CHECK_THAT(herd_error("AArch64 T\n\"abc\n{}"), StartsWith("t.litmus:2:1: string without an end"));
    CHECK_THAT(herd_error("AArch64 T\n(* abc"), StartsWith("t.litmus:2:1: comment without an end"));
}

TEST_CASE("herd: header lines") {
    CHECK(header_error("what is this") ==
          "t.litmus:2:1: expected Key=Value, a \"string\" or '{', found 'what is this'");
    CHECK_THAT(header_error("Expected=Maybe\nSource=s"),
               StartsWith("t.litmus:2:1: unknown verdict 'Maybe' (Allowed or Forbidden)"));
    CHECK_THAT(header_error("Hash=1\nExpected=Allowed"), StartsWith("t.litmus:3:1: a verdict needs a source"));
    CHECK_THAT(header_error("Hash=1\nHash=2"), StartsWith("t.litmus:3:1: 'Hash' is there twice"));
    CHECK_THAT(header_error("Owner=x=0"), Contains("unknown location 'x'"));
}

TEST_CASE("herd: the initial state") {
    CHECK(init_error("x=1; x=2;") == "t.litmus:2:8: location 'x' is there twice");
    CHECK_THAT(init_error("0:X31=1;"), StartsWith("t.litmus:2:5: 'X31' is no register that can be set"));
    CHECK_THAT(init_error("1:X0=1;"), StartsWith("t.litmus:2:3: there is no thread 1"));
    CHECK_THAT(init_error("64:X0=1;"), StartsWith("t.litmus:2:3: there are 64 threads at most"));
    CHECK_THAT(init_error("0:X0=1; 0:W0=2;"), Contains("register 'W0' of thread 0 is set twice"));
    CHECK_THAT(init_error("0:W0=x;"), Contains("does not fit into 32 bits"));
    CHECK_THAT(init_error("int x=0x100000000;"), Contains("an initial value of 'x' does not fit into its 32 bits"));
    CHECK_THAT(init_error("int x=y;"), Contains("does not fit into its 32 bits"));
    CHECK_THAT(init_error("int a[0];"), Contains("expected 1 to 4096 elements"));
    CHECK_THAT(init_error("int a[5000];"), Contains("expected 1 to 4096 elements"));
    CHECK_THAT(init_error("int a[1]={1,2};"), Contains("more values than the 1 elements"));
    CHECK_THAT(init_error("float x;"), StartsWith("t.litmus:2:9: expected ';', found 'x'"));
    CHECK_THAT(init_error("x=;"), Contains("expected a value, found ';'"));
}

TEST_CASE("herd: the program table") {
    CHECK_THAT(herd_error("AArch64 T\n{}\n P0 | P2 ;\n"), StartsWith("t.litmus:3:7: expected P1, found 'P2'"));
    CHECK_THAT(herd_error("AArch64 T\n{}\n P0 | P1 ;\n NOP ;\nexists true"),
               StartsWith("t.litmus:4:2: a row of 1 cells for 2 threads"));
    CHECK(herd_error("AArch64 T\n{}\n P0 | P1 ;\n NOP | LDX X0,[X1] ;\nexists true") ==
          "t.litmus:4:8: 'LDX X0,[X1]': unknown instruction (did you mean 'ldp'?)");
    CHECK_THAT(herd_error("AArch64 T\n{}\n P0 ;\n B far ;\nexists true"),
               StartsWith("t.litmus:4:4: 'B far': unknown label 'far'"));
}

TEST_CASE("herd: the end of a test") {
    CHECK(end_error("exists (y=1)") == "t.litmus:5:9: unknown location 'y' (did you mean 'x'?)");
    CHECK_THAT(end_error("exists (1:X0=1)"), StartsWith("t.litmus:5:9: there is no thread 1"));
    CHECK_THAT(end_error("exists (0:Y0=1)"), StartsWith("t.litmus:5:11: 'Y0' is no register"));
    CHECK_THAT(end_error("exists (a=1)"), Contains("an element of the array is meant"));
    CHECK_THAT(end_error("exists (a[2]=1)"), Contains("the index is out of range: there are 2 elements"));
    CHECK_THAT(end_error("exists (x=1"), Contains("expected ')', found the end of the condition"));
    CHECK_THAT(end_error("exists (x>1)"), StartsWith("t.litmus:5:10: expected '=' or '!=', found '>'"));
    CHECK_THAT(end_error("exists (x=1) (x=2)"), StartsWith("t.litmus:5:14: expected '/\\', '\\/' or the end"));
    CHECK_THAT(end_error("exists (x=0x1ffffffff)"), Contains("does not fit into 32 bits"));
    CHECK_THAT(end_error("exists (0:W0=x)"), Contains("does not fit into 32 bits"));
    CHECK_THAT(end_error("filter (x=1)\nexists (x=1)"), StartsWith("t.litmus:5:1: 'filter' is not supported"));
    CHECK_THAT(end_error("locations [x;\nexists (x=1)"), Contains("list of locations without an end"));
    CHECK_THAT(end_error("locations [z;]\nexists (x=1)"), StartsWith("t.litmus:5:12: unknown location 'z'"));
}

TEST_CASE("conditions nest a hundred deep and no deeper") {
    const std::string fine(deepest_condition, '(');
    const std::string fine_end(deepest_condition, ')');
    CHECK(end_error("exists " + fine + "x=1" + fine_end) == "no error");
    CHECK_THAT(end_error("exists (" + fine + "x=1" + fine_end + ")"), Contains("within each other"));
    CHECK_THAT(end_error("exists " + std::string(100'000, '~') + "x=1"), Contains("within each other"));
}

TEST_CASE("herd: files that are large within the limit are read or refused at once") {
    const auto filled = [](const std::string& before, const std::string& part, const std::string& after) {
        std::string text = before;
        while (text.size() + part.size() + after.size() < largest_file) text += part;
        return herd_error(text + after);
    };
    const std::string head = "AArch64 T\n{ int x; int a[4096]; }\n P0 ;\n";
    CHECK(filled(head + " NOP ;\nlocations [", "a;", "]\nexists true") == "no error");
    CHECK(filled(head + " NOP ;\nexists ", "x=1 /\\ ", "true") == "no error");
    CHECK(filled(head, ";", "\nexists true") == "no error");
    CHECK_THAT(filled(head, "NOP;", ""), Contains("more than 4096 instructions"));
    CHECK_THAT(filled(head, "l:", ""), Contains("row without an end"));
    CHECK_THAT(filled("AArch64 T\n", "(*", ""), Contains("comment without an end"));
    CHECK_THAT(filled("AArch64 T\n{", "{", ""), Contains("initial state without an end"));
    CHECK_THAT(filled(head + " NOP ;\nexists ", "(", ""), Contains("within each other"));
}

TEST_CASE("herd: huge and binary files") {
    CHECK_THAT(herd_error(std::string(largest_file + 1, ' ')), Contains("is larger than 1048576 bytes"));
    CHECK_THAT(herd_error(std::string("AArch64 T\n{\0}", 13)), StartsWith("t.litmus:2:2: a NUL character"));
}
