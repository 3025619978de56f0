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
            {0x0000, 1, "GICR_CTLR", 32, Sizes::word, read_write, any, 0, &State::read_ctlr, &State::write_ctlr},
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
            {0xFFD0, 4, "GICR_PIDR4", 32, Sizes::word, read_only, any, 0, &State::read_zero},
            {0xFFE0, 2, "GICR_PIDR0", 32, Sizes::word, read_only, any, 0, &State::read_zero},
            {0xFFE8, 1, "GICR_PIDR2", 32, Sizes::word, read_only, any, 0x30, &State::read_pidr2},
            {0xFFEC, 1, "GICR_PIDR3", 32, Sizes::word, read_only, any, 0, &State::read_zero},
            {0xFFF0, 1, "GICR_CIDR0", 32, Sizes::word, read_only, any, 0x0D, &State::read_component_id<0>},
            {0xFFF4, 1, "GICR_CIDR1", 32, Sizes::word, read_only, any, 0xF0, &State::read_component_id<1>},
            {0xFFF8, 1, "GICR_CIDR2", 32, Sizes::word, read_only, any, 0x05, &State::read_component_id<2>},
            {0xFFFC, 1, "GICR_CIDR3", 32, Sizes::word, read_only, any, 0xB1, &State::read_component_id<3>},
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
            {0x0080, 3, "GICR_IGROUPR", 32, Sizes::word, read_write, secure, 0, &State::read_igroupr,
             &State::write_igroupr},
            {0x0100, 3, "GICR_ISENABLER", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_enabled,
             &State::write_isenabler},
            {0x0180, 3, "GICR_ICENABLER", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_enabled,
             &State::write_icenabler},
            {0x0200, 3, "GICR_ISPENDR", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_pending,
             &State::write_ispendr},
            {0x0280, 3, "GICR_ICPENDR", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_pending,
             &State::write_icpendr},
            {0x0300, 3, "GICR_ISACTIVER", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_active,
             &State::write_isactiver},
            {0x0380, 3, "GICR_ICACTIVER", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_active,
             &State::write_icactiver},
            {0x0400, 24, "GICR_IPRIORITYR", 32, Sizes::byte_or_word, read_write, by_interrupt, 0,
             &State::read_ipriorityr, &State::write_ipriorityr},
            {0x0C00, 1, "GICR_ICFGR0", 32, Sizes::word, read_only, by_interrupt, 0xAAAAAAAA, &State::read_icfgr0},
            {0x0C04, 5, "GICR_ICFGR", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_icfgr,
             &State::write_icfgr},
            {0x0D00, 3, "GICR_IGRPMODR", 32, Sizes::word, read_write, secure, 0, &State::read_igrpmodr,
             &State::write_igrpmodr},
            {0x0E00, 1, "GICR_NSACR", 32, Sizes::word, read_write, secure, 0, &State::read_nsacr, &State::write_nsacr},
            {0x0F80, 3, "GICR_INMIR", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_inmir,
             &State::write_inmir},
        });
    return frame;
}

std::uint64_t RedistributorState::read_zero(unsigned, Security) const {
    return 0;
}

void RedistributorState::write_nothing(unsigned, const RegisterWrite&, Effects&) {}

// GICR_CTLR (IHI 0069, 12.11.2). EnableLPIs, CES and IR are zero without LPIs. UWP too: what a CPU interface sends is
// acted on when it arrives.
namespace {
constexpr unsigned ctlr_rwp = 3;
constexpr unsigned ctlr_dpg0 = 24;
constexpr unsigned ctlr_dpg1ns = 25;
constexpr unsigned ctlr_dpg1s = 26;
}  // namespace

std::uint64_t RedistributorState::read_ctlr(unsigned, Security security) const {
    const auto field = [](bool value, unsigned n) { return static_cast<std::uint64_t>(value ? 1 : 0) << n; };
    const bool all = single_security_ || security == Security::secure;
    return field(writes_pending_ > 0 || clears_before_write_done_ > 0, ctlr_rwp) |
           field(all && refused_groups_.contains(Group::g0), ctlr_dpg0) |
           field(refused_groups_.contains(Group::g1ns), ctlr_dpg1ns) |
           field(all && refused_groups_.contains(Group::g1s), ctlr_dpg1s);
}

void RedistributorState::write_ctlr(unsigned, const RegisterWrite& write, Effects& effects) {
    if (!one_of_n_) return;  // GICR_TYPER.DPGS = 0
    const GroupSet old = refused_groups_;
    const auto bit = [&](unsigned n) { return (write.value >> n & 1) != 0; };
    refused_groups_.set(Group::g1ns, bit(ctlr_dpg1ns));
    if (single_security_ || write.security == Security::secure) {
        refused_groups_.set(Group::g0, bit(ctlr_dpg0));
        if (!single_security_) refused_groups_.set(Group::g1s, bit(ctlr_dpg1s));
    }
    if (refused_groups_ == old) return;
    start_write(effects);
    evaluate(effects);
}

