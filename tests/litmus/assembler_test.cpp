// What the assembler makes of each group of instructions.
#include <fmt/format.h>

#include "litmus_fixture.h"

using namespace gicsim;
using namespace gicsim::litmus;

TEST_CASE("registers: numbers, widths, zero register and stack pointer are told apart") {
    const Instruction add = one("ADD X0, SP, X30");
    CHECK(add.rd == Register{0});
    CHECK(add.rn == stack_pointer);
    CHECK(add.operand.rm == Register{30});
    CHECK(add.bits == 64);
    const Instruction narrow = one("add w1, wzr, w2");
    CHECK(narrow.rn == zero_register);
    CHECK(narrow.bits == 32);
    CHECK(to_string(Register{3}, 32) == "w3");
    CHECK(to_string(zero_register) == "xzr");
    CHECK(to_string(stack_pointer) == "sp");
}

TEST_CASE("mnemonics, registers and options in any case, blanks are folded in the text") {
    const Instruction i = one("  lDr   x2 ,[ X3 , w4 , Sxtw ] // load");
    CHECK(i.opcode == Opcode::load);
    CHECK(i.text == "lDr x2 ,[ X3 , w4 , Sxtw ]");
    CHECK(i.position.line == 1);
    CHECK(i.position.column == 3);
}

