#include "gicsim/laboratory/variants.h"

#include <algorithm>
#include <stdexcept>

namespace gicsim {
namespace {

using litmus::Instruction;
using litmus::Opcode;
using litmus::SystemRegister;

bool writes_sgi(const Instruction& i) {
    return i.opcode == Opcode::write_system &&
           (i.system_register == SystemRegister::ICC_SGI1R_EL1 || i.system_register == SystemRegister::ICC_SGI0R_EL1 ||
            i.system_register == SystemRegister::ICC_ASGI1R_EL1);
}

bool is_order(const Instruction& i) {
    return i.opcode == Opcode::barrier || i.opcode == Opcode::isb;
}

/// Code of a thread that may write SGI registers: its program, which interrupts can be injected into, or a handler.
struct Code {
    litmus::Program& program;
    std::vector<litmus::InjectedInterrupt>* interrupts;
};

std::vector<Code> code_of(litmus::Thread& thread) {
    std::vector<Code> all{{thread.program, &thread.interrupts}};
    for (litmus::Handler& handler : thread.handlers) all.push_back({handler.program, nullptr});
    return all;
}

/// Puts `added` in place of the instructions from `first` to `last` (not included); whatever points behind them moves.
void replace(const Code& where, std::size_t first, std::size_t last, const std::vector<Instruction>& added) {
    const auto moved = [&](std::size_t index) {
        if (index >= last) return index - (last - first) + added.size();
        return std::min(index, first);
    };
    auto& code = where.program.instructions;
    code.erase(code.begin() + static_cast<std::ptrdiff_t>(first), code.begin() + static_cast<std::ptrdiff_t>(last));
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(first), added.begin(), added.end());
    for (Instruction& i : code) {
        if (i.opcode >= Opcode::branch && i.opcode <= Opcode::branch_bit_set) i.target = moved(i.target);
    }
    for (auto& [label, index] : where.program.labels) index = moved(index);
    if (where.interrupts == nullptr) return;
    for (litmus::InjectedInterrupt& interrupt : *where.interrupts) interrupt.instruction = moved(interrupt.instruction);
}

/// A register that nothing of the thread names.
std::optional<litmus::Register> unused_register(litmus::Thread& thread) {
    std::uint64_t used = 0;
    const auto use = [&used](litmus::Register reg) { used |= std::uint64_t{1} << reg.number; };
    for (const litmus::InitialRegister& initial : thread.registers) use(initial.reg);
    for (const Code& code : code_of(thread)) {
        for (const Instruction& i : code.program.instructions) {
            for (const litmus::Register reg :
                 {i.rd, i.rn, i.rm, i.rt, i.rt2, i.rs, i.operand.rm, i.address.base, i.address.offset.rm}) {
                use(reg);
            }
        }
    }
    for (std::uint8_t n = 30; n > 0; --n) {
        if ((used >> n & 1) == 0) return litmus::Register{n};
    }
    return std::nullopt;
}

std::optional<std::size_t> last_plain_store(const litmus::Program& program, std::size_t end) {
    for (std::size_t n = end; n > 0; --n) {
        const Instruction& i = program.instructions[n - 1];
        if (i.opcode == Opcode::store && !i.release) return n - 1;
    }
    return std::nullopt;
}

/// The last plain store before `end` becomes an STLR, or a CASAL that expects what an LDR just before it has read, as
/// llist_add of Linux does: it stores whatever was there. Returns by how much what follows has moved.
std::size_t replace_store(const Code& code, std::size_t end, SenderOrder::Store kind,
                          const std::optional<litmus::Register>& unused) {
    const auto at = last_plain_store(code.program, end);
    if (!at || (kind == SenderOrder::Store::casal && !unused)) throw std::logic_error("no store can be replaced");
    Instruction store = code.program.instructions[*at];
    store.release = true;
    if (kind == SenderOrder::Store::stlr) {
        store.text = "STLR for " + store.text;
        code.program.instructions[*at] = store;
        return 0;
    }
    Instruction load;
    load.opcode = Opcode::load;
    load.bits = store.bits;
    load.access_size = store.access_size;
    load.rt = *unused;
    load.address = store.address;
    if (load.address.mode == litmus::Address::Mode::post_index) load.address.offset = {};
    load.address.mode = litmus::Address::Mode::offset;
    load.position = store.position;
    load.text = "LDR before " + store.text;
    store.opcode = Opcode::compare_and_swap;
    store.acquire = litmus::Acquire::acquire;
    store.rs = *unused;
    store.text = "CASAL for " + store.text;
    replace(code, *at, *at + 1, {load, store});
    return 1;
}

/// Code at a fixed address that has grown must not reach into the next.
void check_room(const litmus::LitmusTest& test, const litmus::Thread& thread) {
    for (const litmus::Handler& each : thread.handlers) {
        const std::uint64_t end = each.program.address + 4 * each.program.instructions.size();
        for (const litmus::Handler& other : thread.handlers) {
            if (other.program.address <= each.program.address || other.program.address >= end) continue;
            throw ConfigError(
                Origin::in_file(test.file, each.position.line, each.position.column), "",
                "section '" + each.name + "' has no room for a barrier before section '" + other.name + "'");
        }
    }
}

std::string trimmed_lower(std::string_view text) {
    std::string out;
    for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!out.empty() && blank(out.back())) out.pop_back();
    out.erase(out.begin(), std::find_if_not(out.begin(), out.end(), blank));
    return out;
}

}  // namespace

