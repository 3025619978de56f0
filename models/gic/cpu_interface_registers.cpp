#include <algorithm>

#include "gicsim/gic/cpu_interface_state.h"

// Reads and writes of the ICC_ system registers (IHI 0069, 12.2).

namespace gicsim {
namespace {

using enum IccRegister;

constexpr bool is_write_only(IccRegister reg) {
    return row(reg).access == RegisterAccess::write_only;
}

constexpr bool is_read_only(IccRegister reg) {
    return row(reg).access == RegisterAccess::read_only;
}

constexpr bool is_el3(IccRegister reg) {
    return reg == ICC_CTLR_EL3 || reg == ICC_SRE_EL3 || reg == ICC_IGRPEN1_EL3;
}

/// What a read returns that finds nothing, or that would trap.
constexpr std::uint64_t nothing(IccRegister reg) {
    const bool intid = reg == ICC_IAR0_EL1 || reg == ICC_HPPIR0_EL1 || reg == ICC_NMIAR1_EL1;
    return intid ? index(spurious_intid) : 0;
}

/// Registers about Group 0. With two Security states they are the Secure side's.
constexpr bool is_group0(IccRegister reg) {
    switch (reg) {
        case ICC_IAR0_EL1:
        case ICC_EOIR0_EL1:
        case ICC_HPPIR0_EL1:
        case ICC_BPR0_EL1:
        case ICC_IGRPEN0_EL1:
        case ICC_AP0R0_EL1:
        case ICC_AP0R1_EL1:
        case ICC_AP0R2_EL1:
        case ICC_AP0R3_EL1: return true;
        default: return false;
    }
}

constexpr unsigned distance(IccRegister reg, IccRegister first) {
    return static_cast<unsigned>(reg) - static_cast<unsigned>(first);
}

}  // namespace

/// Whether an access reaches the register; it would trap otherwise.
bool CpuInterfaceState::accessible(IccRegister reg, Accessor accessor) const {
    if (is_el3(reg)) return accessor.el3;
    if (reg == ICC_NMIAR1_EL1) return non_maskable_;
    return !(is_group0(reg) && restricted(accessor));
}

std::uint64_t CpuInterfaceState::read(IccRegister reg, Accessor accessor, Effects& effects) {
    if (is_write_only(reg) || !accessible(reg, accessor)) {
        ++guest_errors_;
        return nothing(reg);
    }
    const std::uint64_t value = peek(reg, accessor);
    switch (reg) {
        case ICC_IAR0_EL1:
        case ICC_IAR1_EL1:
        case ICC_NMIAR1_EL1: return acknowledge(value, effects);
        default: return value;
    }
}

std::uint64_t CpuInterfaceState::peek(IccRegister reg, Accessor accessor) const {
    if (is_write_only(reg) || !accessible(reg, accessor)) return nothing(reg);
    const Security security = accessor.security;
    switch (reg) {
        case ICC_PMR_EL1: return read_pmr(accessor);
        case ICC_IAR0_EL1: return group0_intid(signalled_, accessor);
        case ICC_IAR1_EL1: return acknowledgeable_group1(accessor, false);
        case ICC_NMIAR1_EL1: return acknowledgeable_group1(accessor, true);
        // What is pending whether or not its priority suffices; nothing while the group is disabled.
        case ICC_HPPIR0_EL1: return group0_intid(held_is_enabled(), accessor);
        case ICC_HPPIR1_EL1: return group1_intid(held_is_enabled(), accessor);
        case ICC_BPR0_EL1: return bpr0_;
        case ICC_BPR1_EL1: return read_bpr1(security);
        case ICC_AP0R0_EL1:
        case ICC_AP0R1_EL1:
        case ICC_AP0R2_EL1:
        case ICC_AP0R3_EL1: return active_.bits(Group::g0, distance(reg, ICC_AP0R0_EL1));
        case ICC_AP1R0_EL1:
        case ICC_AP1R1_EL1:
        case ICC_AP1R2_EL1:
        case ICC_AP1R3_EL1: return read_ap1r(distance(reg, ICC_AP1R0_EL1), security);
        case ICC_RPR_EL1: return read_rpr(accessor);
        case ICC_CTLR_EL1: return read_ctlr(security);
        case ICC_SRE_EL1: return 0b111;  // SRE, DFB, DIB: RAO/WI without legacy operation
        case ICC_IGRPEN0_EL1: return enabled_.contains(Group::g0) ? 1 : 0;
        case ICC_IGRPEN1_EL1: return enabled_.contains(group1_of(security)) ? 1 : 0;
        case ICC_SRE_EL2:
        case ICC_SRE_EL3: return 0b1111;  // Enable too: lower levels may access ICC_SRE_ELx
        case ICC_CTLR_EL3: return read_ctlr_el3();
        case ICC_IGRPEN1_EL3:
            return (enabled_.contains(Group::g1ns) ? 1U : 0U) | (enabled_.contains(Group::g1s) ? 2U : 0U);
        default: return 0;
    }
}

void CpuInterfaceState::write(IccRegister reg, std::uint64_t value, Accessor accessor, Effects& effects) {
    if (is_read_only(reg) || !accessible(reg, accessor)) {
        ++guest_errors_;
        return;
    }
    const Security security = accessor.security;
    switch (reg) {
        case ICC_PMR_EL1: write_pmr(value, accessor, effects); break;
        case ICC_BPR0_EL1: write_bpr0(value); break;
        case ICC_BPR1_EL1: write_bpr1(value, security); break;
        case ICC_EOIR0_EL1: end_of_interrupt(value, Group::g0, accessor, effects); break;
        case ICC_EOIR1_EL1: end_of_interrupt(value, group1_of(security), accessor, effects); break;
        case ICC_DIR_EL1: deactivate(value, accessor, effects); break;
        case ICC_SGI0R_EL1: generate_sgi(SgiRegister::sgi0r, value, security, effects); break;
        case ICC_SGI1R_EL1: generate_sgi(SgiRegister::sgi1r, value, security, effects); break;
        case ICC_ASGI1R_EL1: generate_sgi(SgiRegister::asgi1r, value, security, effects); break;
        case ICC_CTLR_EL1: write_ctlr(value, security, effects); break;
        case ICC_IGRPEN0_EL1: enable_group(Group::g0, (value & 1) != 0, effects); break;
        case ICC_IGRPEN1_EL1: enable_group(group1_of(security), (value & 1) != 0, effects); break;
        case ICC_AP0R0_EL1:
        case ICC_AP0R1_EL1:
        case ICC_AP0R2_EL1:
        case ICC_AP0R3_EL1:
            active_.set_bits(Group::g0, distance(reg, ICC_AP0R0_EL1), static_cast<std::uint32_t>(value));
            update_signalled();
            break;
        case ICC_AP1R0_EL1:
        case ICC_AP1R1_EL1:
        case ICC_AP1R2_EL1:
        case ICC_AP1R3_EL1: write_ap1r(distance(reg, ICC_AP1R0_EL1), value, security); break;
        case ICC_CTLR_EL3: write_ctlr_el3(value, effects); break;
        case ICC_IGRPEN1_EL3:
            enable_group(Group::g1ns, (value & 1) != 0, effects);
            if (!single_security_) enable_group(Group::g1s, (value & 2) != 0, effects);
            break;
        default: break;  // ICC_SRE_EL1, _EL2, _EL3: WI
    }
}

/// @param available whether the held interrupt is there for this register at all
std::uint64_t CpuInterfaceState::group0_intid(bool available, Accessor accessor) const {
    if (!available) return index(spurious_intid);
    if (held_->group == Group::g0) return index(held_->intid);
    // EL3 is told to switch to the Security state that handles it.
    if (!accessor.el3 || !routing_modifier_ || single_security_) return index(spurious_intid);
    return index(held_->group == Group::g1s ? secure_group1_intid : non_secure_group1_intid);
}

std::uint64_t CpuInterfaceState::group1_intid(bool available, Accessor accessor) const {
    if (!available || held_->group == Group::g0) return index(spurious_intid);
    if (accessor.el3 && !single_security_) {
        return index(routing_modifier_ && held_->group == Group::g1ns ? non_secure_group1_intid : held_->intid);
    }
    return index(held_->group == group1_of(accessor.security) ? held_->intid : spurious_intid);
}

/// ICC_IAR1_EL1 or ICC_NMIAR1_EL1: which of the two acknowledges a non-maskable interrupt is up to SCTLR_ELx.NMI.
std::uint64_t CpuInterfaceState::acknowledgeable_group1(Accessor accessor, bool non_maskable) const {
    const std::uint64_t id = group1_intid(signalled_, accessor);
    if (!held_ || id != index(held_->intid)) return id;
    const bool by_nmiar = held_->non_maskable && pe_.sctlr_nmi;
    if (non_maskable) return by_nmiar ? id : index(spurious_intid);
    return by_nmiar ? index(non_maskable_intid) : id;
}

// ICC_AP1R0_EL1 and ICC_RPR_EL1 say at their top whether a non-maskable interrupt is active.
namespace {
constexpr unsigned nmi_bit = 63;
constexpr unsigned nmi_ns_bit = 62;
}  // namespace

std::uint64_t CpuInterfaceState::read_ap1r(unsigned n, Security security) const {
    const Group group = group1_of(security);
    const std::uint64_t nmi = n == 0 && active_.non_maskable(group) ? 1 : 0;
    return active_.bits(group, n) | nmi << nmi_bit;
}

void CpuInterfaceState::write_ap1r(unsigned n, std::uint64_t value, Security security) {
    const Group group = group1_of(security);
    active_.set_bits(group, n, static_cast<std::uint32_t>(value));
    if (n == 0 && non_maskable_) active_.set_non_maskable(group, (value >> nmi_bit & 1) != 0);
    update_signalled();
}

std::uint64_t CpuInterfaceState::read_rpr(Accessor accessor) const {
    const ActivePriorities::Running now = running();
    const bool shifted = restricted(accessor) && now.priority != 0xFF;
    std::uint64_t value = shifted ? non_secure_view(now.priority) : now.priority;
    if (now.non_maskable) {
        const bool secure_nmi = single_security_ || now.group == Group::g1s;
        if (!secure_nmi) {
            // Seen by Non-secure accesses as theirs, by others as the Non-secure one.
            value |= std::uint64_t{1} << (restricted(accessor) ? nmi_bit : nmi_ns_bit);
        } else if (!restricted(accessor)) {
            value |= std::uint64_t{1} << nmi_bit;
        }
    }
    return value;
}

std::uint64_t CpuInterfaceState::read_pmr(Accessor accessor) const {
    return restricted(accessor) ? non_secure_view(pmr_) : pmr_;
}

void CpuInterfaceState::write_pmr(std::uint64_t value, Accessor accessor, Effects& effects) {
    auto physical = static_cast<std::uint8_t>(value);
    if (restricted(accessor)) {
        // Non-secure software cannot lift a mask in the Secure half (IHI 0069, 4.8.1).
        if ((pmr_ & 0x80) == 0) return;
        // Shifted first, then cut to what is implemented: Linux finds out who owns Group 0 by the bit that gets lost.
        physical = from_non_secure_view(physical);
    }
    pmr_ = physical & implemented_priority_mask(priority_bits_);
    send_priority_mask(effects);
    update_signalled();
}

/// The binary point below which no bit of the priority can preempt.
std::uint8_t CpuInterfaceState::least_bpr0() const {
    return static_cast<std::uint8_t>(7 - std::min(priority_bits_, 7U));
}

std::uint8_t CpuInterfaceState::least_bpr1(Security security) const {
    return static_cast<std::uint8_t>(least_bpr0() + bank_index(security));
}

void CpuInterfaceState::write_bpr0(std::uint64_t value) {
    bpr0_ = std::max(static_cast<std::uint8_t>(value & 0b111), least_bpr0());
    update_signalled();
}

std::uint64_t CpuInterfaceState::read_bpr1(Security security) const {
    const Bank& own = bank(security);
    if (!own.cbpr) return own.bpr1;
    return bank_index(security) == 1 ? std::min(bpr0_ + 1, 7) : bpr0_;
}

void CpuInterfaceState::write_bpr1(std::uint64_t value, Security security) {
    if (!bank(security).cbpr) {
        bank(security).bpr1 = std::max(static_cast<std::uint8_t>(value & 0b111), least_bpr1(security));
        update_signalled();
    } else if (bank_index(security) == 0) {
        write_bpr0(value);
    }
}

// ICC_CTLR_EL1 and ICC_CTLR_EL3 (IHI 0069, 12.2.6 and 12.2.7).
namespace {
constexpr std::uint64_t bit(bool value, unsigned n) {
    return static_cast<std::uint64_t>(value ? 1 : 0) << n;
}
constexpr bool is_set(std::uint64_t value, unsigned n) {
    return (value >> n & 1) != 0;
}
constexpr unsigned ctlr_pmhe = 6;
}  // namespace

/// The fields that both have and that say what is implemented.
std::uint64_t CpuInterfaceState::fixed_ctlr_fields() const {
    constexpr std::uint64_t a3v = 1U << 15;
    constexpr std::uint64_t rss = 1U << 18;
    return static_cast<std::uint64_t>(priority_bits_ - 1) << 8 | a3v | rss | bit(extended_ranges_, 19);
}

std::uint64_t CpuInterfaceState::read_ctlr(Security security) const {
    const Bank& own = bank(security);
    return bit(own.cbpr, 0) | bit(own.eoi_mode, 1) | bit(pmhe_, ctlr_pmhe) | fixed_ctlr_fields();
}

void CpuInterfaceState::write_ctlr(std::uint64_t value, Security security, Effects& effects) {
    Bank& own = bank(security);
    own.eoi_mode = is_set(value, 1);
    // With two Security states CBPR and PMHE are read-only aliases of ICC_CTLR_EL3.
    if (!single_security_) return;
    own.cbpr = is_set(value, 0);
    pmhe_ = is_set(value, ctlr_pmhe);
    send_priority_mask(effects);
    update_signalled();
}

std::uint64_t CpuInterfaceState::read_ctlr_el3() const {
    return bit(banks_[0].cbpr, 0) | bit(banks_[1].cbpr, 1) | bit(eoi_mode_el3_, 2) | bit(banks_[0].eoi_mode, 3) |
           bit(banks_[1].eoi_mode, 4) | bit(routing_modifier_, 5) | bit(pmhe_, ctlr_pmhe) | fixed_ctlr_fields();
}

void CpuInterfaceState::write_ctlr_el3(std::uint64_t value, Effects& effects) {
    banks_[0].cbpr = is_set(value, 0);
    banks_[1].cbpr = is_set(value, 1);
    eoi_mode_el3_ = is_set(value, 2);
    banks_[0].eoi_mode = is_set(value, 3);
    banks_[1].eoi_mode = is_set(value, 4);
    routing_modifier_ = is_set(value, 5);
    pmhe_ = is_set(value, ctlr_pmhe);
    send_priority_mask(effects);
    update_signalled();
}

}  // namespace gicsim
