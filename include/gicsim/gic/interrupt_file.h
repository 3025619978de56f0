#ifndef GICSIM_GIC_INTERRUPT_FILE_H
#define GICSIM_GIC_INTERRUPT_FILE_H

#include <array>
#include <cstdint>

#include "gicsim/arch/gic.h"
#include "gicsim/gic/group_set.h"
#include "gicsim/gic/register_table.h"

namespace gicsim {

/// The configuration and state of interrupts as the GICD_ and GICR_ register arrays hold them (IHI 0069, 12.9 and
/// 12.11): a Redistributor's SGIs and PPIs, a Distributor's SPIs. Interrupts are counted in slots, 32 a word; what
/// INTID a slot has is the owner's affair. The handlers take the owner's register number where it is a word's, a quad's
/// of priorities or a half word's of two-bit fields. No time, and no choice of what is signalled.
/// @tparam words how many words of 32 slots
template <unsigned words>
class InterruptFile {
public:
    static constexpr unsigned word_count = words;
    static constexpr unsigned slot_count = 32 * words;
    static constexpr unsigned half_count = 2 * words;

    InterruptFile() = default;
    InterruptFile(unsigned priority_bits, bool single_security)
        : priority_mask_(implemented_priority_mask(priority_bits)), single_security_(single_security) {}

    /// Makes the interrupts of a word exist; of the others every field is RAZ/WI.
    void implement(unsigned w, std::uint32_t slots) { word_[w].implemented = slots; }
    /// Makes interrupts edge-triggered, as SGIs are for good.
    void set_edge_triggered(unsigned w, std::uint32_t slots) { word_[w].edge = slots; }
    void set_single_security(bool single) { single_security_ = single; }

    // What is signalled depends on.
    [[nodiscard]] bool implemented(unsigned slot) const { return (word_[slot / 32].implemented & bit(slot)) != 0; }
    [[nodiscard]] bool active(unsigned slot) const { return (word_[slot / 32].active & bit(slot)) != 0; }
    [[nodiscard]] bool edge_triggered(unsigned slot) const { return (word_[slot / 32].edge & bit(slot)) != 0; }
    [[nodiscard]] std::uint32_t active_word(unsigned w) const { return word_[w].active; }
    [[nodiscard]] std::uint32_t latch(unsigned w) const { return word_[w].latch; }
    [[nodiscard]] std::uint32_t pending(unsigned w) const {
        const Word& word = word_[w];
        return word.latch | ((word.line | word.message) & ~word.edge);
    }
    /// Pending, enabled, not active, of one of these groups. Active and pending is no candidate (IHI 0069, 4.1.2).
    [[nodiscard]] std::uint32_t signalable(unsigned w, GroupSet groups) const {
        const Word& word = word_[w];
        return pending(w) & word.enabled & ~word.active & members_of(w, groups);
    }
    [[nodiscard]] std::uint32_t members_of(unsigned w, GroupSet groups) const {
        const Word& word = word_[w];
        const std::uint32_t modifier = single_security_ ? 0 : word.modifier;
        std::uint32_t members = 0;
        if (groups.contains(Group::g0)) members |= ~word.group & ~modifier;
        if (groups.contains(Group::g1s)) members |= ~word.group & modifier;
        if (groups.contains(Group::g1ns)) members |= word.group;
        return members & word.implemented;
    }
    [[nodiscard]] Group group_of(unsigned slot) const {
        const Word& word = word_[slot / 32];
        if ((word.group & bit(slot)) != 0) return Group::g1ns;
        return !single_security_ && (word.modifier & bit(slot)) != 0 ? Group::g1s : Group::g0;
    }
    /// Whether it has the non-maskable property. Group 0 interrupts never do (IHI 0069, 4.8, FEAT_GICv3_NMI).
    [[nodiscard]] bool non_maskable(unsigned slot) const {
        return (word_[slot / 32].nmi & bit(slot)) != 0 && group_of(slot) != Group::g0;
    }
    /// As it competes: a non-maskable interrupt has the best priority of its Security state.
    [[nodiscard]] std::uint8_t priority(unsigned slot) const {
        if (!non_maskable(slot)) return priority_[slot];
        return !single_security_ && group_of(slot) == Group::g1ns ? 0x80 : 0;
    }
    [[nodiscard]] unsigned nsacr(unsigned slot) const { return nsacr_[slot / 16] >> 2 * (slot % 16) & 0b11; }

