// Mnemonics that access memory.
#include <fmt/core.h>

#include <array>
#include <utility>

#include "instruction_parser.h"

namespace gicsim::litmus {
namespace {

/// Bytes by the last letter of the mnemonic: 1 for B, 2 for H, else by the register.
unsigned access_size(std::string_view mnemonic, unsigned bits) {
    if (mnemonic.back() == 'b') return 1;
    if (mnemonic.back() == 'h') return 2;
    return bits / 8;
}

/// The register that is loaded or stored, and with it the width and the size of the access.
Register transferred(OperandParser& operands, Instruction& i, std::string_view mnemonic) {
    const SizedRegister rt = operands.general_register();
    const bool narrow = mnemonic.back() == 'b' || mnemonic.back() == 'h';
    if (narrow && rt.bits != 32) operands.fail("expected a W register");
    i.bits = rt.bits;
    i.access_size = static_cast<std::uint8_t>(access_size(mnemonic, rt.bits));
    return rt.reg;
}

void refuse_unpredictable_writeback(OperandParser& operands, const Instruction& i, bool pair) {
    if (i.address.mode == Address::Mode::offset) return;
    if (i.address.base == i.rt || (pair && i.address.base == i.rt2)) {
        operands.fail("the base is written back and transferred: CONSTRAINED UNPREDICTABLE");
    }
}

void read_plain(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = mnemonic.starts_with("ld") ? Opcode::load : Opcode::store;
    i.rt = transferred(operands, i, mnemonic);
    operands.comma();
    const bool unscaled = mnemonic.substr(2, 2) == "ur";
    i.address = operands.address(unscaled ? 1 : i.access_size);
    if (unscaled) {
        const auto offset = static_cast<std::int64_t>(i.address.offset.immediate);
        const bool plain = i.address.mode == Address::Mode::offset && i.address.offset.kind != Operand::Kind::reg;
        if (!plain || offset < -256 || offset > 255) operands.fail("expected an offset from -256 to 255");
    }
    refuse_unpredictable_writeback(operands, i, false);
}

void read_pair(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = mnemonic == "ldp" ? Opcode::load_pair : Opcode::store_pair;
    i.rt = transferred(operands, i, mnemonic);
    operands.comma();
    i.rt2 = operands.general_register(i.bits);
    if (i.opcode == Opcode::load_pair && i.rt == i.rt2) {
        operands.fail("a pair of one register: CONSTRAINED UNPREDICTABLE");
    }
    operands.comma();
    i.address = operands.pair_address(i.access_size);
    refuse_unpredictable_writeback(operands, i, true);
}

void read_ordered(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = mnemonic.starts_with("ld") ? Opcode::load : Opcode::store;
    i.release = i.opcode == Opcode::store;
    if (mnemonic.starts_with("ldapr")) {
        i.acquire = Acquire::acquire_pc;
    } else if (i.opcode == Opcode::load) {
        i.acquire = Acquire::acquire;
    }
    i.rt = transferred(operands, i, mnemonic);
    operands.comma();
    i.address = operands.plain_address();
}

void read_load_exclusive(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = Opcode::load_exclusive;
    if (mnemonic.starts_with("ldax")) i.acquire = Acquire::acquire;
    i.rt = transferred(operands, i, mnemonic);
    operands.comma();
    i.address = operands.plain_address();
}

void read_store_exclusive(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = Opcode::store_exclusive;
    i.release = mnemonic.starts_with("stlx");
    i.rs = operands.general_register(32);
    operands.comma();
    i.rt = transferred(operands, i, mnemonic);
    operands.comma();
    i.address = operands.plain_address();
    if (!i.rs.is_zero() && (i.rs == i.rt || i.rs == i.address.base)) {
        operands.fail("the status register is used twice: CONSTRAINED UNPREDICTABLE");
    }
}

void read_compare_and_swap(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = Opcode::compare_and_swap;
    const std::string_view order = mnemonic.substr(3);
    if (order.starts_with('a')) i.acquire = Acquire::acquire;
    i.release = order.find('l') != std::string_view::npos;
    i.rs = transferred(operands, i, mnemonic);
    operands.comma();
    i.rt = operands.general_register(i.bits);
    operands.comma();
    i.address = operands.plain_address();
}

constexpr std::array<std::pair<std::string_view, AtomicKind>, 4> operation_names{{
    {"add", AtomicKind::add},
    {"clr", AtomicKind::clear_bits},
    {"eor", AtomicKind::exclusive_or},
    {"set", AtomicKind::set_bits},
}};

void read_atomic(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = Opcode::atomic;
    const bool swap = mnemonic.starts_with("swp");
    const bool returns_nothing = mnemonic.starts_with("st");
    std::string_view order = mnemonic.substr(swap ? 3 : 5);
    if (!swap) {
        for (const auto& [name, kind] : operation_names) {
            if (mnemonic.substr(2, 3) == name) i.atomic_kind = kind;
        }
    }
    i.release = order.find('l') != std::string_view::npos;
    i.rs = transferred(operands, i, mnemonic);
    operands.comma();
    if (!returns_nothing) {
        i.rt = operands.general_register(i.bits);
        operands.comma();
    }
    // Into the zero register an atomic has no acquire semantics (DDI 0487, C6.2, LDADD and SWP).
    if (order.starts_with('a') && !i.rt.is_zero()) i.acquire = Acquire::acquire;
    i.address = operands.plain_address();
}

}  // namespace

std::vector<Mnemonic> memory_mnemonics() {
    std::vector<Mnemonic> list{{"ldp", read_pair}, {"stp", read_pair}};
    const auto add = [&list](const std::string& name, OperandReader read) {
        for (const char* size : {"", "b", "h"}) list.push_back({name + size, read});
    };
    for (const char* name : {"ldr", "str", "ldur", "stur"}) add(name, read_plain);
    for (const char* name : {"ldar", "ldapr", "stlr"}) add(name, read_ordered);
    for (const char* name : {"ldxr", "ldaxr"}) add(name, read_load_exclusive);
    for (const char* name : {"stxr", "stlxr"}) add(name, read_store_exclusive);
    for (const char* order : {"", "a", "l", "al"}) {
        add(std::string("cas") + order, read_compare_and_swap);
        add(std::string("swp") + order, read_atomic);
        for (const auto& [operation, kind] : operation_names) {
            add(fmt::format("ld{}{}", operation, order), read_atomic);
        }
    }
    for (const char* order : {"", "l"}) {
        for (const auto& [operation, kind] : operation_names) {
            add(fmt::format("st{}{}", operation, order), read_atomic);
        }
    }
    return list;
}

}  // namespace gicsim::litmus
