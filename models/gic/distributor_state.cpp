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
    : targets_(affinities) {
    reset(parameters);
}

void DistributorState::reset(const GicParameters& parameters) {
    groups_ = GroupSet{};
    single_security_ = parameters.single_security;
    e1nwf_ = false;
    writes_pending_ = 0;
    unimplemented_accesses_ = 0;
}

const RegisterFrame<DistributorState>& DistributorState::frame() {
    using State = DistributorState;
    using enum RegisterAccess;
    using enum RegisterSecurity;
    using Sizes = AccessSizes;
    // The first word of each array by INTID is RES0: private interrupts live in the Redistributors while affinity
    // routing is on (IHI 0069, 12.8). The rows behind them wait for SPIs.
    static const RegisterFrame<State> frame(
        "GICD", 0x10000,
        {
            {0x0000, 1, "GICD_CTLR", 32, Sizes::word, read_write, any, 0x30, &State::read_ctlr, &State::write_ctlr},
            {0x0004, 1, "GICD_TYPER", 32, Sizes::word, read_only, any, 0x0778'0400, &State::read_typer},
            {0x0008, 1, "GICD_IIDR", 32, Sizes::word, read_only, any, 0, &State::read_zero},
            {0x000C, 1, "GICD_TYPER2", 32, Sizes::word, read_only, any, 0, &State::read_zero},
            {0x0010, 1, "GICD_STATUSR", 32, Sizes::word, read_write, any, 0, &State::read_zero, &State::write_nothing},
            {0x0040, 1, "GICD_SETSPI_NSR", 32, Sizes::word, write_only, any, 0},
            {0x0048, 1, "GICD_CLRSPI_NSR", 32, Sizes::word, write_only, any, 0},
            {0x0050, 1, "GICD_SETSPI_SR", 32, Sizes::word, write_only, secure, 0},
            {0x0058, 1, "GICD_CLRSPI_SR", 32, Sizes::word, write_only, secure, 0},
            {0x0080, 1, "GICD_IGROUPR0", 32, Sizes::word, read_write, secure, 0, &State::read_zero,
             &State::write_nothing},
            {0x0084, 31, "GICD_IGROUPR", 32, Sizes::word, read_write, secure, 0},
            {0x0100, 1, "GICD_ISENABLER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0104, 31, "GICD_ISENABLER", 32, Sizes::word, read_write, by_interrupt, 0},
            {0x0180, 1, "GICD_ICENABLER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0184, 31, "GICD_ICENABLER", 32, Sizes::word, read_write, by_interrupt, 0},
            {0x0200, 1, "GICD_ISPENDR0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0204, 31, "GICD_ISPENDR", 32, Sizes::word, read_write, by_interrupt, 0},
            {0x0280, 1, "GICD_ICPENDR0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0284, 31, "GICD_ICPENDR", 32, Sizes::word, read_write, by_interrupt, 0},
            {0x0300, 1, "GICD_ISACTIVER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0304, 31, "GICD_ISACTIVER", 32, Sizes::word, read_write, by_interrupt, 0},
            {0x0380, 1, "GICD_ICACTIVER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0384, 31, "GICD_ICACTIVER", 32, Sizes::word, read_write, by_interrupt, 0},
            {0x0400, 8, "GICD_IPRIORITYR0", 32, Sizes::byte_or_word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0420, 247, "GICD_IPRIORITYR", 32, Sizes::byte_or_word, read_write, by_interrupt, 0},
            {0x0C00, 2, "GICD_ICFGR0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0C08, 62, "GICD_ICFGR", 32, Sizes::word, read_write, by_interrupt, 0},
            {0x0D00, 1, "GICD_IGRPMODR0", 32, Sizes::word, read_write, secure, 0, &State::read_zero,
             &State::write_nothing},
            {0x0D04, 31, "GICD_IGRPMODR", 32, Sizes::word, read_write, secure, 0},
            {0x0E00, 2, "GICD_NSACR0", 32, Sizes::word, read_write, secure, 0, &State::read_zero,
             &State::write_nothing},
            {0x0E08, 62, "GICD_NSACR", 32, Sizes::word, read_write, secure, 0},
            {0x6100, 988, "GICD_IROUTER", 64, Sizes::word_or_double, read_write, by_interrupt, 0},
            {0xFFE8, 1, "GICD_PIDR2", 32, Sizes::word, read_only, any, 0x30, &State::read_pidr2},
        });
    return frame;
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

std::uint64_t DistributorState::read_zero(unsigned, Security) const {
    return 0;
}

void DistributorState::write_nothing(unsigned, const RegisterWrite&, Effects&) {}

std::uint64_t DistributorState::read_ctlr(unsigned, Security security) const {
    const std::uint64_t common = field(writes_pending_ > 0, ctlr::rwp);
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
    effects.enables_changed = groups_ != old_groups || single_security_ != old_single_security;
    const bool some_enable_cleared = (old_groups.bits() & ~groups_.bits()) != 0;
    if (some_enable_cleared || single_security_ != old_single_security) {
        ++writes_pending_;
        effects.write_started = true;
    }
}

std::uint64_t DistributorState::read_typer(unsigned, Security) const {
    constexpr std::uint64_t id_bits = 15U << 19;  // 16 bits of INTID
    constexpr std::uint64_t a3v = 1U << 24;
    constexpr std::uint64_t no_1_of_n = 1U << 25;
    constexpr std::uint64_t rss = 1U << 26;
    // ITLinesNumber = 0: SGIs and PPIs only. SecurityExtn is RAZ when DS = 1.
    return field(!single_security_, 10) | id_bits | a3v | no_1_of_n | rss;
}

std::uint64_t DistributorState::read_pidr2(unsigned, Security) const {
    return 0x30;  // ArchRev = 3
}

}  // namespace gicsim
