#include "gicsim/gic/distributor_state.h"

// The GICD frame (IHI 0069, 12.8 and 12.9): table, and the handlers of the arrays by INTID.

namespace gicsim {
namespace {

constexpr std::uint32_t low(const RegisterWrite& write) {
    return static_cast<std::uint32_t>(write.value);
}

/// Least GICD_NSACR<n> field that opens an interrupt to Non-secure accesses of a kind.
constexpr unsigned opens_set_pending = 1;
constexpr unsigned opens_clear_pending = 2;
constexpr unsigned opens_active = 2;  // to reads
constexpr unsigned opens_route = 3;

}  // namespace

template <bool set, Security writer>
void DistributorState::write_message(unsigned, const RegisterWrite& write, Effects& effects) {
    constexpr std::uint64_t intid_field = 0x1FFF;
    const Intid id = intid(static_cast<std::uint32_t>(write.value & intid_field));
    const std::optional<unsigned> slot = SpiBank::slot_of(id);
    if (!slot || !spis_.file().implemented(*slot)) return;
    // The _NSR registers are for Non-secure interrupts whoever writes them, the _SR ones for Secure ones.
    const std::uint32_t seen = spis_.file().visible(*slot / 32, writer, set ? opens_set_pending : opens_clear_pending);
    if ((seen >> *slot % 32 & 1) != 0) spis_.set_message(id, set, effects.messages);
}

template <unsigned first>
std::uint64_t DistributorState::read_igroupr(unsigned n, Security) const {
    return spis_.file().read_group(first + n);
}

template <unsigned first>
void DistributorState::write_igroupr(unsigned n, const RegisterWrite& write, Effects& effects) {
    spis_.file().write_group(first + n, write);
    spis_.word_changed(first + n, effects.messages);
}

template <unsigned first>
std::uint64_t DistributorState::read_igrpmodr(unsigned n, Security) const {
    return spis_.file().read_modifier(first + n);
}

template <unsigned first>
void DistributorState::write_igrpmodr(unsigned n, const RegisterWrite& write, Effects& effects) {
    spis_.file().write_modifier(first + n, write);
    spis_.word_changed(first + n, effects.messages);
}

template <unsigned first>
std::uint64_t DistributorState::read_enabled(unsigned n, Security security) const {
    return spis_.file().read_enabled(first + n, security);
}

template <unsigned first>
void DistributorState::write_isenabler(unsigned n, const RegisterWrite& write, Effects& effects) {
    spis_.file().write_enable(first + n, write);
    spis_.word_changed(first + n, effects.messages);
}

template <unsigned first>
void DistributorState::write_icenabler(unsigned n, const RegisterWrite& write, Effects& effects) {
    spis_.file().write_disable(first + n, write);
    spis_.word_changed(first + n, effects.messages);
    start_write(effects);
}

template <unsigned first, unsigned least>
std::uint64_t DistributorState::read_pending(unsigned n, Security security) const {
    return spis_.file().pending(first + n) & spis_.file().visible(first + n, security, least);
}

template <unsigned first>
void DistributorState::write_ispendr(unsigned n, const RegisterWrite& write, Effects& effects) {
    spis_.file().set_latches(first + n,
                             low(write) & spis_.file().visible(first + n, write.security, opens_set_pending));
    spis_.word_changed(first + n, effects.messages);
}

template <unsigned first>
void DistributorState::write_icpendr(unsigned n, const RegisterWrite& write, Effects& effects) {
    spis_.file().clear_latches(first + n,
                               low(write) & spis_.file().visible(first + n, write.security, opens_clear_pending));
    spis_.word_changed(first + n, effects.messages);
}

template <unsigned first>
std::uint64_t DistributorState::read_active(unsigned n, Security security) const {
    return spis_.file().active_word(first + n) & spis_.file().visible(first + n, security, opens_active);
}

template <unsigned first>
void DistributorState::write_isactiver(unsigned n, const RegisterWrite& write, Effects& effects) {
    // GICD_NSACR<n> opens active states for reading only.
    spis_.file().set_active(first + n, low(write) & spis_.file().visible(first + n, write.security));
    spis_.word_changed(first + n, effects.messages);
}

template <unsigned first>
void DistributorState::write_icactiver(unsigned n, const RegisterWrite& write, Effects& effects) {
    spis_.file().clear_active(first + n, low(write) & spis_.file().visible(first + n, write.security));
    spis_.word_changed(first + n, effects.messages);
}

template <unsigned first>
std::uint64_t DistributorState::read_ipriorityr(unsigned n, Security security) const {
    return spis_.file().read_priorities(first + n, security);
}

template <unsigned first>
void DistributorState::write_ipriorityr(unsigned n, const RegisterWrite& write, Effects& effects) {
    spis_.file().write_priorities(first + n, write);
    spis_.word_changed((first + n) / 8, effects.messages);
}

template <unsigned first>
std::uint64_t DistributorState::read_icfgr(unsigned n, Security security) const {
    return spis_.file().read_configuration(first + n, security);
}

template <unsigned first>
void DistributorState::write_icfgr(unsigned n, const RegisterWrite& write, Effects& effects) {
    spis_.file().write_configuration(first + n, write);
    spis_.word_changed((first + n) / 2, effects.messages);
}

template <unsigned first>
std::uint64_t DistributorState::read_nsacr(unsigned n, Security) const {
    return spis_.file().read_nsacr(first + n);
}

template <unsigned first>
void DistributorState::write_nsacr(unsigned n, const RegisterWrite& write, Effects&) {
    spis_.file().write_nsacr(first + n, write);
}

template <unsigned first>
std::uint64_t DistributorState::read_inmir(unsigned n, Security security) const {
    return spis_.file().read_non_maskable(first + n, security);
}

template <unsigned first>
void DistributorState::write_inmir(unsigned n, const RegisterWrite& write, Effects& effects) {
    if (!parameters_.non_maskable) return;
    spis_.file().write_non_maskable(first + n, write);
    spis_.word_changed(first + n, effects.messages);
}

template <unsigned first>
std::uint64_t DistributorState::read_irouter(unsigned n, Security security) const {
    const unsigned slot = first + n;
    const std::uint32_t seen = spis_.file().visible(slot / 32, security, opens_route);
    return (seen >> slot % 32 & 1) != 0 ? spis_.route(slot) : 0;
}

template <unsigned first>
void DistributorState::write_irouter(unsigned n, const RegisterWrite& write, Effects& effects) {
    constexpr std::uint64_t affinity_fields = 0xFF'00FF'FFFF;
    constexpr std::uint64_t interrupt_routing_mode = std::uint64_t{1} << 31;
    const unsigned slot = first + n;
    const std::uint32_t seen = spis_.file().visible(slot / 32, write.security, opens_route);
    if ((seen >> slot % 32 & 1) == 0) return;
    const std::uint64_t fields = affinity_fields | (parameters_.one_of_n ? interrupt_routing_mode : 0);
    spis_.set_route(slot, write.merged(spis_.route(slot)) & fields, effects.messages);
}

// The table comes last: it names the handlers above. The first word of each array by INTID is RES0: private interrupts
// live in the Redistributors while affinity routing is on (IHI 0069, 12.8).
const RegisterFrame<DistributorState>& DistributorState::frame() {
    using State = DistributorState;
    using enum RegisterAccess;
    using enum RegisterSecurity;
    using Sizes = AccessSizes;
    static const RegisterFrame<State> frame(
        "GICD", 0x10000,
        {
            {0x0000, 1, "GICD_CTLR", 32, Sizes::word, read_write, any, 0x30, &State::read_ctlr, &State::write_ctlr},
            {0x0004, 1, "GICD_TYPER", 32, Sizes::word, read_only, any, 0x0778'0400, &State::read_typer, nullptr},
            {0x0008, 1, "GICD_IIDR", 32, Sizes::word, read_only, any, 0, &State::read_zero, nullptr},
            {0x000C, 1, "GICD_TYPER2", 32, Sizes::word, read_only, any, 0, &State::read_zero, nullptr},
            {0x0010, 1, "GICD_STATUSR", 32, Sizes::word, read_write, any, 0, &State::read_zero, &State::write_nothing},
            {0x0040, 1, "GICD_SETSPI_NSR", 32, Sizes::word, write_only, any, 0, &State::read_zero,
             &State::write_message<true, Security::non_secure>},
            {0x0048, 1, "GICD_CLRSPI_NSR", 32, Sizes::word, write_only, any, 0, &State::read_zero,
             &State::write_message<false, Security::non_secure>},
            {0x0050, 1, "GICD_SETSPI_SR", 32, Sizes::word, write_only, secure, 0, &State::read_zero,
             &State::write_message<true, Security::secure>},
            {0x0058, 1, "GICD_CLRSPI_SR", 32, Sizes::word, write_only, secure, 0, &State::read_zero,
             &State::write_message<false, Security::secure>},
            {0x0080, 1, "GICD_IGROUPR0", 32, Sizes::word, read_write, secure, 0, &State::read_zero,
             &State::write_nothing},
            {0x0084, 31, "GICD_IGROUPR", 32, Sizes::word, read_write, secure, 0, &State::read_igroupr<1>,
             &State::write_igroupr<1>},
            {0x0100, 1, "GICD_ISENABLER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0104, 31, "GICD_ISENABLER", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_enabled<1>,
             &State::write_isenabler<1>},
            {0x0180, 1, "GICD_ICENABLER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0184, 31, "GICD_ICENABLER", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_enabled<1>,
             &State::write_icenabler<1>},
            {0x0200, 1, "GICD_ISPENDR0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0204, 31, "GICD_ISPENDR", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_pending<1, 1>,
             &State::write_ispendr<1>},
            {0x0280, 1, "GICD_ICPENDR0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0284, 31, "GICD_ICPENDR", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_pending<1, 2>,
             &State::write_icpendr<1>},
            {0x0300, 1, "GICD_ISACTIVER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0304, 31, "GICD_ISACTIVER", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_active<1>,
             &State::write_isactiver<1>},
            {0x0380, 1, "GICD_ICACTIVER0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0384, 31, "GICD_ICACTIVER", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_active<1>,
             &State::write_icactiver<1>},
            {0x0400, 8, "GICD_IPRIORITYR0", 32, Sizes::byte_or_word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0420, 247, "GICD_IPRIORITYR", 32, Sizes::byte_or_word, read_write, by_interrupt, 0,
             &State::read_ipriorityr<8>, &State::write_ipriorityr<8>},
            {0x0C00, 2, "GICD_ICFGR0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0C08, 62, "GICD_ICFGR", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_icfgr<2>,
             &State::write_icfgr<2>},
            {0x0D00, 1, "GICD_IGRPMODR0", 32, Sizes::word, read_write, secure, 0, &State::read_zero,
             &State::write_nothing},
            {0x0D04, 31, "GICD_IGRPMODR", 32, Sizes::word, read_write, secure, 0, &State::read_igrpmodr<1>,
             &State::write_igrpmodr<1>},
            {0x0E00, 2, "GICD_NSACR0", 32, Sizes::word, read_write, secure, 0, &State::read_zero,
             &State::write_nothing},
            {0x0E08, 62, "GICD_NSACR", 32, Sizes::word, read_write, secure, 0, &State::read_nsacr<2>,
             &State::write_nsacr<2>},
            {0x0F80, 1, "GICD_INMIR0", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_zero,
             &State::write_nothing},
            {0x0F84, 31, "GICD_INMIR", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_inmir<1>,
             &State::write_inmir<1>},
            {0x1000, 32, "GICD_IGROUPR_E", 32, Sizes::word, read_write, secure, 0, &State::read_igroupr<32>,
             &State::write_igroupr<32>},
            {0x1200, 32, "GICD_ISENABLER_E", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_enabled<32>,
             &State::write_isenabler<32>},
            {0x1400, 32, "GICD_ICENABLER_E", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_enabled<32>,
             &State::write_icenabler<32>},
            {0x1600, 32, "GICD_ISPENDR_E", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_pending<32, 1>,
             &State::write_ispendr<32>},
            {0x1800, 32, "GICD_ICPENDR_E", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_pending<32, 2>,
             &State::write_icpendr<32>},
            {0x1A00, 32, "GICD_ISACTIVER_E", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_active<32>,
             &State::write_isactiver<32>},
            {0x1C00, 32, "GICD_ICACTIVER_E", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_active<32>,
             &State::write_icactiver<32>},
            {0x2000, 256, "GICD_IPRIORITYR_E", 32, Sizes::byte_or_word, read_write, by_interrupt, 0,
             &State::read_ipriorityr<256>, &State::write_ipriorityr<256>},
            {0x3000, 64, "GICD_ICFGR_E", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_icfgr<64>,
             &State::write_icfgr<64>},
            {0x3400, 32, "GICD_IGRPMODR_E", 32, Sizes::word, read_write, secure, 0, &State::read_igrpmodr<32>,
             &State::write_igrpmodr<32>},
            {0x3600, 64, "GICD_NSACR_E", 32, Sizes::word, read_write, secure, 0, &State::read_nsacr<64>,
             &State::write_nsacr<64>},
            {0x3B00, 32, "GICD_INMIR_E", 32, Sizes::word, read_write, by_interrupt, 0, &State::read_inmir<32>,
             &State::write_inmir<32>},
            {0x6100, 988, "GICD_IROUTER", 64, Sizes::word_or_double, read_write, by_interrupt, 0,
             &State::read_irouter<32>, &State::write_irouter<32>},
            {0x8000, 1024, "GICD_IROUTER_E", 64, Sizes::word_or_double, read_write, by_interrupt, 0,
             &State::read_irouter<1024>, &State::write_irouter<1024>},
            {0xFFD0, 4, "GICD_PIDR4", 32, Sizes::word, read_only, any, 0, &State::read_zero, nullptr},
            {0xFFE0, 2, "GICD_PIDR0", 32, Sizes::word, read_only, any, 0, &State::read_zero, nullptr},
            {0xFFE8, 1, "GICD_PIDR2", 32, Sizes::word, read_only, any, 0x30, &State::read_pidr2, nullptr},
            {0xFFEC, 1, "GICD_PIDR3", 32, Sizes::word, read_only, any, 0, &State::read_zero, nullptr},
            {0xFFF0, 1, "GICD_CIDR0", 32, Sizes::word, read_only, any, 0x0D, &State::read_component_id<0>},
            {0xFFF4, 1, "GICD_CIDR1", 32, Sizes::word, read_only, any, 0xF0, &State::read_component_id<1>},
            {0xFFF8, 1, "GICD_CIDR2", 32, Sizes::word, read_only, any, 0x05, &State::read_component_id<2>},
            {0xFFFC, 1, "GICD_CIDR3", 32, Sizes::word, read_only, any, 0xB1, &State::read_component_id<3>},
        });
    return frame;
}

}  // namespace gicsim
