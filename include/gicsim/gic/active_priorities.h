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

    /// Marks the level of a group priority active.
    void raise(Group group, std::uint8_t group_priority) {
        const unsigned level = group_priority >> shift_;
        of(group)[level / 32] |= 1U << (level % 32);
    }
    /// The running priority: that of the highest active level, 0xFF when there is none.
    [[nodiscard]] std::uint8_t running() const {
        const std::optional<Top> found = top();
        return found ? static_cast<std::uint8_t>(found->level << shift_) : std::uint8_t{0xFF};
    }
    /// The group that the highest active level belongs to.
    [[nodiscard]] std::optional<Group> running_group() const {
        const std::optional<Top> found = top();
        return found ? std::optional(found->group) : std::nullopt;
    }
    /// Clears the highest active level of a group.
    void drop(Group group) {
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
};

}  // namespace gicsim

#endif
