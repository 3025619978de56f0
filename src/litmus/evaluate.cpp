#include "gicsim/litmus/evaluate.h"

namespace gicsim::litmus {
namespace {

std::uint64_t cut(std::uint64_t value, unsigned bits) {
    return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t sign_extended(std::uint64_t value, unsigned from_bits) {
    const std::uint64_t sign = std::uint64_t{1} << (from_bits - 1);
    return (cut(value, from_bits) ^ sign) - sign;
}

bool top_bit(std::uint64_t value, unsigned bits) {
    return (value >> (bits - 1) & 1) != 0;
}

/// AddWithCarry of the architecture's pseudocode (DDI 0487, J1.3).
DataResult add_with_carry(std::uint64_t a, std::uint64_t b, bool carry, unsigned bits) {
    a = cut(a, bits);
    b = cut(b, bits);
    DataResult result;
    const std::uint64_t sum = a + b + (carry ? 1 : 0);
    result.value = cut(sum, bits);
    const bool wrapped = carry ? sum <= a : sum < a;
    result.flags.carry = bits == 64 ? wrapped : sum >> bits != 0;
    result.flags.overflow = top_bit(a, bits) == top_bit(b, bits) && top_bit(a, bits) != top_bit(result.value, bits);
    return result;
}

std::uint64_t shift_right_arithmetic(std::uint64_t value, unsigned amount, unsigned bits) {
    const auto extended = static_cast<std::int64_t>(sign_extended(value, bits));
    return cut(static_cast<std::uint64_t>(extended >> amount), bits);
}

}  // namespace

bool holds(Condition condition, Flags flags) {
    const auto code = static_cast<unsigned>(condition);
    bool result = true;
    switch (code >> 1) {
        case 0: result = flags.zero; break;
        case 1: result = flags.carry; break;
        case 2: result = flags.negative; break;
        case 3: result = flags.overflow; break;
        case 4: result = flags.carry && !flags.zero; break;
        case 5: result = flags.negative == flags.overflow; break;
        case 6: result = flags.negative == flags.overflow && !flags.zero; break;
        default: return true;  // AL and NV
    }
    return (code & 1) == 0 ? result : !result;
}

std::uint64_t modified(std::uint64_t value, Modifier modifier, unsigned amount, unsigned bits) {
    switch (modifier) {
        case Modifier::lsl: return cut(value << amount, bits);
        case Modifier::lsr: return cut(value, bits) >> amount;
        case Modifier::asr: return shift_right_arithmetic(value, amount, bits);
        case Modifier::ror: {
            const std::uint64_t whole = cut(value, bits);
            return amount == 0 ? whole : cut(whole >> amount | whole << (bits - amount), bits);
        }
        case Modifier::uxtb: return cut(cut(value, 8) << amount, bits);
        case Modifier::uxth: return cut(cut(value, 16) << amount, bits);
        case Modifier::uxtw: return cut(cut(value, 32) << amount, bits);
        case Modifier::uxtx: return cut(value << amount, bits);
        case Modifier::sxtb: return cut(sign_extended(value, 8) << amount, bits);
        case Modifier::sxth: return cut(sign_extended(value, 16) << amount, bits);
        case Modifier::sxtw: return cut(sign_extended(value, 32) << amount, bits);
        case Modifier::sxtx: return cut(value << amount, bits);
    }
    return value;
}

std::uint64_t value_of(const Operand& operand, std::uint64_t rm, unsigned bits) {
    switch (operand.kind) {
        case Operand::Kind::none: return 0;
        case Operand::Kind::immediate: return cut(operand.immediate, bits);
        case Operand::Kind::reg: return modified(rm, operand.modifier, operand.amount, bits);
    }
    return 0;
}

DataResult compute(const Instruction& instruction, std::uint64_t rn, std::uint64_t operand, Flags flags) {
    const unsigned bits = instruction.bits;
    const auto amount = static_cast<unsigned>(operand & (bits - 1));  // shifts by a register use its low bits only
    DataResult result{0, flags};
    switch (instruction.opcode) {
        case Opcode::move: result.value = operand; break;
        case Opcode::move_keep: {
            const std::uint64_t field = std::uint64_t{0xffff} << instruction.operand.amount;
            result.value = (rn & ~field) | (instruction.operand.immediate << instruction.operand.amount & field);
            break;
        }
        case Opcode::add: result = add_with_carry(rn, operand, false, bits); break;
        case Opcode::sub: result = add_with_carry(rn, ~operand, true, bits); break;
        case Opcode::bit_and: result = {rn & operand, {}}; break;
        case Opcode::bit_clear: result = {rn & ~operand, {}}; break;
        case Opcode::bit_or: result.value = rn | operand; break;
        case Opcode::bit_xor: result.value = rn ^ operand; break;
        case Opcode::shift_left: result.value = modified(rn, Modifier::lsl, amount, bits); break;
        case Opcode::shift_right: result.value = modified(rn, Modifier::lsr, amount, bits); break;
        case Opcode::shift_right_arithmetic: result.value = modified(rn, Modifier::asr, amount, bits); break;
        case Opcode::select: result.value = holds(instruction.condition, flags) ? rn : operand; break;
        case Opcode::select_increment: result.value = holds(instruction.condition, flags) ? rn : operand + 1; break;
        default: break;
    }
    result.value = cut(result.value, bits);
    if (instruction.sets_flags) {
        result.flags.negative = top_bit(result.value, bits);
        result.flags.zero = result.value == 0;
    } else {
        result.flags = flags;
    }
    return result;
}

bool is_taken(const Instruction& instruction, std::uint64_t rt, Flags flags) {
    switch (instruction.opcode) {
        case Opcode::branch: return true;
        case Opcode::branch_condition: return holds(instruction.condition, flags);
        case Opcode::branch_zero: return cut(rt, instruction.bits) == 0;
        case Opcode::branch_not_zero: return cut(rt, instruction.bits) != 0;
        case Opcode::branch_bit_zero: return (rt >> instruction.bit & 1) == 0;
        case Opcode::branch_bit_set: return (rt >> instruction.bit & 1) != 0;
        default: return false;
    }
}

std::uint64_t updated(AtomicKind kind, std::uint64_t old, std::uint64_t operand) {
    switch (kind) {
        case AtomicKind::swap: return operand;
        case AtomicKind::add: return old + operand;
        case AtomicKind::clear_bits: return old & ~operand;
        case AtomicKind::exclusive_or: return old ^ operand;
        case AtomicKind::set_bits: return old | operand;
    }
    return old;
}

}  // namespace gicsim::litmus
