#ifndef GICSIM_GIC_GROUP_SET_H
#define GICSIM_GIC_GROUP_SET_H

#include <cstdint>

#include "gicsim/arch/gic.h"

namespace gicsim {

/// A set of interrupt groups: which are enabled, or which an access may touch.
class GroupSet {
public:
    constexpr GroupSet() = default;
    static constexpr GroupSet of(Group group) { return GroupSet(bit(group)); }
    static constexpr GroupSet all() { return GroupSet(0b111); }
    static constexpr GroupSet from_bits(std::uint8_t bits) { return GroupSet(bits & 0b111); }

    [[nodiscard]] constexpr bool contains(Group group) const { return (bits_ & bit(group)) != 0; }
    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
    [[nodiscard]] constexpr std::uint8_t bits() const { return bits_; }
    constexpr void set(Group group, bool member) {
        bits_ = static_cast<std::uint8_t>(member ? bits_ | bit(group) : bits_ & ~bit(group));
    }
    constexpr bool operator==(const GroupSet&) const = default;
    friend constexpr GroupSet operator&(GroupSet a, GroupSet b) {
        return GroupSet(static_cast<std::uint8_t>(a.bits_ & b.bits_));
    }
    friend constexpr GroupSet operator|(GroupSet a, GroupSet b) {
        return GroupSet(static_cast<std::uint8_t>(a.bits_ | b.bits_));
    }

private:
    constexpr explicit GroupSet(std::uint8_t bits) : bits_(bits) {}
    static constexpr std::uint8_t bit(Group group) {
        return static_cast<std::uint8_t>(1U << static_cast<unsigned>(group));
    }
    std::uint8_t bits_ = 0;
};

/// Bits of a priority field that exist; the others are RAZ/WI (IHI 0069, 4.8).
constexpr std::uint8_t implemented_priority_mask(unsigned priority_bits) {
    return static_cast<std::uint8_t>(0xFF00U >> priority_bits);
}

/// A priority as Non-secure software sees it, with two Security states (IHI 0069, 4.8.1): Non-secure priorities are
/// the lower half, shown shifted; those of the Secure half read as 0.
constexpr std::uint8_t non_secure_view(std::uint8_t physical) {
    return (physical & 0x80) != 0 ? static_cast<std::uint8_t>(physical << 1) : std::uint8_t{0};
}
/// The reverse: what a value written by Non-secure software stands for.
constexpr std::uint8_t from_non_secure_view(std::uint8_t written) {
    return static_cast<std::uint8_t>(written >> 1 | 0x80);
}

}  // namespace gicsim

#endif
