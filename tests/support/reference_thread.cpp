#include "support/reference_thread.h"

#include "support/reference_model.h"

namespace gicsim::reference {
namespace {

using litmus::Flags;
using litmus::Instruction;
using litmus::Opcode;
using litmus::Operand;
using litmus::Register;
using Word = std::optional<std::uint64_t>;

class Walk {
public:
    Walk(const Trace& trace, const ThreadState& state, Evaluation& result) : trace_(trace), state_(state), r_(result) {}

    void run() {
        for (std::size_t i = 0; i < trace_.steps.size(); ++i) step(i);
    }

private:
    Word get(Register reg) const { return reg.is_zero() ? Word{0} : r_.registers[reg.number]; }
    void set(Register reg, Word value, unsigned bits) {
        if (reg.is_zero()) return;
        if (value && bits == 32) *value &= 0xffff'ffff;
        r_.registers[reg.number] = value;
    }
    Word operand(const Operand& operand, unsigned bits) const {
        if (operand.kind != Operand::Kind::reg) return litmus::value_of(operand, 0, bits);
        const Word rm = get(operand.rm);
        if (!rm) return std::nullopt;
        return litmus::value_of(operand, *rm, bits);
    }
    Word performed_value(int event) const {
        const auto index = static_cast<std::size_t>(event);
        return state_.has_performed(index) ? Word{state_.values[index]} : std::nullopt;
    }
    void access(int event, Word address, Word data, unsigned size) {
        r_.accesses[static_cast<std::size_t>(event)] = {address, data, size};
    }

    void compute_data(const Instruction& i);
    void resolve_branch(std::size_t index);
    Word address_of(const Instruction& i);
    void access_memory(const Step& step);
    void update_memory(const Step& step, Word address);
    void step(std::size_t index);

    const Trace& trace_;
    const ThreadState& state_;
    Evaluation& r_;
    std::optional<Flags> flags_ = Flags{};
};

void Walk::compute_data(const Instruction& i) {
    const bool selects = i.opcode == Opcode::select || i.opcode == Opcode::select_increment;
    Word first = i.opcode == Opcode::move_keep ? get(i.rd) : get(i.rn);
    if (i.opcode == Opcode::move) first = 0;
    const Word last = selects ? get(i.rm) : operand(i.operand, i.bits);
    const bool known = first && last && (!selects || flags_);
    if (!known) {
        set(i.rd, std::nullopt, i.bits);
        if (i.sets_flags) flags_.reset();
        return;
    }
    const litmus::DataResult result = litmus::compute(i, *first, *last, flags_.value_or(Flags{}));
    set(i.rd, result.value, i.bits);
    if (i.sets_flags) flags_ = result.flags;
}

void Walk::resolve_branch(std::size_t index) {
    const Step& step = trace_.steps[index];
    const Instruction& i = *step.instruction;
    if (i.opcode == Opcode::branch) return;
    const bool uses_flags = i.opcode == Opcode::branch_condition;
    const Word rt = uses_flags ? Word{0} : get(i.rt);
    if (!rt || (uses_flags && !flags_)) {
        r_.branch_known[index] = false;
    } else if (litmus::is_taken(i, *rt, flags_.value_or(Flags{})) != step.guess) {
        r_.is_consistent = false;
    }
}

/// Where the access is; writes the base back.
Word Walk::address_of(const Instruction& i) {
    using Mode = litmus::Address::Mode;
    const Word base = get(i.address.base);
    const Word offset = operand(i.address.offset, 64);
    Word moved;
    if (base && offset) moved = *base + *offset;
    if (i.address.mode != Mode::offset) set(i.address.base, moved, 64);
    return i.address.mode == Mode::post_index ? base : moved;
}

void Walk::update_memory(const Step& step, Word address) {
    const Instruction& i = *step.instruction;
    const Word old = performed_value(step.first_event);
    const Word operand = get(i.rs);
    access(step.first_event, address, std::nullopt, i.access_size);
    if (i.opcode == Opcode::compare_and_swap) {
        const std::uint64_t mask = i.access_size == 8 ? UINT64_MAX : (std::uint64_t{1} << 8 * i.access_size) - 1;
        if (old && operand && ((*operand & mask) == *old) != step.guess) r_.is_consistent = false;
        // Whether it stores is known with the comparand only.
        const Word data = operand ? get(i.rt) : std::nullopt;
        if (step.second_event >= 0) access(step.second_event, address, data, i.access_size);
        set(i.rs, old, i.bits);
        return;
    }
    Word data;
    if (i.atomic_kind == litmus::AtomicKind::swap) {
        data = operand;
    } else if (old && operand) {
        data = litmus::updated(i.atomic_kind, *old, *operand);
    }
    access(step.second_event, address, data, i.access_size);
    set(i.rt, old, i.bits);
}

void Walk::access_memory(const Step& step) {
    const Instruction& i = *step.instruction;
    const bool loads_base = i.opcode == Opcode::load || i.opcode == Opcode::load_pair;
    // Data of a store is read before the base is written back.
    const Word first_data = get(i.rt);
    const Word second_data = get(i.rt2);
    const Word address = address_of(i);
    switch (i.opcode) {
        case Opcode::compare_and_swap:
        case Opcode::atomic: update_memory(step, address); return;
        case Opcode::store_exclusive:
            if (step.guess) access(step.first_event, address, first_data, i.access_size);
            set(i.rs, step.guess ? 0 : 1, 32);
            return;
        default: break;
    }
    access(step.first_event, address, first_data, i.access_size);
    if (step.second_event >= 0) {
        const Word next = address ? Word{*address + i.access_size} : std::nullopt;
        access(step.second_event, next, second_data, i.access_size);
    }
    if (!loads_base && i.opcode != Opcode::load_exclusive) return;
    set(i.rt, performed_value(step.first_event), i.bits);
    if (step.second_event >= 0) set(i.rt2, performed_value(step.second_event), i.bits);
}

void Walk::step(std::size_t index) {
    const Step& step = trace_.steps[index];
    const Opcode opcode = step.instruction->opcode;
    if (opcode >= Opcode::move && opcode <= Opcode::select_increment) {
        compute_data(*step.instruction);
    } else if (opcode >= Opcode::branch && opcode <= Opcode::branch_bit_set) {
        resolve_branch(index);
    } else if (opcode >= Opcode::load && opcode <= Opcode::atomic) {
        access_memory(step);
    }
}

}  // namespace

Evaluation evaluate(const Trace& trace, const ThreadState& state,
                    const std::array<std::uint64_t, litmus::register_count>& initial) {
    Evaluation result;
    result.accesses.resize(trace.events.size());
    result.branch_known.assign(trace.steps.size(), true);
    for (std::size_t i = 0; i < initial.size(); ++i) result.registers[i] = initial[i];
    Walk(trace, state, result).run();
    return result;
}

}  // namespace gicsim::reference
