#ifndef GICSIM_TESTS_DIFFERENTIAL_KNOWN_DIFFERENCES_H
#define GICSIM_TESTS_DIFFERENTIAL_KNOWN_DIFFERENCES_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "differential/access.h"

namespace gicsim::test {

/// What QEMU's pins are held against.
enum class PinRule : std::uint8_t {
    equal,  ///< ours
    none,   ///< no pin is high: the known difference "A disabled group hides the others"
    any,    ///< nothing: interrupts of equal priority in different groups
};

/// What of a step need not agree.
struct Leeway {
    std::uint64_t value_bits = 0;
    bool refusal = false;
    PinRule before = PinRule::equal;
    PinRule after = PinRule::equal;
};

struct Step {
    Access access;
    Outcome ours;
    Outcome theirs;
    Leeway leeway;  ///< by the known differences that apply
};

/// A point in which QEMU 7.2 and gicsim are meant to differ.
struct KnownDifference {
    using Applies = bool (*)(const Access& access, const SettledGic& gic, const MachineOptions& options);
    enum class Cause : std::uint8_t {
        qemu,       ///< QEMU departs from the architecture
        choice,     ///< the architecture leaves it open, or calls it UNPREDICTABLE or IMPLEMENTATION DEFINED
        not_built,  ///< a part that one of the two does not have
    };

    std::string_view name;
    Cause cause;
    std::string_view qemu;
    std::string_view gicsim;
    std::string_view reason;
    /// Asked before our side performs the access.
    Applies applies;
    /// Value bits that are not compared when it applies. All zero and no `refusal`: it would change the state of one
    /// side, so random sequences keep away from the access.
    std::uint64_t value_bits = 0;
    bool refusal = false;

    [[nodiscard]] bool avoided() const { return value_bits == 0 && !refusal; }
};

std::span<const KnownDifference> known_differences();
/// Whether random sequences must not have this access now.
bool to_be_avoided(const Access& access, const SettledGic& gic, const MachineOptions& options);
/// What is not compared of an access that is about to be performed.
Leeway leeway(const Access& access, const SettledGic& gic, const MachineOptions& options);
/// How the pins of a CPU are compared now.
PinRule pin_rule(const SettledGic& gic, CpuId cpu);
/// Empty when the step agrees, else in what it does not.
std::string disagreement(const Step& step);

/// docs/gicv3-differences.md.
std::string differences_document();

}  // namespace gicsim::test

#endif
