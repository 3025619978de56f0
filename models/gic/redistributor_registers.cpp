#include "gicsim/gic/redistributor_state.h"

// The RD_base and SGI_base frames of a Redistributor (IHI 0069, 12.10 and 12.11): tables and handlers.

namespace gicsim {

const RegisterFrame<RedistributorState>& RedistributorState::rd_frame() {
    using State = RedistributorState;
    using enum RegisterAccess;
    using enum RegisterSecurity;
    using Sizes = AccessSizes;
    static const RegisterFrame<State> frame(
        "GICR_RD", 0x10000,
        {
            {0x0000, 1, "GICR_CTLR", 32, Sizes::word, read_write, any, 0, &State::read_ctlr, &State::write_nothing},
            {0x0004, 1, "GICR_IIDR", 32, Sizes::word, read_only, any, 0, &State::read_zero},
            {0x0008, 1, "GICR_TYPER", 64, Sizes::word_or_double, read_only, any, 0, &State::read_typer},
            {0x0010, 1, "GICR_STATUSR", 32, Sizes::word, read_write, any, 0, &State::read_zero, &State::write_nothing},
            {0x0014, 1, "GICR_WAKER", 32, Sizes::word, read_write, secure, 0b110, &State::read_waker,
             &State::write_waker},
            {0x0040, 1, "GICR_SETLPIR", 64, Sizes::word_or_double, write_only, any, 0},
            {0x0048, 1, "GICR_CLRLPIR", 64, Sizes::word_or_double, write_only, any, 0},
            {0x0070, 1, "GICR_PROPBASER", 64, Sizes::word_or_double, read_write, any, 0},
            {0x0078, 1, "GICR_PENDBASER", 64, Sizes::word_or_double, read_write, any, 0},
            {0x00A0, 1, "GICR_INVLPIR", 64, Sizes::word_or_double, write_only, any, 0},
            {0x00B0, 1, "GICR_INVALLR", 64, Sizes::word_or_double, write_only, any, 0},
            {0x00C0, 1, "GICR_SYNCR", 32, Sizes::word, read_only, any, 0},
            {0xFFE8, 1, "GICR_PIDR2", 32, Sizes::word, read_only, any, 0x30, &State::read_pidr2},
        });
    return frame;
}

const RegisterFrame<RedistributorState>& RedistributorState::sgi_frame() {
    using State = RedistributorState;
    using enum RegisterAccess;
    using enum RegisterSecurity;
    using Sizes = AccessSizes;
    static const RegisterFrame<State> frame(
        "GICR_SGI", 0x10000,
        {
            {0x0080, 1, "GICR_IGROUPR0", 32, Sizes::word, read_write, secure, 0, &State::read_igroupr0,
             &State::write_igroupr0},
            {0x0100, 1, "GICR_ISENABLER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_enabled,
             &State::write_isenabler0},
            {0x0180, 1, "GICR_ICENABLER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_enabled,
             &State::write_icenabler0},
            {0x0200, 1, "GICR_ISPENDR0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_pending,
             &State::write_ispendr0},
            {0x0280, 1, "GICR_ICPENDR0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_pending,
             &State::write_icpendr0},
            {0x0300, 1, "GICR_ISACTIVER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_active,
             &State::write_isactiver0},
            {0x0380, 1, "GICR_ICACTIVER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_active,
             &State::write_icactiver0},
            {0x0400, 8, "GICR_IPRIORITYR", 32, Sizes::byte_or_word, read_write, by_interrupt, 0,
             &State::read_ipriorityr, &State::write_ipriorityr},
            {0x0C00, 1, "GICR_ICFGR0", 32, Sizes::word, read_only, by_interrupt, 0xAAAAAAAA, &State::read_icfgr0},
            {0x0C04, 1, "GICR_ICFGR1", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_icfgr1,
             &State::write_icfgr1},
            {0x0D00, 1, "GICR_IGRPMODR0", 32, Sizes::word, read_write, secure, 0, &State::read_igrpmodr0,
             &State::write_igrpmodr0},
            {0x0E00, 1, "GICR_NSACR", 32, Sizes::word, read_write, secure, 0, &State::read_nsacr, &State::write_nsacr},
        });
    return frame;
}

std::uint64_t RedistributorState::read_zero(unsigned, Security) const {
    return 0;
}

void RedistributorState::write_nothing(unsigned, const RegisterWrite&, Effects&) {}

std::uint64_t RedistributorState::read_ctlr(unsigned, Security) const {
    // RWP; EnableLPIs and DPGn come with LPIs and 1-of-N.
    const bool rwp = writes_pending_ > 0 || clears_before_write_done_ > 0;
    return rwp ? std::uint64_t{1} << 3 : 0;
}

std::uint64_t RedistributorState::read_typer(unsigned, Security) const {
    return static_cast<std::uint64_t>(affinity_.packed()) << 32 |
           static_cast<std::uint64_t>(index(cpu_) & 0xFFFF) << 8 | static_cast<std::uint64_t>(last_ ? 1 : 0) << 4;
}

std::uint64_t RedistributorState::read_pidr2(unsigned, Security) const {
    return 0x30;  // ArchRev = 3
}

std::uint64_t RedistributorState::read_waker(unsigned, Security) const {
    return static_cast<std::uint64_t>(processor_sleep_ ? 1 : 0) << 1 |
           static_cast<std::uint64_t>(children_asleep() ? 1 : 0) << 2;
}

void RedistributorState::write_waker(unsigned, const RegisterWrite& write, Effects& effects) {
    processor_sleep_ = (write.value >> 1 & 1) != 0;
    follow_processor_sleep(effects);
}

std::uint64_t RedistributorState::read_igroupr0(unsigned, Security) const {
    return igroupr0_;
}

void RedistributorState::write_igroupr0(unsigned, const RegisterWrite& write, Effects& effects) {
    igroupr0_ = static_cast<std::uint32_t>(write.value);
    evaluate(effects);
}

std::uint64_t RedistributorState::read_igrpmodr0(unsigned, Security) const {
    return single_security_ ? 0 : igrpmodr0_;
}

void RedistributorState::write_igrpmodr0(unsigned, const RegisterWrite& write, Effects& effects) {
    if (single_security_) return;
    igrpmodr0_ = static_cast<std::uint32_t>(write.value);
    evaluate(effects);
}

std::uint64_t RedistributorState::read_enabled(unsigned, Security security) const {
    return enabled_ & visible_to(security);
}

void RedistributorState::write_isenabler0(unsigned, const RegisterWrite& write, Effects& effects) {
    enabled_ |= static_cast<std::uint32_t>(write.value) & visible_to(write.security);
    evaluate(effects);
}

void RedistributorState::write_icenabler0(unsigned, const RegisterWrite& write, Effects& effects) {
    enabled_ &= ~(static_cast<std::uint32_t>(write.value) & visible_to(write.security));
    evaluate(effects);
    // RWP says that the change is seen everywhere: a Set that it recalls must have come back (GICR_CTLR.RWP).
    clears_before_write_done_ = clears_unanswered_;
    start_write(effects);
}

std::uint64_t RedistributorState::read_pending(unsigned, Security security) const {
    return pending() & visible_to(security);
}

void RedistributorState::write_ispendr0(unsigned, const RegisterWrite& write, Effects& effects) {
    latch_ |= static_cast<std::uint32_t>(write.value) & visible_to(write.security);
    evaluate(effects);
}

void RedistributorState::write_icpendr0(unsigned, const RegisterWrite& write, Effects& effects) {
    // The latch only: a level-sensitive input that is high stays pending.
    latch_ &= ~(static_cast<std::uint32_t>(write.value) & visible_to(write.security));
    evaluate(effects);
}

std::uint64_t RedistributorState::read_active(unsigned, Security security) const {
    return active_ & visible_to(security);
}

void RedistributorState::write_isactiver0(unsigned, const RegisterWrite& write, Effects& effects) {
    active_ |= static_cast<std::uint32_t>(write.value) & visible_to(write.security);
    evaluate(effects);
}

void RedistributorState::write_icactiver0(unsigned, const RegisterWrite& write, Effects& effects) {
    active_ &= ~(static_cast<std::uint32_t>(write.value) & visible_to(write.security));
    evaluate(effects);
}

std::uint64_t RedistributorState::read_ipriorityr(unsigned n, Security security) const {
    const bool shifted = !single_security_ && security == Security::non_secure;
    std::uint64_t word = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
        const unsigned id = 4 * n + lane;
        if ((visible_to(security) >> id & 1) == 0) continue;
        // Shifted whatever half it is in: unlike ICC_PMR_EL1 and ICC_RPR_EL1, which hide the Secure half, the field is
        // the interrupt's own, and Secure software may have put it there (IHI 0069, 4.8.6).
        const auto seen = static_cast<std::uint8_t>(shifted ? priority_[id] << 1 : priority_[id]);
        word |= static_cast<std::uint64_t>(seen) << (8 * lane);
    }
    return word;
}