std::uint64_t RedistributorState::read_typer(unsigned, Security) const {
    const std::uint64_t ppi_ranges = words_ - 1;  // PPInum: 0, 1 or 2 words of extended PPIs
    return static_cast<std::uint64_t>(affinity_.packed()) << 32 | ppi_ranges << 27 |
           static_cast<std::uint64_t>(index(cpu_) & 0xFFFF) << 8 | static_cast<std::uint64_t>(one_of_n_ ? 1 : 0) << 5 |
           static_cast<std::uint64_t>(last_ ? 1 : 0) << 4;
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

// The arrays by INTID: register n is word n of the file.

std::uint64_t RedistributorState::read_igroupr(unsigned w, Security) const {
    return file_.read_group(w);
}

void RedistributorState::write_igroupr(unsigned w, const RegisterWrite& write, Effects& effects) {
    file_.write_group(w, write);
    evaluate(effects);
}

std::uint64_t RedistributorState::read_igrpmodr(unsigned w, Security) const {
    return file_.read_modifier(w);
}

void RedistributorState::write_igrpmodr(unsigned w, const RegisterWrite& write, Effects& effects) {
    file_.write_modifier(w, write);
    evaluate(effects);
}

std::uint64_t RedistributorState::read_enabled(unsigned w, Security security) const {
    return file_.read_enabled(w, security);
}

void RedistributorState::write_isenabler(unsigned w, const RegisterWrite& write, Effects& effects) {
    file_.write_enable(w, write);
    evaluate(effects);
}

void RedistributorState::write_icenabler(unsigned w, const RegisterWrite& write, Effects& effects) {
    file_.write_disable(w, write);
    evaluate(effects);
    // RWP says that the change is seen everywhere: a Set that it recalls must have come back (GICR_CTLR.RWP).
    clears_before_write_done_ = clears_unanswered_;
    start_write(effects);
}

std::uint64_t RedistributorState::read_pending(unsigned w, Security security) const {
    return file_.pending(w) & file_.visible(w, security);
}

void RedistributorState::write_ispendr(unsigned w, const RegisterWrite& write, Effects& effects) {
    file_.set_latches(w, static_cast<std::uint32_t>(write.value) & file_.visible(w, write.security));
    evaluate(effects);
}

void RedistributorState::write_icpendr(unsigned w, const RegisterWrite& write, Effects& effects) {
    file_.clear_latches(w, static_cast<std::uint32_t>(write.value) & file_.visible(w, write.security));
    evaluate(effects);
}

std::uint64_t RedistributorState::read_active(unsigned w, Security security) const {
    return file_.active_word(w) & file_.visible(w, security);
}

void RedistributorState::write_isactiver(unsigned w, const RegisterWrite& write, Effects& effects) {
    file_.set_active(w, static_cast<std::uint32_t>(write.value) & file_.visible(w, write.security));
    evaluate(effects);
}

void RedistributorState::write_icactiver(unsigned w, const RegisterWrite& write, Effects& effects) {
    file_.clear_active(w, static_cast<std::uint32_t>(write.value) & file_.visible(w, write.security));
    evaluate(effects);
}

std::uint64_t RedistributorState::read_ipriorityr(unsigned n, Security security) const {
    return file_.read_priorities(n, security);
}

void RedistributorState::write_ipriorityr(unsigned n, const RegisterWrite& write, Effects& effects) {
    file_.write_priorities(n, write);
    evaluate(effects);
}

std::uint64_t RedistributorState::read_icfgr0(unsigned, Security security) const {
    return file_.read_configuration(0, security);
}

std::uint64_t RedistributorState::read_icfgr(unsigned n, Security security) const {
    return file_.read_configuration(n + 1, security);
}

void RedistributorState::write_icfgr(unsigned n, const RegisterWrite& write, Effects& effects) {
    file_.write_configuration(n + 1, write);
    evaluate(effects);
}

std::uint64_t RedistributorState::read_nsacr(unsigned, Security) const {
    return file_.read_nsacr(0);
}

void RedistributorState::write_nsacr(unsigned, const RegisterWrite& write, Effects&) {
    file_.write_nsacr(0, write);
}

std::uint64_t RedistributorState::read_inmir(unsigned w, Security security) const {
    return file_.read_non_maskable(w, security);
}

void RedistributorState::write_inmir(unsigned w, const RegisterWrite& write, Effects& effects) {
    if (!non_maskable_) return;
    file_.write_non_maskable(w, write);
    evaluate(effects);
}

}  // namespace gicsim
