#include <algorithm>

#include "gicsim/gic/cpu_interface_state.h"

// Reads and writes of the ICC_ system registers (IHI 0069, 12.2).

namespace gicsim {
namespace {

using enum IccRegister;

constexpr bool is_write_only(IccRegister reg) {
    switch (reg) {
        case ICC_EOIR0_EL1:
        case ICC_EOIR1_EL1:
        case ICC_DIR_EL1:
        case ICC_SGI0R_EL1:
        case ICC_SGI1R_EL1:
        case ICC_ASGI1R_EL1: return true;
        default: return false;
    }
}

constexpr bool is_read_only(IccRegister reg) {
    switch (reg) {
        case ICC_IAR0_EL1:
        case ICC_IAR1_EL1:
        case ICC_HPPIR0_EL1:
        case ICC_HPPIR1_EL1:
        case ICC_RPR_EL1: return true;
        default: return false;
    }
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

bool CpuInterfaceState::may_read(IccRegister reg, Security security) const {
    return !is_write_only(reg) && !(is_group0(reg) && restricted(security));
}

std::uint64_t CpuInterfaceState::read(IccRegister reg, Security security, Effects& effects) {
    if (!may_read(reg, security)) {
        ++guest_errors_;
        return reg == ICC_IAR0_EL1 || reg == ICC_HPPIR0_EL1 ? index(spurious_intid) : 0;
    }
    switch (reg) {
        case ICC_IAR0_EL1: return acknowledge(Group::g0, effects);
        case ICC_IAR1_EL1: return acknowledge(group1_of(security), effects);
        default: return peek(reg, security);
    }
}

std::uint64_t CpuInterfaceState::peek(IccRegister reg, Security security) const {
    if (!may_read(reg, security)) {
        return reg == ICC_IAR0_EL1 || reg == ICC_HPPIR0_EL1 ? index(spurious_intid) : 0;
    }
    switch (reg) {
        case ICC_PMR_EL1: return read_pmr(security);
        case ICC_IAR0_EL1: return pending_intid(Group::g0);
        case ICC_IAR1_EL1: return pending_intid(group1_of(security));
        case ICC_HPPIR0_EL1: return highest_pending(Group::g0);
        case ICC_HPPIR1_EL1: return highest_pending(group1_of(security));
        case ICC_BPR0_EL1: return bpr0_;
        case ICC_BPR1_EL1: return read_bpr1(security);
        case ICC_AP0R0_EL1:
        case ICC_AP0R1_EL1:
        case ICC_AP0R2_EL1:
        case ICC_AP0R3_EL1: return active_.bits(Group::g0, distance(reg, ICC_AP0R0_EL1));
        case ICC_AP1R0_EL1:
        case ICC_AP1R1_EL1:
        case ICC_AP1R2_EL1:
        case ICC_AP1R3_EL1: return active_.bits(group1_of(security), distance(reg, ICC_AP1R0_EL1));
        case ICC_RPR_EL1: return read_rpr(security);
        case ICC_CTLR_EL1: return read_ctlr(security);
        case ICC_SRE_EL1: return 0b111;  // SRE, DFB, DIB: RAO/WI without legacy operation
        case ICC_IGRPEN0_EL1: return enabled_.contains(Group::g0) ? 1 : 0;
        case ICC_IGRPEN1_EL1: return enabled_.contains(group1_of(security)) ? 1 : 0;
        default: return 0;
    }
}

void CpuInterfaceState::write(IccRegister reg, std::uint64_t value, Security security, Effects& effects) {
    if (is_read_only(reg) || (is_group0(reg) && restricted(security))) {
        ++guest_errors_;
        return;
    }
    switch (reg) {
        case ICC_PMR_EL1: write_pmr(value, security, effects); break;
        case ICC_BPR0_EL1: write_bpr0(value); break;
        case ICC_BPR1_EL1: write_bpr1(value, security); break;
        case ICC_EOIR0_EL1: end_of_interrupt(value, Group::g0, security, effects); break;
        case ICC_EOIR1_EL1: end_of_interrupt(value, group1_of(security), security, effects); break;
        case ICC_DIR_EL1: deactivate(value, security, effects); break;
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
        case ICC_AP1R3_EL1:
            active_.set_bits(group1_of(security), distance(reg, ICC_AP1R0_EL1), static_cast<std::uint32_t>(value));
            update_signalled();
            break;
        default: break;  // ICC_SRE_EL1: WI
    }
}

/// ICC_HPPIRn shows what is pending whether or not its priority suffices; nothing while the group is disabled.
std::uint64_t CpuInterfaceState::highest_pending(Group group) const {
    return held_ && held_->group == group && enabled_.contains(group) ? index(held_->intid) : index(spurious_intid);
}

std::uint64_t CpuInterfaceState::read_pmr(Security security) const {
    return restricted(security) ? non_secure_view(pmr_) : pmr_;
}

void CpuInterfaceState::write_pmr(std::uint64_t value, Security security, Effects& effects) {
    auto physical = static_cast<std::uint8_t>(value);
    if (restricted(security)) {
        // Non-secure software cannot lift a mask in the Secure half (IHI 0069, 4.8.1).
        if ((pmr_ & 0x80) == 0) return;
        // Shifted first, then cut to what is implemented: Linux finds out who owns Group 0 by the bit that gets lost.
        physical = from_non_secure_view(physical);
    }
    pmr_ = physical & implemented_priority_mask(priority_bits_);
    send_priority_mask(effects);
    update_signalled();
}

std::uint64_t CpuInterfaceState::read_rpr(Security security) const {
    const std::uint8_t running = active_.running();
    return restricted(security) && running != 0xFF ? non_secure_view(running) : running;
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

std::uint64_t CpuInterfaceState::read_ctlr(Security security) const {
    constexpr std::uint64_t a3v = 1U << 15;
    constexpr std::uint64_t rss = 1U << 18;
    const Bank& own = bank(security);
    return (own.cbpr ? 1U : 0U) | (own.eoi_mode ? 1U << 1 : 0U) | (pmhe_ ? 1U << 6 : 0U) |
           static_cast<std::uint64_t>(priority_bits_ - 1) << 8 | a3v | rss;
}

void CpuInterfaceState::write_ctlr(std::uint64_t value, Security security, Effects& effects) {
    Bank& own = bank(security);
    own.eoi_mode = (value >> 1 & 1) != 0;
    // Read-only aliases of ICC_CTLR_EL3 with two Security states, except that here, without an EL3, Secure software
    // stands in for it.
    if (restricted(security)) return;
    own.cbpr = (value & 1) != 0;
    pmhe_ = (value >> 6 & 1) != 0;
    send_priority_mask(effects);
    update_signalled();
}

}  // namespace gicsim
