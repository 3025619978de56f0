#include "gicsim/gic/distributor_state.h"

namespace gicsim {
namespace {

// GICD_CTLR (IHI 0069, 12.9.4): one layout each for Secure accesses, Non-secure accesses, and one Security state.
namespace ctlr {
constexpr unsigned secure_enable_grp0 = 0;
constexpr unsigned secure_enable_grp1ns = 1;
constexpr unsigned secure_enable_grp1s = 2;
constexpr unsigned secure_are_s = 4;
constexpr unsigned secure_are_ns = 5;
constexpr unsigned non_secure_enable_grp1a = 1;
constexpr unsigned non_secure_are = 4;
constexpr unsigned single_enable_grp0 = 0;
constexpr unsigned single_enable_grp1 = 1;
constexpr unsigned single_are = 4;
constexpr unsigned ds = 6;
constexpr unsigned e1nwf = 7;
constexpr unsigned rwp = 31;
}  // namespace ctlr

constexpr bool bit(std::uint64_t value, unsigned n) {
    return (value >> n & 1) != 0;
}
constexpr std::uint64_t field(bool value, unsigned n) {
    return static_cast<std::uint64_t>(value ? 1 : 0) << n;
}

}  // namespace

DistributorState::DistributorState(const GicParameters& parameters, std::span<const Affinity> affinities)
    : targets_(affinities), spis_(affinities) {
    reset(parameters);
}

void DistributorState::reset(const GicParameters& parameters) {
    parameters_ = parameters;
    spis_.reset(parameters);
    groups_ = GroupSet{};
    single_security_ = parameters.single_security;
    e1nwf_ = false;
    writes_pending_ = 0;
    recalls_before_write_done_ = 0;
    unimplemented_accesses_ = 0;
}

AccessResult DistributorState::peek(std::uint32_t offset, unsigned size, Security security) const {
    return frame().read(*this, offset, size, security, single_security_);
}

AccessResult DistributorState::read(std::uint32_t offset, unsigned size, Security security) {
    const AccessResult result = peek(offset, size, security);
    if (!result.built) ++unimplemented_accesses_;
    return result;
}

AccessStatus DistributorState::write(std::uint32_t offset, std::uint64_t value, unsigned size, Security security,
                                     Effects& effects) {
    const AccessResult result = frame().write(*this, offset, value, size, security, single_security_, effects);
    if (!result.built) ++unimplemented_accesses_;
    return result.status;
}

void DistributorState::write_done() {
    if (writes_pending_ > 0) --writes_pending_;
}

void DistributorState::receive(const GicMessage& message, Effects& effects) {
    const std::uint64_t answered = spis_.recalls_answered();
    spis_.receive(message, effects.messages);
    // Answers come in the order of the questions to one PE only, so that this may wait longer than it must. That an
    // answer makes the SPIs recall another is none of it.
    if (spis_.recalls_answered() != answered && recalls_before_write_done_ > 0) --recalls_before_write_done_;
}

std::uint64_t DistributorState::read_zero(unsigned, Security) const {
    return 0;
}

void DistributorState::write_nothing(unsigned, const RegisterWrite&, Effects&) {}

std::uint64_t DistributorState::read_ctlr(unsigned, Security security) const {
    const std::uint64_t common = field(writes_pending_ > 0 || recalls_before_write_done_ > 0, ctlr::rwp);
    const bool g0 = groups_.contains(Group::g0);
    const bool g1s = groups_.contains(Group::g1s);
    const bool g1ns = groups_.contains(Group::g1ns);
    if (single_security_) {
        return common | field(g0, ctlr::single_enable_grp0) | field(g1ns, ctlr::single_enable_grp1) |
               field(true, ctlr::single_are) | field(true, ctlr::ds) | field(e1nwf_, ctlr::e1nwf);
    }
    if (security == Security::non_secure) {
        return common | field(g1ns, ctlr::non_secure_enable_grp1a) | field(true, ctlr::non_secure_are);
    }
    return common | field(g0, ctlr::secure_enable_grp0) | field(g1ns, ctlr::secure_enable_grp1ns) |
           field(g1s, ctlr::secure_enable_grp1s) | field(true, ctlr::secure_are_s) | field(true, ctlr::secure_are_ns) |
           field(e1nwf_, ctlr::e1nwf);
}

void DistributorState::write_ctlr(unsigned, const RegisterWrite& write, Effects& effects) {
    const GroupSet old_groups = groups_;
    const bool old_single_security = single_security_;
    if (single_security_) {
        groups_.set(Group::g0, bit(write.value, ctlr::single_enable_grp0));
        groups_.set(Group::g1ns, bit(write.value, ctlr::single_enable_grp1));
        e1nwf_ = bit(write.value, ctlr::e1nwf);
    } else if (write.security == Security::non_secure) {
        groups_.set(Group::g1ns, bit(write.value, ctlr::non_secure_enable_grp1a));
    } else {
        groups_.set(Group::g0, bit(write.value, ctlr::secure_enable_grp0));
        groups_.set(Group::g1ns, bit(write.value, ctlr::secure_enable_grp1ns));
        groups_.set(Group::g1s, bit(write.value, ctlr::secure_enable_grp1s));
        e1nwf_ = bit(write.value, ctlr::e1nwf);
        // DS goes from 0 to 1 only; a reset is the way back.
        if (bit(write.value, ctlr::ds)) {
            single_security_ = true;
            groups_.set(Group::g1s, false);
        }
    }
    spis_.set_e1nwf(e1nwf_, effects.messages);
    if (groups_ != old_groups || single_security_ != old_single_security) {
        spis_.set_groups(groups_, single_security_, effects.messages);
    }
    effects.enables_changed = groups_ != old_groups || single_security_ != old_single_security;
    const bool some_enable_cleared = (old_groups.bits() & ~groups_.bits()) != 0;
    if (some_enable_cleared || single_security_ != old_single_security) {
        start_write(effects);
    }
}

/// RWP says that the change is seen everywhere: an SPI that it recalls must have come back (GICD_CTLR.RWP).
void DistributorState::start_write(Effects& effects) {
    recalls_before_write_done_ = spis_.recalls_unanswered();
    ++writes_pending_;
    effects.write_started = true;
}

std::uint64_t DistributorState::read_typer(unsigned, Security) const {
    constexpr std::uint64_t id_bits = 15U << 19;  // 16 bits of INTID
    constexpr std::uint64_t a3v = 1U << 24;
    constexpr std::uint64_t rss = 1U << 26;
    const std::uint64_t lines = (parameters_.spis + 31) / 32;  // ITLinesNumber: words of 32 besides the first
    const std::uint64_t extended =
        parameters_.extended_spis > 0 ? std::uint64_t{parameters_.extended_spis / 32 - 1} << 27 | 1U << 8 : 0;
    // SecurityExtn is RAZ when DS = 1.
    return lines | extended | field(parameters_.non_maskable, 9) | field(!single_security_, 10) |
           field(parameters_.spis + parameters_.extended_spis > 0, 16) | id_bits | a3v |
           field(!parameters_.one_of_n, 25) | rss;
}

std::uint64_t DistributorState::read_pidr2(unsigned, Security) const {
    return 0x30;  // ArchRev = 3
}

}  // namespace gicsim
