#ifndef GICSIM_GIC_ACTIVE_PRIORITIES_H
#define GICSIM_GIC_ACTIVE_PRIORITIES_H

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "gicsim/arch/gic.h"

namespace gicsim {

/// The active priorities registers: one bit a preemption level, in one copy a group, each as up to four registers of
/// 32 bits (IHI 0069, ICC_AP0R<n>_EL1 and ICC_AP1R<n>_EL1). Level 0 is the highest.
class ActivePriorities {
public:
    ActivePriorities() = default;
    /// @param preemption_bits 4 to 7: how many bits of a priority can preempt.
    explicit ActivePriorities(unsigned preemption_bits) : shift_(8 - preemption_bits) {}

    [[nodiscard]] unsigned register_count() const { return shift_ >= 3 ? 1 : 1U << (3 - shift_); }
    [[nodiscard]] std::uint32_t bits(Group group, unsigned n) const { return of(group)[n]; }
    void set_bits(Group group, unsigned n, std::uint32_t value) {
        const unsigned levels = 1U << (8 - shift_);
        const std::uint32_t implemented = levels >= 32 ? ~0U : (1U << levels) - 1;
        of(group)[n] = n < register_count() ? value & implemented : 0;
    }

    /// ICC_AP1R0_EL1.NMI: a non-maskable interrupt of the group is active.
    [[nodiscard]] bool non_maskable(Group group) const { return non_maskable_[static_cast<unsigned>(group)]; }
    void set_non_maskable(Group group, bool active) { non_maskable_[static_cast<unsigned>(group)] = active; }

    /// Marks the level of a group priority active.
    void raise(Group group, std::uint8_t group_priority) {
        const unsigned level = group_priority >> shift_;
        of(group)[level / 32] |= 1U << (level % 32);
    }
    /// What runs: the best of the active levels and non-maskable interrupts.
    struct Running {
        std::uint8_t priority = 0xFF;  ///< idle
        std::optional<Group> group;
        bool non_maskable = false;
    };
    /// @param single_security with two Security states a Non-secure non-maskable interrupt has priority 0x80, others 0
    [[nodiscard]] Running running(bool single_security) const {
        Running best;
        if (const std::optional<Top> found = top()) {
            best = {static_cast<std::uint8_t>(found->level << shift_), found->group, false};
        }
        for (const Group group : {Group::g1s, Group::g1ns}) {
            if (!non_maskable(group)) continue;
            const std::uint8_t priority = !single_security && group == Group::g1ns ? 0x80 : 0;
            if (priority <= best.priority) best = {priority, group, true};
        }
        return best;
    }
    /// Clears the highest active level of a group; a non-maskable interrupt is above all others of its group.
    void drop(Group group) {
        if (non_maskable(group)) {
            set_non_maskable(group, false);
            return;
        }
        for (std::uint32_t& word : of(group)) {
            if (word == 0) continue;
            word &= word - 1;
            return;
        }
    }

private:
    using Levels = std::array<std::uint32_t, 4>;
    struct Top {
        unsigned level;
        Group group;
    };

    [[nodiscard]] Levels& of(Group group) { return levels_[static_cast<unsigned>(group)]; }
    [[nodiscard]] const Levels& of(Group group) const { return levels_[static_cast<unsigned>(group)]; }
    [[nodiscard]] std::optional<Top> top() const {
        std::optional<Top> best;
        for (const Group group : {Group::g0, Group::g1s, Group::g1ns}) {
            const Levels& levels = of(group);
            for (unsigned word = 0; word < levels.size(); ++word) {
                if (levels[word] == 0) continue;
                const unsigned level = 32 * word + static_cast<unsigned>(std::countr_zero(levels[word]));
                if (!best || level < best->level) best = Top{level, group};
                break;
            }
        }
        return best;
    }

    unsigned shift_ = 3;  ///< bits of a priority below the level
    std::array<Levels, 3> levels_{};
    std::array<bool, 3> non_maskable_{};
};

}  // namespace gicsim

#endif
