// What is read from isla's format.
#include "litmus_fixture.h"

using namespace gicsim;
using namespace gicsim::litmus;

namespace {

const std::string interrupted = R"toml(arch = "AArch64"
name = "MP+dmb+int"
hash = "12"
symbolic = ["x", "y"]

page_table_setup = """
    physical pa1 pa2;
    x |-> pa1; // the payload
    y |-> pa2;
    identity 0x1000 with code;
    *pa1 = 3;
"""

[types]
y = "uint32_t"

[thread.0]
init = { X1 = "x", W3 = "-1" }
code = """
    STR X0,[X1]
    DMB SY
"""

[thread.1]
init = {}
code = """
    LDR X0,[X1]
    CBNZ X0,0f
0:
here:
    NOP
"""

[thread.1.reset]
R1 = "y"
R2 = "bvor(extz(0x10, 64), bvshl(0b1, 4))"
R3 = "exts(0xff, 64)"
R4 = "extz(y, 64)"
R5 = "bvadd(x, 8)"
ELR_EL1 = "again:"
VBAR_EL1 = "extz(0x1000, 64)"
"PSTATE.SP" = "0b0"
"PSTATE.EL" = "0b00"
PSTATE.I = "0b1"

[[thread.1.interrupt]]
at = "here"
intid = 7

[section.thread1_el1_handler]
address = "0x1480"
code = """
    LDR X2,[X3]
again:
    ERET
"""

[owner]
y = 1

[expected]
verdict = "allowed"
source = "nothing orders the loads"

[final]
expect = "sat"
assertion = "1:X0=1 & (1:R2 = 0 | ~(*x = extz(0x2, 64))) & true"
)toml";

LitmusTest read(const std::string& text = interrupted) {
    return read_isla(text, "t.litmus.toml");
}

}  // namespace

TEST_CASE("isla: name, locations, types, initial values and owner") {
    const LitmusTest test = read();
    CHECK(test.name == "MP+dmb+int");
    CHECK(test.family == "MP");
    CHECK(test.info.at("hash") == "12");
    REQUIRE(test.locations.size() == 2);
    CHECK(test.locations[0].element_size == 8);
    CHECK(test.locations[0].initial[0].number == 3);
    CHECK(test.locations[1].element_size == 4);
    CHECK(test.locations[1].owner == 1u);
}

TEST_CASE("isla: programs, with the place of every instruction in the file") {
    const LitmusTest test = read();
    REQUIRE(test.threads.size() == 2);
    const Instruction& barrier = test.threads[0].program.instructions.at(1);
    CHECK(barrier.opcode == Opcode::barrier);
    CHECK(barrier.position.line == 21);
    CHECK(barrier.position.column == 5);
    CHECK(test.threads[1].program.instructions.at(1).target == 2);
}

TEST_CASE("isla: init and reset set registers, PSTATE and system registers") {
    const LitmusTest test = read();
    const auto reg = [&test](unsigned thread, unsigned number) {
        for (const InitialRegister& initial : test.threads[thread].registers) {
            if (initial.reg.number == number) return initial.value;
        }
        return Value{no_location, 999};
    };
    CHECK(reg(0, 1) == Value{0, 0});
    CHECK(reg(0, 3) == Value{no_location, 0xffff'ffff});
    CHECK(reg(1, 1) == Value{1, 0});
    CHECK(reg(1, 2) == Value{no_location, 0x10});
    CHECK(reg(1, 3) == Value{no_location, UINT64_MAX});
    CHECK(reg(1, 4) == Value{1, 0});
    CHECK(reg(1, 5) == Value{0, 8});
    const Thread& thread = test.threads[1];
    CHECK(thread.vector_base() == 0x1000u);
    CHECK(thread.pstate.exception_level == 0);
    CHECK(thread.pstate.uses_sp_el0);
    CHECK(thread.pstate.masks_irq);
    CHECK_FALSE(thread.pstate.masks_fiq);
    CHECK(test.threads[0].pstate.exception_level == 1);
}

TEST_CASE("isla: handlers belong to the thread in their name, labels in them have addresses") {
    const LitmusTest test = read();
    CHECK(test.threads[0].handlers.empty());
    REQUIRE(test.threads[1].handlers.size() == 1);
    const Handler& handler = test.threads[1].handlers[0];
    CHECK(handler.program.address == 0x1480);
    CHECK(handler.program.instructions.size() == 2);
    for (const InitialSystemRegister& initial : test.threads[1].system_registers) {
        if (initial.reg == SystemRegister::ELR_EL1) CHECK(initial.value.number == 0x1484);
    }
}

TEST_CASE("isla: a handler of no thread's name belongs to all") {
    std::string text = interrupted;
    text.replace(text.find("thread1_el1_handler"), 19, "common");
    const LitmusTest test = read(text);
    CHECK(test.threads[0].handlers.size() == 1);
    CHECK(test.threads[1].handlers.size() == 1);
}

TEST_CASE("isla: injected interrupts") {
    const LitmusTest test = read();
    REQUIRE(test.threads[1].interrupts.size() == 1);
    CHECK(test.threads[1].interrupts[0].instruction == 2);
    CHECK(test.threads[1].interrupts[0].intid == 7u);
}

TEST_CASE("isla: assertion and verdict") {
    const LitmusTest test = read();
    CHECK(to_string(test, test.condition.expression) == "1:X0=1 /\\ (1:X2=0 \\/ not (x=2)) /\\ true");
    CHECK(test.condition.quantifier == Quantifier::exists);
    CHECK(test.expected.verdict == Verdict::allowed);
    CHECK(test.expected.source == "nothing orders the loads");
}

TEST_CASE("isla: expect = unsat asks for nothing of the kind") {
    std::string text = interrupted;
    text.replace(text.find("\"sat\""), 5, "\"unsat\"");
    CHECK(read(text).condition.quantifier == Quantifier::not_exists);
}

TEST_CASE("isla: line ends of DOS and a byte order mark change nothing") {
    std::string dos = "\xEF\xBB\xBF";
    for (const char c : interrupted) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
    const LitmusTest test = read(dos);
    CHECK(test.threads[0].program.instructions.at(1).position.line == 21);
    CHECK(test.threads[0].program.instructions.at(1).position.column == 5);
}
