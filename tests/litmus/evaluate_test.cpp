// What data instructions compute.
#include "gicsim/litmus/evaluate.h"

#include "litmus_fixture.h"

using namespace gicsim::litmus;

namespace {

/// The result of an instruction whose first source is `rn` and whose register operand is `rm`.
DataResult run(const char* text, std::uint64_t rn, std::uint64_t rm = 0, Flags flags = {}) {
    const Instruction i = one(text);
    const bool selects = i.opcode == Opcode::select || i.opcode == Opcode::select_increment;
    return compute(i, rn, selects ? rm : value_of(i.operand, rm, i.bits), flags);
}

}  // namespace

TEST_CASE("32-bit results clear the upper half") {
    CHECK(run("ADD W0,W1,#1", 0xffff'ffff).value == 0);
    CHECK(run("SUB W0,W1,#1", 0).value == 0xffff'ffff);
    CHECK(run("MOV W0,W1", 0, 0x1'0000'0002).value == 2);
    CHECK(run("MOVK W0,#0x1234,LSL #16", 0xffff'ffff'0000'5678).value == 0x1234'5678);
}

TEST_CASE("logical and shift instructions") {
    CHECK(run("AND X0,X1,#0xff", 0x1234).value == 0x34);
    CHECK(run("BIC X0,X1,X2", 0xff, 0x0f).value == 0xf0);
    CHECK(run("EOR X0,X1,X1", 7, 7).value == 0);
    CHECK(run("LSL X0,X1,#40", 1).value == std::uint64_t{1} << 40);
    CHECK(run("LSL W0,W1,W2", 1, 33).value == 2);
    CHECK(run("ASR W0,W1,#4", 0x8000'0000).value == 0xf800'0000);
    CHECK(run("ORR X0,X1,X2,ROR #4", 0, 0xf).value == 0xf000'0000'0000'0000);
}

TEST_CASE("extensions") {
    CHECK(run("SXTW X0,W1", 0, 0x8000'0000).value == 0xffff'ffff'8000'0000);
    CHECK(run("UXTW X0,W1", 0, 0xffff'ffff'8000'0000).value == 0x8000'0000);
    CHECK(run("SXTB W0,W1", 0, 0x80).value == 0xffff'ff80);
    CHECK(run("ADD X0,X1,W2,SXTW #2", 100, 0xffff'ffff).value == 96);
}

TEST_CASE("flags of additions and subtractions, in both widths") {
    const Flags equal = run("CMP X0,X1", 5, 5).flags;
    CHECK(equal == Flags{false, true, true, false});
    const Flags less = run("CMP X0,X1", 4, 5).flags;
    CHECK(less == Flags{true, false, false, false});
    CHECK(run("CMP W0,W1", 0x8000'0000, 1).flags == Flags{false, false, true, true});
    CHECK(run("ADDS X0,X1,X2", UINT64_MAX, 1).flags == Flags{false, true, true, false});
    CHECK(run("ADDS X0,X1,X2", INT64_MAX, 1).flags == Flags{true, false, false, true});
    CHECK(run("TST X0,#1", 2).flags == Flags{false, true, false, false});
}

TEST_CASE("an instruction that sets no flags keeps them") {
    const Flags flags{true, false, true, false};
    CHECK(run("ADD X0,X1,#1", UINT64_MAX, 0, flags).flags == flags);
}

TEST_CASE("conditions after a comparison, signed and unsigned") {
    const Flags flags = run("CMP W0,W1", 0xffff'ffff, 1).flags;  // -1 against 1
    CHECK(holds(Condition::lt, flags));
    CHECK(holds(Condition::hi, flags));
    CHECK(holds(Condition::ne, flags));
    CHECK_FALSE(holds(Condition::ge, flags));
    CHECK_FALSE(holds(Condition::cc, flags));
    CHECK(holds(Condition::al, flags));
    CHECK(holds(Condition::nv, flags));
}

TEST_CASE("selects") {
    const Flags zero{false, true, false, false};
    CHECK(run("CSEL X0,X1,X2,EQ", 1, 2, zero).value == 1);
    CHECK(run("CSINC X0,X1,X2,NE", 1, 2, zero).value == 3);
    CHECK(run("CSET W0,EQ", 0, 0, zero).value == 1);
    CHECK(run("CSET W0,NE", 0, 0, zero).value == 0);
}

TEST_CASE("branches are taken by register, bit or flags") {
    const Program program = assemble("l: CBZ W0,l\nCBNZ X0,l\nTBZ X0,#33,l\nTBNZ X0,#33,l\nB.EQ l", "t");
    const std::uint64_t high = std::uint64_t{1} << 33;
    CHECK(is_taken(program.instructions[0], high, {}));  // its lower half is zero
    CHECK(is_taken(program.instructions[1], high, {}));
    CHECK_FALSE(is_taken(program.instructions[2], high, {}));
    CHECK(is_taken(program.instructions[3], high, {}));
    CHECK_FALSE(is_taken(program.instructions[4], 0, {}));
}

TEST_CASE("what atomics leave in memory") {
    CHECK(updated(AtomicKind::swap, 5, 3) == 3);
    CHECK(updated(AtomicKind::add, 5, 3) == 8);
    CHECK(updated(AtomicKind::clear_bits, 5, 4) == 1);
    CHECK(updated(AtomicKind::exclusive_or, 5, 3) == 6);
    CHECK(updated(AtomicKind::set_bits, 5, 2) == 7);
}