void RedistributorState::write_ipriorityr(unsigned n, const RegisterWrite& write, Effects& effects) {
    const bool shifted = !single_security_ && write.security == Security::non_secure;
    for (unsigned lane = 0; lane < 4; ++lane) {
        const unsigned id = 4 * n + lane;
        const bool covered = (write.mask >> (8 * lane) & 0xFF) != 0;
        if (!covered || (visible_to(write.security) >> id & 1) == 0) continue;
        const auto written = static_cast<std::uint8_t>(write.value >> (8 * lane));
        const std::uint8_t physical = shifted ? from_non_secure_view(written) : written;
        priority_[id] = physical & priority_mask_;
    }
    evaluate(effects);
}

std::uint64_t RedistributorState::read_icfgr0(unsigned, Security security) const {
    return configuration_bits(visible_to(security) & 0xFFFF);
}

std::uint64_t RedistributorState::read_icfgr1(unsigned, Security security) const {
    return configuration_bits(edge_triggered_ & visible_to(security) >> 16);
}

void RedistributorState::write_icfgr1(unsigned, const RegisterWrite& write, Effects& effects) {
    // Only bit 1 of each field is defined, and it is read from the field's own position.
    std::uint32_t edges = 0;
    for (unsigned n = 0; n < 16; ++n) edges |= static_cast<std::uint32_t>(write.value >> (2 * n + 1) & 1) << n;
    const std::uint32_t changeable = visible_to(write.security) >> 16;
    edge_triggered_ = (edge_triggered_ & ~changeable) | (edges & changeable);
    evaluate(effects);
}

std::uint64_t RedistributorState::read_nsacr(unsigned, Security) const {
    return single_security_ ? 0 : nsacr_;
}

void RedistributorState::write_nsacr(unsigned, const RegisterWrite& write, Effects&) {
    if (!single_security_) nsacr_ = static_cast<std::uint32_t>(write.value);
}

std::uint32_t RedistributorState::configuration_bits(std::uint32_t edges) {
    std::uint32_t word = 0;
    for (unsigned n = 0; n < 16; ++n) word |= (edges >> n & 1U) << (2 * n + 1);
    return word;
}

}  // namespace gicsim
