// What is read from herd's format.
#include "litmus_fixture.h"

using namespace gicsim;
using namespace gicsim::litmus;

namespace {

const std::string message_passing = R"(AArch64 MP+dmb.st+addr
"Message passing" (* not the title *)
Expected=Forbidden
Source=DDI 0487 B2.3: both sides are ordered
Owner=x=1, y=0
Hash=0123 abc
{
0:X1=x; 0:X3=y;
1:X1=y; 1:X3=x;
}
 P0          | P1                  ;
 MOV W0,#1   | LDR W0,[X1]         ;
 STR W0,[X1] | EOR W4,W0,W0        ;
 DMB ST      | LDR W2,[X3,W4,SXTW] ;
 STR W0,[X3] |                     ;
exists (1:W0=1 /\ 1:W2=0)
)";

LitmusTest read(const std::string& text) {
    return read_herd(text, "t.litmus");
}

LitmusTest with_init(const std::string& init, const std::string& row = " NOP | NOP ;") {
    return read(herd_text(init, row, "exists (true)"));
}

/// The condition as gicsim would write it.
std::string condition(const std::string& text, const std::string& init = "x; y; int a[2];") {
    const LitmusTest test = read(herd_text(init, " NOP | NOP ;", text));
    return std::string(to_string(test.condition.quantifier)) + " " + to_string(test, test.condition.expression);
}

}  // namespace

TEST_CASE("herd: name, family, strings, information and verdict") {
    const LitmusTest test = read(message_passing);
    CHECK(test.name == "MP+dmb.st+addr");
    CHECK(test.family == "MP");
    CHECK(test.description == "Message passing");
    CHECK(test.expected.verdict == Verdict::forbidden);
    CHECK(test.expected.source == "DDI 0487 B2.3: both sides are ordered");
    CHECK(test.expected.origin.to_string() == "t.litmus:3:1");
    CHECK(test.info.at("Hash") == "0123 abc");
    CHECK(test.locations[0].owner == 1u);
    CHECK(test.locations[1].owner == 0u);
}

TEST_CASE("herd: programs by column, with the place of every instruction") {
    const LitmusTest test = read(message_passing);
    REQUIRE(test.threads.size() == 2);
    CHECK(test.threads[0].program.instructions.size() == 4);
    REQUIRE(test.threads[1].program.instructions.size() == 3);
    CHECK(test.threads[1].program.instructions[1].text == "EOR W4,W0,W0");
    CHECK(test.threads[1].program.instructions[1].position.line == 13);
    CHECK(test.threads[1].program.instructions[1].position.column == 16);
    CHECK(test.threads[0].program.address != test.threads[1].program.address);
}