    // Inputs.
    void latch_pending(unsigned slot) { word_[slot / 32].latch |= bit(slot); }
    void unlatch(unsigned slot) { word_[slot / 32].latch &= ~bit(slot); }
    /// A wire; a rising edge of an edge-triggered interrupt is latched.
    void set_line(unsigned slot, bool level) {
        Word& word = word_[slot / 32];
        if ((word.implemented & bit(slot)) == 0) return;
        if (level) word.latch |= ~word.line & word.edge & bit(slot);
        assign(word.line, bit(slot), level);
    }
    /// A message that says the same (GICD_SETSPI_*, GICD_CLRSPI_*): it asserts and deasserts a level-sensitive
    /// interrupt, and sets and clears the pending state of an edge-triggered one.
    void set_message(unsigned slot, bool level) {
        Word& word = word_[slot / 32];
        if ((word.implemented & bit(slot)) == 0) return;
        assign((word.edge & bit(slot)) != 0 ? word.latch : word.message, bit(slot), level);
    }
    void activate(unsigned slot) {
        Word& word = word_[slot / 32];
        word.latch &= ~bit(slot);
        word.active |= bit(slot);
    }
    void deactivate(unsigned slot) { word_[slot / 32].active &= ~bit(slot); }

    /// Interrupts that an access may see and change: Non-secure ones those of Non-secure Group 1.
    [[nodiscard]] std::uint32_t visible(unsigned w, Security security) const {
        return restricted(security) ? word_[w].group & word_[w].implemented : word_[w].implemented;
    }
    /// The same where Secure software may open more to Non-secure accesses (IHI 0069, GICD_NSACR<n>).
    /// @param least the least value of the interrupt's field that opens it
    [[nodiscard]] std::uint32_t visible(unsigned w, Security security, unsigned least) const {
        std::uint32_t seen = visible(w, security);
        if (!restricted(security) || (nsacr_[2 * w] | nsacr_[2 * w + 1]) == 0) return seen;
        for (unsigned n = 0; n < 32; ++n) {
            if (nsacr(32 * w + n) >= least) seen |= word_[w].implemented & 1U << n;
        }
        return seen;
    }

    // Registers. IGROUPR, IGRPMODR and NSACR are for Secure accesses, which the register table sees to.
    [[nodiscard]] std::uint64_t read_group(unsigned w) const { return word_[w].group; }
    void write_group(unsigned w, const RegisterWrite& write) { word_[w].group = low(write) & word_[w].implemented; }
    [[nodiscard]] std::uint64_t read_modifier(unsigned w) const { return single_security_ ? 0 : word_[w].modifier; }
    void write_modifier(unsigned w, const RegisterWrite& write) {
        if (!single_security_) word_[w].modifier = low(write) & word_[w].implemented;
    }
    [[nodiscard]] std::uint64_t read_enabled(unsigned w, Security security) const {
        return word_[w].enabled & visible(w, security);
    }
    void write_enable(unsigned w, const RegisterWrite& write) {
        word_[w].enabled |= low(write) & visible(w, write.security);
    }
    void write_disable(unsigned w, const RegisterWrite& write) {
        word_[w].enabled &= ~(low(write) & visible(w, write.security));
    }
    void set_latches(unsigned w, std::uint32_t slots) { word_[w].latch |= slots; }
    /// The latch only: a level-sensitive input that is high stays pending.
    void clear_latches(unsigned w, std::uint32_t slots) { word_[w].latch &= ~slots; }
    void set_active(unsigned w, std::uint32_t slots) { word_[w].active |= slots; }
    void clear_active(unsigned w, std::uint32_t slots) { word_[w].active &= ~slots; }

