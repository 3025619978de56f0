// Mnemonics of data processing.
#include <fmt/core.h>

#include <bit>

#include "instruction_parser.h"

namespace gicsim::litmus {
namespace {

/// Whether AND, ORR and EOR can encode it: a rotated run of ones, repeated (DDI 0487, C6.2, DecodeBitMasks).
bool is_bitmask_immediate(std::uint64_t value, unsigned bits) {
    if (bits == 32) value = (value & 0xffff'ffff) | value << 32;
    if (value == 0 || value == UINT64_MAX) return false;
    unsigned size = 64;
    while (size > 2 && std::rotr(value, static_cast<int>(size / 2)) == value) size /= 2;
    const std::uint64_t mask = size == 64 ? UINT64_MAX : (std::uint64_t{1} << size) - 1;
    std::uint64_t element = value & mask;
    const auto ones = static_cast<unsigned>(std::popcount(element));
    const std::uint64_t run = ones == 64 ? UINT64_MAX : (std::uint64_t{1} << ones) - 1;
    for (unsigned rotation = 0; rotation < size; ++rotation) {
        if (element == run) return true;
        element = (element >> 1 | element << (size - 1)) & mask;
    }
    return false;
}

/// An immediate of the register's width: a negative one is taken as its two's complement.
std::uint64_t data_immediate(OperandParser& operands, unsigned bits) {
    const std::uint64_t value = operands.any_immediate();
    if (bits == 64) return value;
    const bool fits = value <= 0xffff'ffff || value >= 0xffff'ffff'8000'0000;
    if (!fits) operands.fail("does not fit into 32 bits");
    return value & 0xffff'ffff;
}

Operand immediate_operand(std::uint64_t value) {
    Operand operand;
    operand.kind = Operand::Kind::immediate;
    operand.immediate = value;
    return operand;
}

/// The last operand of ADD and SUB: a register, or 12 bits that may be shifted by 12. A negative immediate makes the
/// opposite instruction, as assemblers do.
void read_add_operand(OperandParser& operands, Instruction& i) {
    if (operands.register_follows()) {
        i.operand = operands.shifted_or_extended_register(i.bits);
        const bool extended = i.operand.modifier >= Modifier::uxtb || i.operand.modifier == Modifier::lsl;
        if (!extended && (i.rd.is_stack_pointer() || i.rn.is_stack_pointer())) {
            operands.fail("the stack pointer cannot stand beside a shifted register");
        }
        return;
    }
    std::uint64_t value = operands.any_immediate();
    if (static_cast<std::int64_t>(value) < 0) {
        value = ~value + 1;
        i.opcode = i.opcode == Opcode::add ? Opcode::sub : Opcode::add;
    }
    const unsigned shift = operands.left_shift(12, 24);
    const bool encodable = value <= 0xfff || (shift == 0 && (value & 0xfff) == 0 && value <= 0xfff'000);
    if (!encodable) operands.fail("the immediate has more than 12 bits");
    if (i.rn.is_zero()) operands.fail("with an immediate, the zero register cannot stand here");
    i.operand = immediate_operand(value << shift);
}

void read_logical_operand(OperandParser& operands, Instruction& i, bool immediate_allowed) {
    if (operands.register_follows()) {
        i.operand = operands.shifted_register(i.bits, true);
        return;
    }
    const std::uint64_t value = data_immediate(operands, i.bits);
    if (!immediate_allowed) operands.fail("expected a register");
    if (!is_bitmask_immediate(value, i.bits)) operands.fail("is no immediate of a logical instruction");
    i.operand = immediate_operand(value);
}

Opcode data_opcode(std::string_view mnemonic) {
    if (mnemonic.starts_with("add") || mnemonic == "cmn") return Opcode::add;
    if (mnemonic.starts_with("sub") || mnemonic == "cmp" || mnemonic == "neg") return Opcode::sub;
    if (mnemonic.starts_with("and") || mnemonic == "tst") return Opcode::bit_and;
    if (mnemonic.starts_with("bic")) return Opcode::bit_clear;
    if (mnemonic == "orr") return Opcode::bit_or;
    if (mnemonic == "eor") return Opcode::bit_xor;
    if (mnemonic == "lsl") return Opcode::shift_left;
    if (mnemonic == "lsr") return Opcode::shift_right;
    return Opcode::shift_right_arithmetic;
}

void read_add(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = data_opcode(mnemonic);
    i.sets_flags = mnemonic.ends_with('s');
    const SizedRegister rd = i.sets_flags ? operands.general_register() : operands.any_register();
    i.rd = rd.reg;
    i.bits = rd.bits;
    operands.comma();
    i.rn = operands.any_register(i.bits);
    operands.comma();
    read_add_operand(operands, i);
    if (i.operand.kind == Operand::Kind::immediate && i.rd.is_zero() && !i.sets_flags) {
        operands.fail("with an immediate, the zero register cannot be the destination");
    }
}

void read_compare(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = data_opcode(mnemonic);
    i.sets_flags = true;
    const SizedRegister rn = operands.any_register();
    i.rn = rn.reg;
    i.bits = rn.bits;
    operands.comma();
    read_add_operand(operands, i);
}

void read_negate(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = data_opcode(mnemonic);
    const SizedRegister rd = operands.general_register();
    i.rd = rd.reg;
    i.bits = rd.bits;
    operands.comma();
    i.operand = operands.shifted_register(i.bits, false);
}

void read_logical(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = data_opcode(mnemonic);
    i.sets_flags = mnemonic == "ands" || mnemonic == "bics";
    const SizedRegister rd = operands.general_register();
    i.rd = rd.reg;
    i.bits = rd.bits;
    operands.comma();
    i.rn = operands.general_register(i.bits);
    operands.comma();
    read_logical_operand(operands, i, i.opcode != Opcode::bit_clear);
}

void read_test(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = data_opcode(mnemonic);
    i.sets_flags = true;
    const SizedRegister rn = operands.general_register();
    i.rn = rn.reg;
    i.bits = rn.bits;
    operands.comma();
    read_logical_operand(operands, i, true);
}

void read_shift(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = data_opcode(mnemonic);
    const SizedRegister rd = operands.general_register();
    i.rd = rd.reg;
    i.bits = rd.bits;
    operands.comma();
    i.rn = operands.general_register(i.bits);
    operands.comma();
    if (operands.register_follows()) {
        i.operand.kind = Operand::Kind::reg;
        i.operand.rm = operands.general_register(i.bits);
    } else {
        i.operand = immediate_operand(operands.immediate(i.bits - 1U));
    }
}

void read_move(OperandParser& operands, ParsedInstruction& parsed, std::string_view) {
    Instruction& i = parsed.instruction;
    i.opcode = Opcode::move;
    const SizedRegister rd = operands.any_register();
    i.rd = rd.reg;
    i.bits = rd.bits;
    operands.comma();
    if (operands.register_follows()) {
        i.operand.kind = Operand::Kind::reg;
        i.operand.rm = operands.any_register(i.bits);
        const bool both =
            (i.rd.is_stack_pointer() && i.operand.rm.is_zero()) || (i.operand.rm.is_stack_pointer() && i.rd.is_zero());
        if (both) operands.fail("no MOV has both the stack pointer and the zero register");
        return;
    }
    const std::uint64_t value = data_immediate(operands, i.bits);
    const std::uint64_t inverse = i.bits == 64 ? ~value : ~value & 0xffff'ffff;
    const auto one_halfword = [](std::uint64_t number) {
        return number == 0 || (number >> (std::countr_zero(number) / 16 * 16)) <= 0xffff;
    };
    const bool wide = one_halfword(value) || one_halfword(inverse);
    if (!wide && !is_bitmask_immediate(value, i.bits)) {
        operands.fail("no single MOV holds this value", "use MOVZ and MOVK");
    }
    if (i.rd.is_stack_pointer() && !is_bitmask_immediate(value, i.bits)) operands.fail("no MOV to SP holds this value");
    i.operand = immediate_operand(value);
}

void read_move_wide(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    const SizedRegister rd = operands.general_register();
    i.rd = rd.reg;
    i.bits = rd.bits;
    operands.comma();
    const std::uint64_t value = operands.immediate(0xffff);
    const unsigned shift = operands.left_shift(16, i.bits);
    if (mnemonic == "movk") {
        i.opcode = Opcode::move_keep;
        i.operand = immediate_operand(value);
        i.operand.amount = static_cast<std::uint8_t>(shift);
        return;
    }
    i.opcode = Opcode::move;
    const std::uint64_t shifted = value << shift;
    const std::uint64_t inverse = i.bits == 64 ? ~shifted : ~shifted & 0xffff'ffff;
    i.operand = immediate_operand(mnemonic == "movn" ? inverse : shifted);
}

void read_extend(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = Opcode::move;
    const SizedRegister rd = operands.general_register();
    i.rd = rd.reg;
    i.bits = rd.bits;
    const bool is_signed = mnemonic.front() == 's';
    if (mnemonic == "sxtw" && i.bits != 64) operands.fail("expected an X register");
    operands.comma();
    i.operand.kind = Operand::Kind::reg;
    i.operand.rm = operands.general_register(32);
    switch (mnemonic.back()) {
        case 'b': i.operand.modifier = is_signed ? Modifier::sxtb : Modifier::uxtb; break;
        case 'h': i.operand.modifier = is_signed ? Modifier::sxth : Modifier::uxth; break;
        default: i.operand.modifier = is_signed ? Modifier::sxtw : Modifier::uxtw; break;
    }
}

Condition inverted(Condition condition) {
    return static_cast<Condition>(static_cast<unsigned>(condition) ^ 1);
}

void read_select(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    const bool short_form = mnemonic == "cset" || mnemonic == "cinc";
    i.opcode = mnemonic == "csel" ? Opcode::select : Opcode::select_increment;
    const SizedRegister rd = operands.general_register();
    i.rd = rd.reg;
    i.bits = rd.bits;
    operands.comma();
    if (mnemonic != "cset") {
        i.rn = operands.general_register(i.bits);
        i.rm = i.rn;
        operands.comma();
    }
    if (!short_form) {
        i.rm = operands.general_register(i.bits);
        operands.comma();
    }
    i.condition = operands.condition();
    if (!short_form) return;
    if (i.condition >= Condition::al) operands.fail("AL and NV cannot stand here");
    i.condition = inverted(i.condition);
}

}  // namespace

std::vector<Mnemonic> data_mnemonics() {
    std::vector<Mnemonic> list;
    const auto add = [&list](std::initializer_list<const char*> names, OperandReader read) {
        for (const char* name : names) list.push_back({name, read});
    };
    add({"add", "adds", "sub", "subs"}, read_add);
    add({"cmp", "cmn"}, read_compare);
    add({"neg"}, read_negate);
    add({"and", "ands", "orr", "eor", "bic", "bics"}, read_logical);
    add({"tst"}, read_test);
    add({"lsl", "lsr", "asr"}, read_shift);
    add({"mov"}, read_move);
    add({"movz", "movn", "movk"}, read_move_wide);
    add({"sxtb", "sxth", "sxtw", "uxtb", "uxth", "uxtw"}, read_extend);
    add({"csel", "csinc", "cset", "cinc"}, read_select);
    return list;
}

}  // namespace gicsim::litmus