TEST_CASE("herd: initial registers hold numbers and addresses") {
    const LitmusTest test = with_init("0:X1=x; 1:W2=-1; uint64_t 1:X3=0x10; 1:SP=x; 1:X4;");
    CHECK(test.threads[0].registers[0].value == Value{0, 0});
    CHECK(test.threads[1].registers[0].value == Value{no_location, 0xffff'ffff});
    CHECK(test.threads[1].registers[1].value == Value{no_location, 16});
    CHECK(test.threads[1].registers[2].reg == stack_pointer);
    CHECK(test.threads[1].registers[3].value == Value{});
}

TEST_CASE("herd: locations with types, arrays and addresses in them") {
    const LitmusTest test = with_init("int x=1; uint64_t z; int a[3]={0,1}; uint8_t b=-1; int* p=x; [q]=2;");
    CHECK(test.locations[0].element_size == 4);
    CHECK(test.locations[0].initial == std::vector<Value>{{no_location, 1}});
    CHECK(test.locations[1].element_size == 8);
    CHECK(test.locations[2].initial == std::vector<Value>{{}, {no_location, 1}, {}});
    CHECK(test.locations[2].size() == 12);
    CHECK(test.locations[3].initial[0].number == 0xff);
    CHECK(test.locations[4].element_size == 8);
    CHECK(test.locations[4].initial[0] == Value{0, 0});
    CHECK(test.locations[5].name == "q");
}

TEST_CASE("herd: a location without a type is as wide as the widest access") {
    CHECK(with_init("x=1;", " LDR W0,[X1] | NOP ;").locations[0].element_size == 4);
    CHECK(with_init("x=1;", " LDR W0,[X1] | STR X0,[X1] ;").locations[0].element_size == 8);
    CHECK(with_init("x=y;").locations[0].element_size == 8);
    CHECK(with_init("x=0x100000000;").locations[0].element_size == 8);
}

TEST_CASE("herd: a name on the right declares a location that is 0") {
    const LitmusTest test = with_init("0:X1=x; x=3; 0:X2=y;");
    CHECK(test.locations[0].initial[0].number == 3);
    CHECK(test.locations[1].name == "y");
    CHECK(test.locations[1].initial[0].number == 0);
}

TEST_CASE("herd: conditions of every form") {
    CHECK(condition("exists (0:X1=1 /\\ 1:W2=0x10)") == "exists 0:X1=1 /\\ 1:W2=16");
    CHECK(condition("~exists (x=1 \\/ [y]=2 /\\ a[1]=3)") == "~exists x=1 \\/ (y=2 /\\ a[1]=3)");
    CHECK(condition("forall (not (x!=1) => ~y=0)") == "forall not (not (x!=1)) \\/ not (y=0)");
    CHECK(condition("exists (0:X1=x /\\ 0:X2=a[1])") == "exists 0:X1=x /\\ 0:X2=a+4");
    CHECK(condition("exists true") == "exists true");
    CHECK(condition("exists (x=-1)") == "exists x=0xffffffff");
    CHECK(condition("forall false (* the end *)") == "forall false");
}

TEST_CASE("herd: observables are those of the condition, then the listed ones, each once") {
    const LitmusTest test =
        read(herd_text("x; int a[2];", " NOP | NOP ;", "locations [x; 1:X2; a; 0:X1;]\nexists (0:X1=1 /\\ 0:X1=2)"));
    REQUIRE(test.observables.size() == 5);
    CHECK(to_string(test, test.observables[0]) == "0:X1");
    CHECK(to_string(test, test.observables[1]) == "x");
    CHECK(to_string(test, test.observables[2]) == "1:X2");
    CHECK(to_string(test, test.observables[3]) == "a[0]");
    CHECK(to_string(test, test.observables[4]) == "a[1]");
}

TEST_CASE("conditions are evaluated on final states, forall asks for the states in which it fails") {
    const LitmusTest test = read(herd_text("x;", " NOP | NOP ;", "forall (0:X1=1 \\/ x=2)"));
    const FinalState good{{{no_location, 1}, {no_location, 0}}};
    const FinalState bad{{{no_location, 0}, {no_location, 0}}};
    CHECK(evaluate(test.condition.expression, good));
    CHECK_FALSE(evaluate(test.condition.expression, bad));
    CHECK_FALSE(is_asked_for(test.condition, good));
    CHECK(is_asked_for(test.condition, bad));
    CHECK(to_string(test, bad) == "0:X1=0; x=0;");
}

TEST_CASE("addresses become symbolic, so that a state does not depend on the placement") {
    const LitmusTest test = with_init("int x; int a[4];");
    const std::vector<std::uint64_t> addresses{0x1000, 0x2000};
    CHECK(symbolic_value(test, addresses, 0x1000) == Value{0, 0});
    CHECK(symbolic_value(test, addresses, 0x2008) == Value{1, 8});
    CHECK(symbolic_value(test, addresses, 0x2010) == Value{no_location, 0x2010});
    CHECK(symbolic_value(test, addresses, 7) == Value{no_location, 7});
}

TEST_CASE("herd: line ends of DOS and a byte order mark change nothing") {
    std::string dos = "\xEF\xBB\xBF";
    for (const char c : message_passing) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
    const LitmusTest test = read(dos);
    CHECK(test.name == "MP+dmb.st+addr");
    CHECK(test.expected.verdict == Verdict::forbidden);
    CHECK(test.threads[1].program.instructions[1].position.column == 16);
    CHECK(test.condition.text == "exists (1:W0=1 /\\ 1:W2=0)");
}

TEST_CASE("herd: up to 64 threads") {
    std::string header = "P0";
    std::string row = "NOP";
    for (std::size_t i = 1; i < most_threads; ++i) {
        header += "|P" + std::to_string(i);
        row += "|NOP";
    }
    const std::string end = "\nexists true";
    CHECK(read("AArch64 T\n{}\n" + header + ";\n" + row + ";" + end).threads.size() == 64);
    CHECK(herd_error("AArch64 T\n{}\n" + header + "|P64;\n" + row + "|NOP;" + end).find("more than 64 threads") !=
          std::string::npos);
}

TEST_CASE("families: a shape may begin with a number and hold a '+'") {
    CHECK(family_of("MP+dmb.st+addr") == "MP");
    CHECK(family_of("2+2W+pos") == "2+2W");
    CHECK(family_of("2+2W") == "2+2W");
    CHECK(family_of("CoRR") == "CoRR");
}

TEST_CASE("herd: a final condition may end with a semicolon, and Needs says what the core lacks") {
    const LitmusTest test =
        read_herd("AArch64 t\nExpected=Allowed\nSource=s\nNeeds=split-rmw\n{ x=0; }\n P0 ;\n NOP ;\nexists (x=0) ;\n",
                  "t.litmus");
    CHECK(test.observables.size() == 1);
    CHECK(test.expected.needs_split_rmw);
    CHECK(test.info.empty());
    CHECK_THROWS_AS(
        read_herd("AArch64 t\nExpected=Allowed\nSource=s\nNeeds=luck\n{ x=0; }\n P0 ;\n NOP ;\nexists (x=0)\n",
                  "t.litmus"),
        ConfigError);
}