TEST_CASE("immediates: decimal, hexadecimal, binary, negative, with and without #") {
    CHECK(one("ADD X0,X0,#10").operand.immediate == 10);
    CHECK(one("ADD X0,X0,0x10").operand.immediate == 16);
    CHECK(one("MSR DAIFSet, #0b0010").operand.immediate == 2);
    CHECK(one("MOV X0,#-1").operand.immediate == UINT64_MAX);
    CHECK(one("MOV W0,#-1").operand.immediate == 0xffff'ffff);
}

TEST_CASE("a negative immediate of ADD makes a SUB") {
    const Instruction i = one("ADD X0,X1,#-8");
    CHECK(i.opcode == Opcode::sub);
    CHECK(i.operand.immediate == 8);
}

TEST_CASE("MOV, MOVZ, MOVN: one opcode with the whole value, MOVK keeps the rest") {
    CHECK(one("MOV X0,#0").operand.immediate == 0);
    CHECK(one("MOV X0,#0xffff0000").operand.immediate == 0xffff'0000);
    CHECK(one("MOVZ X0,#0x12,LSL #32").operand.immediate == 0x12'0000'0000);
    CHECK(one("MOVN X0,#0").operand.immediate == UINT64_MAX);
    CHECK(one("MOVN W0,#1").operand.immediate == 0xffff'fffe);
    const Instruction keep = one("MOVK X0,#0x34,LSL #16");
    CHECK(keep.opcode == Opcode::move_keep);
    CHECK(keep.operand.immediate == 0x34);
    CHECK(keep.operand.amount == 16);
    CHECK(one("MOV X1,X2").operand.rm == Register{2});
    CHECK(one("MOV SP,X2").rd == stack_pointer);
}

TEST_CASE("aliases: CMP, CMN, TST, NEG, SXTW, UXTW, CSET, CINC") {
    const Instruction compare = one("CMP W1,#3");
    CHECK(compare.opcode == Opcode::sub);
    CHECK(compare.sets_flags);
    CHECK(compare.rd == zero_register);
    CHECK(one("CMN X1,X2").opcode == Opcode::add);
    CHECK(one("TST X1,#0xff").opcode == Opcode::bit_and);
    CHECK(one("NEG X1,X2").rn == zero_register);
    CHECK(one("SXTW X1,W2").operand.modifier == Modifier::sxtw);
    CHECK(one("UXTW X1,W2").operand.modifier == Modifier::uxtw);
    const Instruction set = one("CSET W0,EQ");
    CHECK(set.opcode == Opcode::select_increment);
    CHECK(set.condition == Condition::ne);
    CHECK(set.rn == zero_register);
    CHECK(one("CINC X0,X1,LO").condition == Condition::cs);
    CHECK(one("CSEL X0,X1,X2,GE").rm == Register{2});
}

TEST_CASE("operands: shifted and extended registers") {
    const Instruction shifted = one("ORR X0,X1,X2,LSL #40");
    CHECK(shifted.operand.modifier == Modifier::lsl);
    CHECK(shifted.operand.amount == 40);
    const Instruction extended = one("ADD X0,X1,W2,UXTW #2");
    CHECK(extended.operand.modifier == Modifier::uxtw);
    CHECK(extended.operand.amount == 2);
    CHECK(one("LSL X0,X1,X2").operand.kind == Operand::Kind::reg);
    CHECK(one("LSR W0,W1,#31").operand.immediate == 31);
}

TEST_CASE("addresses: immediate, register, extended, pre- and post-index") {
    CHECK(one("LDR X0,[X1]").address.offset.kind == Operand::Kind::none);
    CHECK(one("LDR X0,[X1,#8]").address.offset.immediate == 8);
    CHECK(one("LDR X0,[X1,X2,LSL #3]").address.offset.amount == 3);
    CHECK(one("LDR W0,[X1,W2,UXTW]").address.offset.modifier == Modifier::uxtw);
    CHECK(one("LDR W0,[X1,X2,SXTW]").address.offset.modifier == Modifier::sxtw);
    const Instruction pre = one("STR X0,[SP,#-16]!");
    CHECK(pre.address.mode == Address::Mode::pre_index);
    CHECK(pre.address.base == stack_pointer);
    CHECK(static_cast<std::int64_t>(pre.address.offset.immediate) == -16);
    CHECK(one("LDR X0,[X1],#8").address.mode == Address::Mode::post_index);
    CHECK(one("LDUR X0,[X1,#-3]").opcode == Opcode::load);
    const Instruction pair = one("LDP X0,X1,[X2,#16]");
    CHECK(pair.opcode == Opcode::load_pair);
    CHECK(pair.rt2 == Register{1});
}

TEST_CASE("access sizes: X, W, H, B") {
    CHECK(one("STR X0,[X1]").access_size == 8);
    CHECK(one("STR W0,[X1]").access_size == 4);
    CHECK(one("LDRH W0,[X1]").access_size == 2);
    CHECK(one("STLRB W0,[X1]").access_size == 1);
    CHECK(one("CASALH W0,W1,[X2]").access_size == 2);
}

TEST_CASE("acquire, acquire-pc and release") {
    CHECK(one("LDAR X0,[X1]").acquire == Acquire::acquire);
    CHECK(one("LDAPR X0,[X1]").acquire == Acquire::acquire_pc);
    CHECK(one("LDXR X0,[X1]").acquire == Acquire::none);
    CHECK(one("LDAXR X0,[X1]").acquire == Acquire::acquire);
    CHECK(one("STLR X0,[X1]").release);
    CHECK(one("STLXR W2,X0,[X1]").release);
    CHECK_FALSE(one("STXR W2,X0,[X1]").release);
}

TEST_CASE("atomics: every operation with every order") {
    const auto [name, kind] = GENERATE(table<std::string, AtomicKind>({{"SWP", AtomicKind::swap},
                                                                       {"LDADD", AtomicKind::add},
                                                                       {"LDCLR", AtomicKind::clear_bits},
                                                                       {"LDEOR", AtomicKind::exclusive_or},
                                                                       {"LDSET", AtomicKind::set_bits}}));
    for (const std::string order : {"", "A", "L", "AL"}) {
        const Instruction i = one(name + order + " X1,X2,[X3]");
        CHECK(i.opcode == Opcode::atomic);
        CHECK(i.atomic_kind == kind);
        CHECK((i.acquire == Acquire::acquire) == (order.find('A') != std::string::npos));
        CHECK(i.release == (order.find('L') != std::string::npos));
        CHECK(i.rs == Register{1});
        CHECK(i.rt == Register{2});
    }
}

TEST_CASE("an atomic without a destination has no acquire") {
    CHECK(one("LDADDAL X1,XZR,[X3]").acquire == Acquire::none);
    CHECK(one("LDADDAL X1,XZR,[X3]").release);
    const Instruction i = one("STADDL X1,[X3]");
    CHECK(i.rt == zero_register);
    CHECK(i.atomic_kind == AtomicKind::add);
    CHECK(i.release);
}

TEST_CASE("CAS compares with rs and stores rt") {
    const Instruction i = one("CASAL X1,X2,[X3]");
    CHECK(i.opcode == Opcode::compare_and_swap);
    CHECK(i.rs == Register{1});
    CHECK(i.rt == Register{2});
    CHECK(i.acquire == Acquire::acquire);
    CHECK(i.release);
    CHECK_FALSE(one("CASA X1,X2,[X3]").release);
}

TEST_CASE("DMB and DSB with all twelve options") {
    for (const Barrier& barrier : Barrier::all()) {
        if (barrier.kind() == Barrier::Kind::none) continue;
        CHECK(one(barrier.name()).barrier == barrier);
    }
    CHECK(one("ISB").opcode == Opcode::isb);
    CHECK(one("ISB SY").opcode == Opcode::isb);
}

TEST_CASE("system registers by name and by encoding") {
    CHECK(one("MSR ICC_SGI1R_EL1,X0").system_register == SystemRegister::ICC_SGI1R_EL1);
    CHECK(one("MSR S3_0_C12_C11_5, X12").system_register == SystemRegister::ICC_SGI1R_EL1);
    CHECK(one("mrs x4, IAR").system_register == SystemRegister::ICC_IAR1_EL1);
    CHECK(one("msr eoir, x4").system_register == SystemRegister::ICC_EOIR1_EL1);
    CHECK(one("MRS X0,CurrentEL").system_register == SystemRegister::CurrentEL);
    CHECK(one("MSR DAIFClr,#2").opcode == Opcode::clear_interrupt_mask);
    CHECK(icc_register(SystemRegister::ICC_DIR_EL1) == IccRegister::ICC_DIR_EL1);
    CHECK_FALSE(icc_register(SystemRegister::VBAR_EL1));
}

TEST_CASE("every system register is found by its name and by its encoding") {
    for (unsigned n = 0; n < system_register_count; ++n) {
        const auto reg = static_cast<SystemRegister>(n);
        const SystemRegisterEncoding e = encoding(reg);
        CHECK(parse_system_register(name(reg)) == reg);
        const std::string spelt = fmt::format("s{}_{}_c{}_c{}_{}", e.op0, e.op1, e.crn, e.crm, e.op2);
        CHECK(parse_system_register(spelt) == reg);
    }
}

TEST_CASE("the other instructions have an opcode each") {
    CHECK(one("NOP").opcode == Opcode::nop);
    CHECK(one("WFI").opcode == Opcode::wait_for_interrupt);
    CHECK(one("WFE").opcode == Opcode::wait_for_event);
    CHECK(one("SEV").opcode == Opcode::send_event);
    CHECK(one("SEVL").opcode == Opcode::send_event_local);
    CHECK(one("ERET").opcode == Opcode::exception_return);
    CHECK(one("SVC #7").operand.immediate == 7);
}

TEST_CASE("branches: both spellings, labels before and behind, the end of the section") {
    const Program program = assemble("top: CBZ X0,end\nTBNZ W1,#3,top\nB.NE mid\nmid: BEQ top\nB end\nend:", "t");
    REQUIRE(program.instructions.size() == 5);
    CHECK(program.instructions[0].target == 5);
    CHECK(program.instructions[1].target == 0);
    CHECK(program.instructions[1].bit == 3);
    CHECK(program.instructions[2].condition == Condition::ne);
    CHECK(program.instructions[2].target == 3);
    CHECK(program.instructions[3].opcode == Opcode::branch_condition);
    CHECK(program.labels.at("end") == 5);
    CHECK(program.address_of(2) == 8);
}

TEST_CASE("local labels: 1b is the last one, 1f the next") {
    const Program program = assemble("1: NOP\nCBNZ X0,1f\nB 1b\n1: B 1b\n", "t");
    CHECK(program.instructions[1].target == 3);
    CHECK(program.instructions[2].target == 0);
    CHECK(program.instructions[3].target == 3);
}

TEST_CASE("comments of four kinds and several instructions on a line") {
    const Program program =
        assemble("NOP // one\n/* two\n lines */ ISB (* a (* b *) c *) ; NOP\n\n  WFI", "t", {10, 5});
    REQUIRE(program.instructions.size() == 4);
    CHECK(program.instructions[0].position.line == 10);
    CHECK(program.instructions[0].position.column == 5);
    CHECK(program.instructions[1].position.line == 12);
    CHECK(program.instructions[1].position.column == 11);
    CHECK(program.instructions[3].position.column == 3);
}

TEST_CASE("branches: .+8 and .-4 are so many bytes further on or back") {
    const Program program = assemble("NOP\nB .+8\nNOP\nCBZ X0, .-12\nNOP\nB.EQ .+4\n", "t");
    CHECK(program.instructions[1].target == 3);
    CHECK(program.instructions[3].target == 0);
    CHECK(program.instructions[5].target == 6);
}
