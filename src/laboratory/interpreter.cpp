#include "gicsim/laboratory/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "gicsim/workload/kernel.h"

namespace gicsim {
namespace {

using litmus::Instruction;
using litmus::Opcode;
using litmus::SystemRegister;

constexpr std::uint8_t mask_irq = 2;

std::uint64_t bit_of(litmus::Register reg) {
    return reg.is_zero() ? 0 : std::uint64_t{1} << reg.number;
}

/// The registers whose values an instruction needs before it can be executed.
std::uint64_t sources_of(const Instruction& i) {
    std::uint64_t bits = 0;
    if (i.operand.kind == litmus::Operand::Kind::reg) bits |= bit_of(i.operand.rm);
    switch (i.opcode) {
        case Opcode::move: break;
        case Opcode::move_keep: bits |= bit_of(i.rd); break;
        case Opcode::add:
        case Opcode::sub:
        case Opcode::bit_and:
        case Opcode::bit_or:
        case Opcode::bit_xor:
        case Opcode::bit_clear:
        case Opcode::shift_left:
        case Opcode::shift_right:
        case Opcode::shift_right_arithmetic: bits |= bit_of(i.rn); break;
        case Opcode::select:
        case Opcode::select_increment: bits |= bit_of(i.rn) | bit_of(i.rm); break;
        case Opcode::branch_zero:
        case Opcode::branch_not_zero:
        case Opcode::branch_bit_zero:
        case Opcode::branch_bit_set:
        case Opcode::write_system: bits |= bit_of(i.rt); break;
        case Opcode::store_pair: bits |= bit_of(i.rt2); [[fallthrough]];
        case Opcode::store:
        case Opcode::store_exclusive: bits |= bit_of(i.rt); [[fallthrough]];
        case Opcode::load:
        case Opcode::load_pair:
        case Opcode::load_exclusive: break;
        case Opcode::compare_and_swap: bits |= bit_of(i.rt) | bit_of(i.rs); break;
        case Opcode::atomic: bits |= bit_of(i.rs); break;
        default: break;
    }
    switch (i.opcode) {
        case Opcode::load:
        case Opcode::load_pair:
        case Opcode::load_exclusive:
        case Opcode::store:
        case Opcode::store_pair:
        case Opcode::store_exclusive:
        case Opcode::compare_and_swap:
        case Opcode::atomic:
            bits |= bit_of(i.address.base);
            if (i.address.offset.kind == litmus::Operand::Kind::reg) bits |= bit_of(i.address.offset.rm);
            break;
        default: break;
    }
    return bits;
}

bool is_conditional(const Instruction& i) {
    return i.opcode == Opcode::branch_zero || i.opcode == Opcode::branch_not_zero ||
           i.opcode == Opcode::branch_bit_zero || i.opcode == Opcode::branch_bit_set;
}

bool is_data(Opcode opcode) {
    return opcode >= Opcode::move && opcode <= Opcode::select_increment;
}

LoadOrder load_order(const Instruction& i) {
    switch (i.acquire) {
        case litmus::Acquire::none: return LoadOrder::plain;
        case litmus::Acquire::acquire_pc: return LoadOrder::acquire_pc;
        case litmus::Acquire::acquire: return LoadOrder::acquire;
    }
    return LoadOrder::plain;
}

StoreOrder store_order(const Instruction& i) {
    return i.release ? StoreOrder::release : StoreOrder::plain;
}

AtomicKind atomic_kind(litmus::AtomicKind kind) {
    switch (kind) {
        case litmus::AtomicKind::swap: return AtomicKind::swap;
        case litmus::AtomicKind::add: return AtomicKind::add;
        case litmus::AtomicKind::clear_bits: return AtomicKind::clear_bits;
        case litmus::AtomicKind::exclusive_or: return AtomicKind::exclusive_or;
        case litmus::AtomicKind::set_bits: return AtomicKind::set_bits;
    }
    return AtomicKind::swap;
}

StoreBufferState::Kind no_return_kind(litmus::AtomicKind kind) {
    switch (kind) {
        case litmus::AtomicKind::swap: return StoreBufferState::Kind::store;
        case litmus::AtomicKind::add: return StoreBufferState::Kind::add;
        case litmus::AtomicKind::clear_bits: return StoreBufferState::Kind::clear_bits;
        case litmus::AtomicKind::exclusive_or: return StoreBufferState::Kind::exclusive_or;
        case litmus::AtomicKind::set_bits: return StoreBufferState::Kind::set_bits;
    }
    return StoreBufferState::Kind::store;
}

/// Waits for an interrupt, which ends the program that waits.
class AwaitInterrupt : public Operation {
public:
    bool attempt(Core&) override { return false; }
    [[nodiscard]] std::string waits_for() const override { return "an interrupt"; }
    [[nodiscard]] bool interruptible() const override { return true; }
    void result() const {}
};

/// Meets the Timeline between two instructions, so that an interrupt can come there.
class StepOperation : public Operation {
public:
    bool attempt(Core& core) override {
        core.compute(core.one_cycle());
        return true;
    }
    [[nodiscard]] std::string waits_for() const override { return {}; }
    void result() const {}
};

bool reads_iar(const litmus::Program& program) {
    return std::any_of(program.instructions.begin(), program.instructions.end(), [](const Instruction& i) {
        return i.opcode == Opcode::read_system && i.system_register == SystemRegister::ICC_IAR1_EL1;
    });
}

}  // namespace

Interpreter::Interpreter(const Shared& shared, unsigned thread)
    : shared_(shared), thread_(shared.test->threads[thread]), number_(thread) {
    const auto add = [this](const litmus::Program& program) {
        Section section{program.address, {}, &program};
        for (const Instruction& i : program.instructions) section.steps.push_back({&i, sources_of(i)});
        sections_.push_back(std::move(section));
    };
    add(thread_.program);
    for (const litmus::Handler& handler : thread_.handlers) {
        add(handler.program);
        acknowledges_ = acknowledges_ || reads_iar(handler.program);
        // The reset value of VBAR_EL1 is UNKNOWN (DDI 0487): where a test leaves it open it is what its handlers need.
        const std::uint64_t address = handler.program.address;
        if (!unknown_vector_base_ && address % 0x80 == 0) unknown_vector_base_ = address & ~std::uint64_t{0x7FF};
    }
    injections_.resize(thread_.program.instructions.size() + 1, nullptr);
    for (const litmus::InjectedInterrupt& injection : thread_.interrupts)
        injections_[injection.instruction] = &injection;
    main_program_ = [this](Core& cpu) { return execute(cpu, Place{}); };
    interrupt_program_ = [this](Core& cpu) { return execute(cpu, take_interrupt(cpu)); };
}

void Interpreter::begin(Time delay) {
    Core& cpu = *shared_.cores[number_];
    registers_ = RegisterFile{};
    for (const litmus::InitialRegister& initial : thread_.registers) {
        registers_.values[initial.reg.number] = shared_.addresses->value_of(initial.value);
    }
    flags_ = {};
    system_ = {};
    system_[static_cast<std::size_t>(SystemRegister::VBAR_EL1)] = unknown_vector_base_.value_or(0);
    for (const litmus::InitialSystemRegister& initial : thread_.system_registers) {
        system_[static_cast<std::size_t>(initial.reg)] = shared_.addresses->value_of(initial.value);
    }
    const litmus::InitialPstate& initial = thread_.pstate;
    pstate_.exception_level = initial.exception_level;
    pstate_.uses_sp_el0 = initial.uses_sp_el0;
    pstate_.masks = static_cast<std::uint8_t>((initial.masks_debug ? 8 : 0) | (initial.masks_serror ? 4 : 0) |
                                              (initial.masks_irq ? mask_irq : 0) | (initial.masks_fiq ? 1 : 0));
    resume_ = {};
    injected_.assign(injections_.size(), false);
    injections_due_ = 0;
    cut_off_ = Time{};
    for (Slot& slot : slots_) {
        slot.load.bound = true;
        slot.reg = 31;
    }
    next_slot_ = 0;
    steps_ = 0;
    preparing_ = nullptr;
    finished_ = exhausted_ = speculating_ = false;
    cpu.abandon();
    cpu.set_interrupt_program(interrupt_program_);
    set_masks(cpu, pstate_.masks);
    cpu.run(main_program_);
    cpu.compute(delay);
}

Interpreter::Place Interpreter::take_interrupt(Core& cpu) {
    // An access that was about to start has not happened; its slot is free.
    if (preparing_ != nullptr) preparing_->load.bound = true;
    preparing_ = nullptr;
    cut_off_ += cpu.time_cut_off();
    finished_ = false;
    if (injections_due_ > 0 && --injections_due_ > 0 && !acknowledges_) cpu.raise_interrupt();
    if (shared_.witness != nullptr) note(cpu, "takes an interrupt");
    return enter_exception(cpu, resume_, 0x80, "an interrupt");
}

/// The interrupt that the test puts at this instruction. A thread whose handler acknowledges gets it through the GIC,
/// as the SGI of another thread or else its own; any other from a device at the core's own interrupt input, which
/// withdraws it when it is taken. Masked, it stays pending.
Task<> Interpreter::inject(Core& cpu) {
    const litmus::InjectedInterrupt& injection = *injections_[resume_.index];
    injected_[resume_.index] = true;
    ++injections_due_;
    if (!acknowledges_) {
        cpu.raise_interrupt();
    } else if (!shared_.sends_sgis) {
        const Intid id = intid(injection.intid.value_or(0));
        co_await write(cpu, IccRegister::ICC_SGI1R_EL1, sgi1r_for(shared_.affinities[number_], id));
    }
    set_masks(cpu, pstate_.masks);
    if ((pstate_.masks & mask_irq) == 0) co_await Awaitable<AwaitInterrupt>(cpu);
}

// One loop, so that an instruction costs no coroutine of its own. What it keeps between two instructions is in members:
// when an interrupt is taken this coroutine is given up, and another one goes on from there.
Task<> Interpreter::execute(Core& cpu, Place at) {
    for (;;) {
        const Section& section = sections_[at.section];
        resume_ = at;
        if (at.index >= section.steps.size() && !speculating_) {
            // The end is no place to go on from before the branch is resolved.
            if (at.section != 0) refuse(*section.steps.back().instruction, "the handler ends without ERET");
            if (is_due_at(at)) co_await inject(cpu);
            finished_ = true;
            co_await park(cpu);
        }
        if (++steps_ > most_steps) {
            exhausted_ = true;
            cpu.mask_interrupts();
            co_await park(cpu);
        }
        const bool at_end = at.index >= section.steps.size();
        if (speculating_) {
            const bool resolved = (registers_.pending_mask & bit_of(branch_->rt)) == 0 ||
                                  (before_branch_.pending[branch_->rt.number]->load.bound &&
                                   before_branch_.pending[branch_->rt.number]->load.ready <= cpu.local());
            if (resolved || at_end || is_due_at(at) || !may_speculate(*section.steps[at.index].instruction)) {
                const Slot& slot = *before_branch_.pending[branch_->rt.number];
                const Word word = co_await value_of_load(cpu, slot.load);
                if (const auto back = stop_speculating(cpu, (word & slot.load.mask) >> slot.shift)) at = *back;
                continue;
            }
        }
        if (is_due_at(at)) co_await inject(cpu);
        const Step& step = section.steps[at.index];
        const Instruction& i = *step.instruction;
        if (is_conditional(i) && (registers_.pending_mask & step.sources) != 0 && !speculating_ &&
            !registers_.pending[i.rt.number]->load.bound && shared_.strategy->choose(2) == 1) {
            start_speculating(cpu, i, at);
            at.index = predicted_taken_ ? i.target : at.index + 1;
            continue;
        }
        for (std::uint64_t wanted = registers_.pending_mask & step.sources; wanted != 0; wanted &= wanted - 1) {
            const auto reg = static_cast<unsigned>(std::countr_zero(wanted));
            co_await value_of_load(cpu, registers_.pending[reg]->load);
            settle(reg);
        }
        ++at.index;
        if (speculating_) ++speculated_;
        if (is_data(i.opcode)) {
            execute_data(i);
            cpu.compute(cpu.one_cycle());
            continue;
        }
        switch (i.opcode) {
            case Opcode::branch:
            case Opcode::branch_condition:
            case Opcode::branch_zero:
            case Opcode::branch_not_zero:
            case Opcode::branch_bit_zero:
            case Opcode::branch_bit_set: {
                co_await Awaitable<StepOperation>(cpu);
                if (is_taken(i)) at.index = i.target;
                break;
            }
            case Opcode::load:
            case Opcode::load_pair:
            case Opcode::load_exclusive: {
                const Word where = address(i);
                const unsigned parts = i.opcode == Opcode::load_pair ? 2 : 1;
                std::array<Slot*, 2> issued{};
                for (unsigned part = 0; part < parts; ++part) {
                    Slot& slot = next_slot();
                    if (!slot.load.bound) co_await value_of_load(cpu, slot.load);
                    prepare(slot, access(i, where + Word{part} * i.access_size));
                    slot.load.order = load_order(i);
                    if (i.opcode == Opcode::load_exclusive) slot.load.kind = PendingLoad::Kind::load_exclusive;
                    co_await issue_load(cpu, slot.load);
                    preparing_ = nullptr;
                    issued[part] = &slot;
                }
                // Registers change when nothing of it can be interrupted any more: it would begin anew.
                for (unsigned part = 0; part < parts; ++part) attach(*issued[part], part == 0 ? i.rt : i.rt2);
                write_back(i);
                break;
            }
            case Opcode::store:
            case Opcode::store_pair: {
                const Word where = address(i);
                for (unsigned part = 0; part < (i.opcode == Opcode::store_pair ? 2U : 1U); ++part) {
                    const AddressBook::Access what = access(i, where + Word{part} * i.access_size);
                    const Word value = source(part == 0 ? i.rt : i.rt2) << what.shift & what.mask;
                    if (shared_.witness != nullptr) note(cpu, i.text + ": into the store buffer");
                    co_await store_masked(cpu, what.word, value, what.mask, store_order(i));
                }
                write_back(i);
                break;
            }
            case Opcode::store_exclusive:
            case Opcode::compare_and_swap:
            case Opcode::atomic: {
                const AddressBook::Access what = access(i, address(i));
                const auto in_place = [&what](Word value) { return value << what.shift & what.mask; };
                if (i.opcode == Opcode::atomic && i.rt.is_zero() && i.acquire == litmus::Acquire::none) {
                    // Nobody waits for the old value: it is handled as a store is.
                    if (shared_.witness != nullptr) note(cpu, i.text + ": into the store buffer");
                    const StoreBufferState::Kind kind = no_return_kind(i.atomic_kind);
                    co_await Awaitable<StoreOperation>(cpu, what.word, in_place(source(i.rs)), what.mask, kind,
                                                       store_order(i));
                    break;
                }
                Slot& slot = next_slot();
                if (!slot.load.bound) co_await value_of_load(cpu, slot.load);
                const Word operand = in_place(source(i.opcode == Opcode::atomic ? i.rs : i.rt));
                const Word compare = in_place(source(i.rs));
                prepare(slot, what);
                slot.load.order = load_order(i);
                slot.load.release = i.release;
                slot.load.operand = operand;
                slot.load.compare = compare;
                slot.load.kind = i.opcode == Opcode::store_exclusive ? PendingLoad::Kind::store_exclusive
                                                                     : PendingLoad::Kind::atomic;
                slot.load.atomic =
                    i.opcode == Opcode::atomic ? atomic_kind(i.atomic_kind) : AtomicKind::compare_and_swap;
                co_await issue_load(cpu, slot.load);
                preparing_ = nullptr;
                attach(slot, i.opcode == Opcode::atomic ? i.rt : i.rs);
                break;
            }
            case Opcode::barrier:
                co_await barrier(cpu, i.barrier);
                if (shared_.witness != nullptr) note(cpu, i.text);
                break;
            case Opcode::isb:
                co_await isb(cpu);
                if (shared_.witness != nullptr) note(cpu, i.text);
                break;
            case Opcode::read_system:
                refuse_at_el0(i);
                if (const auto icc = litmus::icc_register(i.system_register)) {
                    cpu.compute(shared_.strategy->delay(Varying::instruction));
                    const Word value = co_await read(cpu, *icc);
                    set(i.rt, value);
                    if (shared_.witness != nullptr) note(cpu, fmt::format("{}: {:#x}", i.text, value));
                } else {
                    set(i.rt, read_system(i.system_register));
                    cpu.compute(cpu.one_cycle());
                }
                break;
            case Opcode::write_system:
                refuse_at_el0(i);
                if (const auto icc = litmus::icc_register(i.system_register)) {
                    cpu.compute(shared_.strategy->delay(Varying::instruction));
                    if (shared_.witness != nullptr) note(cpu, fmt::format("{} ({:#x})", i.text, source(i.rt)));
                    co_await write(cpu, *icc, source(i.rt));
                    look_for_targets(i, source(i.rt));
                } else {
                    co_await Awaitable<StepOperation>(cpu);
                    write_system(cpu, i.system_register, source(i.rt));
                }
                break;
            case Opcode::set_interrupt_mask:
                refuse_at_el0(i);
                // An interrupt that is there by now comes before the mask.
                co_await Awaitable<StepOperation>(cpu);
                set_masks(cpu, pstate_.masks | static_cast<std::uint8_t>(i.operand.immediate));
                break;
            case Opcode::clear_interrupt_mask:
                refuse_at_el0(i);
                set_masks(cpu, pstate_.masks & static_cast<std::uint8_t>(~i.operand.immediate));
                resume_ = at;
                co_await Awaitable<StepOperation>(cpu);
                break;
            case Opcode::supervisor_call:
                system_[static_cast<std::size_t>(SystemRegister::ESR_EL1)] = 0x5600'0000 | i.operand.immediate;
                cpu.compute(cpu.parameters().exception_entry);
                if (shared_.witness != nullptr) note(cpu, i.text);
                at = enter_exception(cpu, at, 0, "a supervisor call");
                break;
            case Opcode::exception_return:
                refuse_at_el0(i);
                if (shared_.witness != nullptr) note(cpu, i.text);
                at = leave_exception(cpu, i);
                resume_ = at;
                co_await Awaitable<StepOperation>(cpu);
                break;
            case Opcode::wait_for_interrupt:
                resume_ = at;
                co_await wfi(cpu);
                break;
            case Opcode::wait_for_event:
                resume_ = at;
                co_await wfe(cpu);
                break;
            case Opcode::send_event:
                co_await Awaitable<StepOperation>(cpu);
                for (Core* other : shared_.cores) other->signal_event();
                break;
            case Opcode::send_event_local:
                co_await Awaitable<StepOperation>(cpu);
                cpu.set_event();
                break;
            default: co_await Awaitable<StepOperation>(cpu); break;
        }
    }
}

}  // namespace gicsim