    /// @param quad four interrupts from slot 4 * quad
    [[nodiscard]] std::uint64_t read_priorities(unsigned quad, Security security) const {
        std::uint64_t value = 0;
        const std::uint32_t seen = visible(quad / 8, security);
        for (unsigned lane = 0; lane < 4; ++lane) {
            const unsigned slot = 4 * quad + lane;
            if ((seen & bit(slot)) == 0) continue;
            // Shifted whatever half it is in: unlike ICC_PMR_EL1 and ICC_RPR_EL1, which hide the Secure half, the field
            // is the interrupt's own, and Secure software may have put it there (IHI 0069, 4.8.6).
            const auto shown = static_cast<std::uint8_t>(restricted(security) ? priority_[slot] << 1 : priority_[slot]);
            value |= static_cast<std::uint64_t>(shown) << (8 * lane);
        }
        return value;
    }
    void write_priorities(unsigned quad, const RegisterWrite& write) {
        const std::uint32_t seen = visible(quad / 8, write.security);
        for (unsigned lane = 0; lane < 4; ++lane) {
            const unsigned slot = 4 * quad + lane;
            const bool covered = (write.mask >> (8 * lane) & 0xFF) != 0;
            if (!covered || (seen & bit(slot)) == 0) continue;
            const auto written = static_cast<std::uint8_t>(write.value >> (8 * lane));
            const std::uint8_t physical = restricted(write.security) ? from_non_secure_view(written) : written;
            priority_[slot] = physical & priority_mask_;
        }
    }
    /// @param half sixteen interrupts from slot 16 * half; bit 1 of each field says edge-triggered
    [[nodiscard]] std::uint64_t read_configuration(unsigned half, Security security) const {
        const std::uint32_t edges = word_[half / 2].edge & visible(half / 2, security);
        const std::uint32_t own = edges >> 16 * (half % 2) & 0xFFFF;
        std::uint32_t value = 0;
        for (unsigned n = 0; n < 16; ++n) value |= (own >> n & 1U) << (2 * n + 1);
        return value;
    }
    void write_configuration(unsigned half, const RegisterWrite& write) {
        std::uint32_t edges = 0;
        for (unsigned n = 0; n < 16; ++n) edges |= static_cast<std::uint32_t>(write.value >> (2 * n + 1) & 1) << n;
        const unsigned shift = 16 * (half % 2);
        const std::uint32_t changeable = visible(half / 2, write.security) & 0xFFFFU << shift;
        std::uint32_t& edge = word_[half / 2].edge;
        edge = (edge & ~changeable) | (edges << shift & changeable);
    }
    [[nodiscard]] std::uint64_t read_nsacr(unsigned half) const { return single_security_ ? 0 : nsacr_[half]; }
    void write_nsacr(unsigned half, const RegisterWrite& write) {
        if (single_security_) return;
        std::uint32_t fields = 0;
        const std::uint32_t exist = word_[half / 2].implemented >> 16 * (half % 2);
        for (unsigned n = 0; n < 16; ++n) fields |= (exist >> n & 1U) * (0b11U << 2 * n);
        nsacr_[half] = low(write) & fields;
    }
    [[nodiscard]] std::uint64_t read_non_maskable(unsigned w, Security security) const {
        return word_[w].nmi & visible(w, security);
    }
    void write_non_maskable(unsigned w, const RegisterWrite& write) {
        const std::uint32_t changeable = visible(w, write.security);
        word_[w].nmi = (word_[w].nmi & ~changeable) | (low(write) & changeable);
    }

private:
    struct Word {
        std::uint32_t implemented = 0;
        std::uint32_t group = 0;     ///< IGROUPR
        std::uint32_t modifier = 0;  ///< IGRPMODR
        std::uint32_t enabled = 0;
        std::uint32_t latch = 0;    ///< pending by an edge, an SGI, a message or a write
        std::uint32_t line = 0;     ///< the wire as it is now
        std::uint32_t message = 0;  ///< a level-sensitive interrupt is asserted by message
        std::uint32_t edge = 0;     ///< edge-triggered
        std::uint32_t active = 0;
        std::uint32_t nmi = 0;
    };

    static constexpr std::uint32_t bit(unsigned slot) { return 1U << slot % 32; }
    static constexpr std::uint32_t low(const RegisterWrite& write) { return static_cast<std::uint32_t>(write.value); }
    static constexpr void assign(std::uint32_t& word, std::uint32_t bits, bool value) {
        word = value ? word | bits : word & ~bits;
    }
    [[nodiscard]] bool restricted(Security security) const {
        return !single_security_ && security == Security::non_secure;
    }

    std::array<Word, words> word_{};
    std::array<std::uint32_t, half_count> nsacr_{};  ///< as the registers are, two bits an interrupt
    std::array<std::uint8_t, slot_count> priority_{};
    std::uint8_t priority_mask_ = 0xFF;  ///< implemented bits
    bool single_security_ = false;
};

}  // namespace gicsim

#endif
