#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "gicsim/config/error.h"
#include "gicsim/laboratory/interpreter.h"
#include "gicsim/litmus/evaluate.h"

namespace gicsim {

using litmus::Instruction;
using litmus::Opcode;
using litmus::SystemRegister;

namespace {

constexpr std::uint8_t mask_irq = 2;

/// NZCV as PSTATE, SPSR_EL1 and the NZCV register have it: N in bit 31.
Word word_of(const litmus::Flags& flags) {
    return (flags.negative ? Word{1} << 31 : 0) | (flags.zero ? Word{1} << 30 : 0) | (flags.carry ? Word{1} << 29 : 0) |
           (flags.overflow ? Word{1} << 28 : 0);
}

litmus::Flags flags_of(Word word) {
    return {(word >> 31 & 1) != 0, (word >> 30 & 1) != 0, (word >> 29 & 1) != 0, (word >> 28 & 1) != 0};
}

}  // namespace

Word Interpreter::value(litmus::Register reg) const {
    const Slot* slot = registers_.pending[reg.number];
    if (slot != nullptr && slot->load.bound) return (slot->load.value & slot->load.mask) >> slot->shift;
    return registers_.values[reg.number];
}

void Interpreter::set(litmus::Register reg, Word value, unsigned bits) {
    if (reg.is_zero()) return;
    if (registers_.pending[reg.number] != nullptr) {
        registers_.pending[reg.number]->reg = 31;
        registers_.pending[reg.number] = nullptr;
        registers_.pending_mask &= ~(std::uint64_t{1} << reg.number);
    }
    registers_.values[reg.number] = bits == 32 ? value & 0xFFFF'FFFF : value;
}

/// The register gets the value of its load, which is bound.
void Interpreter::settle(unsigned reg) {
    Slot* const slot = registers_.pending[reg];
    if (slot == nullptr) return;
    registers_.values[reg] = (slot->load.value & slot->load.mask) >> slot->shift;
    registers_.pending[reg] = nullptr;
    registers_.pending_mask &= ~(std::uint64_t{1} << reg);
    slot->reg = 31;
}

Interpreter::Slot& Interpreter::next_slot() {
    Slot& slot = slots_[next_slot_];
    next_slot_ = (next_slot_ + 1) % slots_.size();
    return slot;
}

void Interpreter::prepare(Slot& slot, const AddressBook::Access& what) {
    if (slot.reg != 31) settle(slot.reg);
    slot.load = PendingLoad{};
    slot.load.location = what.word;
    slot.load.mask = what.mask;
    slot.shift = static_cast<std::uint8_t>(what.shift);
    preparing_ = &slot;
}

void Interpreter::attach(Slot& slot, litmus::Register reg) {
    if (reg.is_zero()) return;
    if (registers_.pending[reg.number] != nullptr) registers_.pending[reg.number]->reg = 31;
    registers_.pending[reg.number] = &slot;
    registers_.pending_mask |= std::uint64_t{1} << reg.number;
    slot.reg = reg.number;
}

void Interpreter::start_speculating(Core& cpu, const Instruction& branch, Place at) {
    speculating_ = true;
    branch_ = &branch;
    before_branch_ = registers_;
    flags_before_branch_ = flags_;
    branch_place_ = at;
    predicted_taken_ = shared_.strategy->choose(2) == 1;
    speculated_ = 0;
    // An interrupt is taken between instructions that are known to be executed.
    cpu.mask_interrupts();
    cpu.compute(cpu.one_cycle());
}

std::optional<Interpreter::Place> Interpreter::stop_speculating(Core& cpu, Word value) {
    speculating_ = false;
    std::optional<Place> back;
    if (litmus::is_taken(*branch_, value, flags_before_branch_) != predicted_taken_) {
        if (shared_.witness != nullptr) note(cpu, branch_->text + ": mispredicted, back to it");
        for (Slot& slot : slots_) slot.reg = 31;
        registers_ = before_branch_;
        for (unsigned r = 0; r < litmus::register_count; ++r) {
            if (registers_.pending[r] != nullptr) registers_.pending[r]->reg = static_cast<std::uint8_t>(r);
        }
        flags_ = flags_before_branch_;
        back = branch_place_;
    }
    set_masks(cpu, pstate_.masks);
    return back;
}

void Interpreter::execute_data(const Instruction& i) {
    Word rn = source(i.rn);
    if (i.opcode == Opcode::move_keep) rn = source(i.rd);
    const Word operand = i.opcode == Opcode::select || i.opcode == Opcode::select_increment
                             ? source(i.rm)
                             : litmus::value_of(i.operand, source(i.operand.rm), i.bits);
    const litmus::DataResult result = litmus::compute(i, rn, operand, flags_);
    set(i.rd, result.value, i.bits);
    if (i.sets_flags) flags_ = result.flags;
}

bool Interpreter::is_taken(const Instruction& i) const {
    return litmus::is_taken(i, source(i.rt), flags_);
}

/// What can be undone when the branch before it goes the other way, and may be done before that is known: a control
/// dependency orders stores and context synchronisation, not loads (DDI 0487, B2.3.9).
bool Interpreter::may_speculate(const Instruction& i) const {
    // As far ahead as a reorder buffer is long; and no load slot is used twice before the branch is resolved.
    if (speculated_ >= most_speculated) return false;
    if (i.opcode >= Opcode::move && i.opcode <= Opcode::select_increment) return true;
    const bool plain_load =
        (i.opcode == Opcode::load || i.opcode == Opcode::load_pair) && i.acquire == litmus::Acquire::none;
    return plain_load && i.address.mode == litmus::Address::Mode::offset;
}

Word Interpreter::address(const Instruction& i) const {
    const Word base = source(i.address.base);
    if (i.address.mode == litmus::Address::Mode::post_index) return base;
    return base + offset_of(i);
}

void Interpreter::write_back(const Instruction& i) {
    if (i.address.mode == litmus::Address::Mode::offset) return;
    set(i.address.base, source(i.address.base) + offset_of(i));
}

Word Interpreter::offset_of(const Instruction& i) const {
    if (i.address.offset.kind == litmus::Operand::Kind::none) return 0;
    return litmus::value_of(i.address.offset, source(i.address.offset.rm), 64);
}

AddressBook::Access Interpreter::access(const Instruction& i, Word address) const {
    const auto found = shared_.addresses->find(address, i.access_size);
    if (!found) {
        refuse(i, fmt::format("P{} accesses {} bytes at {:#x}, where no location is (or across words)", number_,
                              i.access_size, address));
    }
    return *found;
}

void Interpreter::set_masks(Core& cpu, std::uint8_t masks) {
    pstate_.masks = masks & 0xF;
    // Where the test says at which instruction interrupts come, they come nowhere else.
    const bool none_due = !thread_.interrupts.empty() && injections_due_ == 0;
    if ((pstate_.masks & mask_irq) != 0 || none_due) {
        cpu.mask_interrupts();
    } else {
        cpu.unmask_interrupts();
    }
}

Interpreter::Place Interpreter::enter_exception(Core& cpu, Place back, unsigned kind, const char* what) {
    const Word mode = pstate_.exception_level == 0 ? 0 : pstate_.uses_sp_el0 ? 4 : 5;
    system_[static_cast<std::size_t>(SystemRegister::ELR_EL1)] = address_of(back);
    system_[static_cast<std::size_t>(SystemRegister::SPSR_EL1)] =
        word_of(flags_) | static_cast<Word>(pstate_.masks) << 6 | mode;
    const unsigned origin = pstate_.exception_level == 0 ? 0x400 : pstate_.uses_sp_el0 ? 0 : 0x200;
    pstate_ = {1, false, 0xF};
    set_masks(cpu, 0xF);
    return vector(origin + kind, what);
}

Interpreter::Place Interpreter::leave_exception(Core& cpu, const Instruction& i) {
    const Word spsr = system_[static_cast<std::size_t>(SystemRegister::SPSR_EL1)];
    const Word mode = spsr & 0x1F;
    if (mode != 0 && mode != 4 && mode != 5) {
        refuse(i,
               fmt::format("P{} returns with SPSR_EL1 = {:#x}, whose mode is not EL0t, EL1t or EL1h", number_, spsr));
    }
    const Place back = find(system_[static_cast<std::size_t>(SystemRegister::ELR_EL1)], i);
    pstate_.exception_level = mode == 0 ? 0 : 1;
    pstate_.uses_sp_el0 = mode == 4;
    flags_ = flags_of(spsr);
    cpu.return_from_exception();
    cpu.compute(std::exchange(cut_off_, Time{}));
    set_masks(cpu, static_cast<std::uint8_t>(spsr >> 6 & 0xF));
    return back;
}

/// Everything that a program here may name belongs to EL1 but these two; DAIF would need SCTLR_EL1.UMA.
void Interpreter::refuse_at_el0(const Instruction& i) const {
    if (pstate_.exception_level != 0) return;
    const bool moves = i.opcode == Opcode::read_system || i.opcode == Opcode::write_system;
    if (moves && (i.system_register == SystemRegister::NZCV || i.system_register == SystemRegister::TPIDR_EL0)) return;
    refuse(i, fmt::format("is UNDEFINED at EL0, where P{} executes it (\"PSTATE.EL\" = \"0b01\" in its reset has it "
                          "start at EL1)",
                          number_));
}

void Interpreter::look_for_targets(const Instruction& i, Word value) const {
    SgiRegister reg = SgiRegister::sgi1r;
    switch (i.system_register) {
        case SystemRegister::ICC_SGI1R_EL1: break;
        case SystemRegister::ICC_ASGI1R_EL1: reg = SgiRegister::asgi1r; break;
        case SystemRegister::ICC_SGI0R_EL1: reg = SgiRegister::sgi0r; break;
        default: return;
    }
    const SgiRequest request = SgiRequest::decode(reg, shared_.cores[number_]->security(), value);
    for (unsigned thread = 0; thread < shared_.affinities.size(); ++thread) {
        const Affinity& to = shared_.affinities[thread];
        const bool in_list = to.aff3 == request.aff3 && to.aff2 == request.aff2 && to.aff1 == request.aff1 &&
                             to.aff0 >> 4 == request.rs && (request.target_list >> (to.aff0 & 0xF) & 1) != 0;
        if (request.irm ? thread != number_ : in_list) return;
    }
    shared_.lost_sgi = LostSgi{number_, value, i.text};
}

Word Interpreter::read_system(SystemRegister reg) const {
    switch (reg) {
        case SystemRegister::DAIF: return static_cast<Word>(pstate_.masks) << 6;
        case SystemRegister::NZCV: return word_of(flags_);
        case SystemRegister::CurrentEL: return static_cast<Word>(pstate_.exception_level) << 2;
        case SystemRegister::SPSel: return pstate_.uses_sp_el0 ? 0 : 1;
        case SystemRegister::MPIDR_EL1: return Word{1} << 31 | shared_.affinities[number_].mpidr();
        default: return system_[static_cast<std::size_t>(reg)];
    }
}

void Interpreter::write_system(Core& cpu, SystemRegister reg, Word value) {
    switch (reg) {
        case SystemRegister::DAIF: set_masks(cpu, static_cast<std::uint8_t>(value >> 6 & 0xF)); break;
        case SystemRegister::NZCV: flags_ = flags_of(value); break;
        case SystemRegister::SPSel: pstate_.uses_sp_el0 = (value & 1) == 0; break;
        default: system_[static_cast<std::size_t>(reg)] = value; break;
    }
}

Interpreter::Place Interpreter::find(std::uint64_t address, const Instruction& i) const {
    for (std::size_t s = 0; s < sections_.size(); ++s) {
        const std::uint64_t end = sections_[s].address + 4 * sections_[s].steps.size();
        if (address >= sections_[s].address && (address < end || (s == 0 && address == end)) && address % 4 == 0) {
            return {s, static_cast<std::size_t>(address - sections_[s].address) / 4};
        }
    }
    refuse(i, fmt::format("P{} returns to {:#x}, where no code is", number_, address));
}

/// @param offset of the vector; where the file has no code at an interrupt's own one, that of the synchronous vector
/// beside it, which the public collections use for both.
Interpreter::Place Interpreter::vector(unsigned offset, const char* what) const {
    const Word base = system_[static_cast<std::size_t>(SystemRegister::VBAR_EL1)];
    const auto at = [&](std::uint64_t address) -> std::optional<Place> {
        for (std::size_t s = 1; s < sections_.size(); ++s) {
            if (sections_[s].address == address && !sections_[s].steps.empty()) return Place{s, 0};
        }
        return std::nullopt;
    };
    if (const auto place = at(base + offset)) return *place;
    if ((offset & 0x80) != 0) {
        for (const unsigned other : {offset & ~0x80U, 0x400U, 0x480U, 0x280U}) {
            if (const auto place = at(base + other)) return *place;
        }
    }
    throw ConfigError(Origin::in_file(shared_.test->file), "",
                      fmt::format("P{} takes {} and has no code at its vector {:#x}", number_, what, base + offset),
                      fmt::format("a handler at VBAR_EL1 + {:#x}", offset));
}

void Interpreter::refuse(const Instruction& i, const std::string& message) const {
    throw ConfigError(Origin::in_file(shared_.test->file, i.position.line, i.position.column), "",
                      "'" + i.text + "': " + message);
}

void Interpreter::note(const Core& cpu, const std::string& text) const {
    shared_.witness->add(cpu.local(), number_, text);
}

}  // namespace gicsim
