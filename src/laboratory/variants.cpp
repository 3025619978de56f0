#include "gicsim/laboratory/variants.h"

#include <algorithm>

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

/// Puts `added` in place of the instructions from `first` to `last` (not included); whatever points behind them moves.
void replace(litmus::Thread& thread, std::size_t first, std::size_t last, const std::vector<Instruction>& added) {
    litmus::Program& program = thread.program;
    const auto moved = [&](std::size_t index) {
        if (index >= last) return index - (last - first) + added.size();
        return std::min(index, first);
    };
    auto& code = program.instructions;
    code.erase(code.begin() + static_cast<std::ptrdiff_t>(first), code.begin() + static_cast<std::ptrdiff_t>(last));
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(first), added.begin(), added.end());
    for (Instruction& i : code) {
        if (i.opcode >= Opcode::branch && i.opcode <= Opcode::branch_bit_set) i.target = moved(i.target);
    }
    for (auto& [label, index] : program.labels) index = moved(index);
    for (litmus::InjectedInterrupt& interrupt : thread.interrupts) interrupt.instruction = moved(interrupt.instruction);
}

/// The last plain store before `end` becomes an STLR, or a CASAL that finds the 0 it expects in an unused register.
bool replace_store(litmus::Thread& thread, std::size_t end, SenderOrder::Store kind) {
    for (std::size_t n = end; n > 0; --n) {
        Instruction& i = thread.program.instructions[n - 1];
        if (i.opcode != Opcode::store || i.release) continue;
        i.release = true;
        if (kind == SenderOrder::Store::casal) {
            i.opcode = Opcode::compare_and_swap;
            i.acquire = litmus::Acquire::acquire;
            i.rs = litmus::Register{30};
        }
        i.text = (kind == SenderOrder::Store::casal ? "CASAL for " : "STLR for ") + i.text;
        return true;
    }
    return false;
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

litmus::LitmusTest with_sender_order(const litmus::LitmusTest& test, const SenderOrder& order) {
    litmus::LitmusTest variant = test;
    const bool dsb = order.barrier.kind() == Barrier::Kind::dsb;
    const litmus::Expected& filed = test.expected;
    if (dsb && order.barrier.covers_stores()) {
        variant.expected.verdict = filed.behind_dsb_of_stores;
    } else if (dsb) {
        variant.expected.verdict = filed.behind_dsb_of_loads;
    } else if (filed.behind_dsb_of_stores == litmus::Verdict::unknown) {
        // The file says nothing of what barriers change.
        variant.expected.verdict = litmus::Verdict::unknown;
    }
    bool found = false;
    for (litmus::Thread& thread : variant.threads) {
        for (std::size_t n = 0; n < thread.program.instructions.size(); ++n) {
            if (!writes_sgi(thread.program.instructions[n])) continue;
            found = true;
            std::size_t first = n;
            while (first > 0 && is_order(thread.program.instructions[first - 1])) --first;
            std::vector<Instruction> added;
            const litmus::SourcePosition position = thread.program.instructions[n].position;
            if (order.barrier.kind() != Barrier::Kind::none) {
                Instruction i;
                i.opcode = Opcode::barrier;
                i.barrier = order.barrier;
                i.position = position;
                i.text = order.barrier.name();
                added.push_back(i);
            }
            if (order.isb) {
                Instruction i;
                i.opcode = Opcode::isb;
                i.position = position;
                i.text = "isb";
                added.push_back(i);
            }
            replace(thread, first, n, added);
            n = first + added.size();
            if (order.store != SenderOrder::Store::plain && !replace_store(thread, first, order.store)) {
                throw ConfigError(
                    Origin::in_file(test.file, position.line, position.column), "",
                    "no plain store stands before this SGI register write that could become an " + order.name());
            }
        }
    }
    if (!found) {
        throw ConfigError(Origin::in_file(test.file), "",
                          "the test writes no SGI register, so no barrier stands before it", "ICC_SGI1R_EL1");
    }
    return variant;
}

}  // namespace gicsim