std::string SenderOrder::name() const {
    std::string text = barrier.name();
    if (store == Store::stlr) text = "stlr";
    if (store == Store::casal) text = "casal";
    if (!isb) return text;
    return barrier.kind() == Barrier::Kind::none && store == Store::plain ? "isb" : text + " + isb";
}

std::vector<SenderOrder> SenderOrder::all() {
    std::vector<SenderOrder> list;
    for (const bool isb : {false, true}) {
        for (const Barrier& barrier : Barrier::all()) list.push_back({barrier, Store::plain, isb});
        for (const Store store : {Store::stlr, Store::casal}) list.push_back({Barrier{}, store, isb});
    }
    return list;
}

std::optional<SenderOrder> SenderOrder::parse(std::string_view text) {
    std::string name = trimmed_lower(text);
    if (name == "isb") return SenderOrder{{}, Store::plain, true};
    SenderOrder order;
    if (const std::size_t plus = name.find('+'); plus != std::string::npos) {
        if (trimmed_lower(name.substr(plus + 1)) != "isb") return std::nullopt;
        order.isb = true;
        name = trimmed_lower(name.substr(0, plus));
    }
    if (name == "stlr") {
        order.store = Store::stlr;
    } else if (name == "casal") {
        order.store = Store::casal;
    } else if (const auto barrier = Barrier::parse(name)) {
        order.barrier = *barrier;
    } else {
        return std::nullopt;
    }
    return order;
}

bool can_have(const litmus::LitmusTest& test, const SenderOrder& order) {
    if (order.store == SenderOrder::Store::plain) return true;
    litmus::LitmusTest copy = test;
    for (litmus::Thread& thread : copy.threads) {
        const bool room = order.store == SenderOrder::Store::stlr || unused_register(thread);
        for (const Code& code : code_of(thread)) {
            for (std::size_t n = 0; n < code.program.instructions.size(); ++n) {
                if (!writes_sgi(code.program.instructions[n])) continue;
                if (!room || !last_plain_store(code.program, n)) return false;
            }
        }
    }
    return true;
}

litmus::LitmusTest with_sender_order(const litmus::LitmusTest& test, const SenderOrder& order) {
    litmus::LitmusTest variant = test;
    std::vector<Instruction> added;
    if (order.barrier.kind() != Barrier::Kind::none) {
        Instruction i;
        i.opcode = Opcode::barrier;
        i.barrier = order.barrier;
        i.text = order.barrier.name();
        added.push_back(i);
    }
    if (order.isb) {
        Instruction i;
        i.opcode = Opcode::isb;
        i.text = "isb";
        added.push_back(i);
    }
    bool found = false;
    bool as_filed = order.store == SenderOrder::Store::plain;
    bool filed_dsb = false;
    for (litmus::Thread& thread : variant.threads) {
        const auto unused = unused_register(thread);
        for (const Code& code : code_of(thread)) {
            const auto& instructions = code.program.instructions;
            for (std::size_t n = 0; n < instructions.size(); ++n) {
                if (!writes_sgi(instructions[n])) continue;
                found = true;
                std::size_t first = n;
                while (first > 0 && is_order(instructions[first - 1])) --first;
                const auto at = [&](std::size_t k) { return instructions.begin() + static_cast<std::ptrdiff_t>(k); };
                as_filed = as_filed && std::equal(at(first), at(n), added.begin(), added.end(),
                                                  [](const Instruction& a, const Instruction& b) {
                                                      return a.opcode == b.opcode && a.barrier == b.barrier;
                                                  });
                filed_dsb = filed_dsb || std::any_of(at(first), at(n), [](const Instruction& i) {
                                return i.opcode == Opcode::barrier && i.barrier.kind() == Barrier::Kind::dsb;
                            });
                const litmus::SourcePosition position = instructions[n].position;
                for (Instruction& i : added) i.position = position;
                replace(code, first, n, added);
                n = first + added.size();
                if (order.store == SenderOrder::Store::plain) continue;
                if (!last_plain_store(code.program, first)) {
                    throw ConfigError(
                        Origin::in_file(test.file, position.line, position.column), "",
                        "no plain store stands before this SGI register write that could become an " + order.name());
                }
                if (order.store == SenderOrder::Store::casal && !unused) {
                    throw ConfigError(Origin::in_file(test.file, position.line, position.column), "",
                                      "the thread uses every register, so that a CASAL has none to compare with");
                }
                n += replace_store(code, first, order.store, unused);
            }
        }
        check_room(test, thread);
    }
    if (!found) {
        throw ConfigError(Origin::in_file(test.file), "",
                          "the test writes no SGI register, so no barrier stands before it", "ICC_SGI1R_EL1");
    }
    // What the file says holds for what the file has; for anything else only as far as it says so.
    const litmus::Expected& filed = test.expected;
    const bool dsb = order.barrier.kind() == Barrier::Kind::dsb;
    if (as_filed) return variant;
    if (dsb && order.barrier.covers_stores()) {
        variant.expected.verdict = filed.behind_dsb_of_stores;
    } else if (dsb) {
        variant.expected.verdict = filed.behind_dsb_of_loads;
        variant.expected.needs_split_rmw = filed.needs_split_rmw_behind_dsb_of_loads;
    } else if (filed_dsb || filed.behind_dsb_of_stores == litmus::Verdict::unknown) {
        variant.expected.verdict = litmus::Verdict::unknown;
    }
    return variant;
}

}  // namespace gicsim
