#ifndef GICSIM_TESTS_DIFFERENTIAL_KNOWN_DIFFERENCES_H
#define GICSIM_TESTS_DIFFERENTIAL_KNOWN_DIFFERENCES_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "differential/access.h"

namespace gicsim::test {

/// What of a step need not agree.
struct Leeway {
    std::uint64_t value_bits = 0;
    bool refusal = false;
    bool pins = false;
};

struct Step {
    Access access;
    Outcome ours;
    Outcome theirs;
    Leeway leeway;  ///< by the known differences that apply
};

/// A point in which QEMU 7.2 and gicsim are meant to differ.
struct KnownDifference {
    std::string_view name;
    std::string_view whose;  ///< "QEMU", "choice" or "not built": a defect there, a freedom of the architecture, ours
    std::string_view qemu;
    std::string_view gicsim;
    std::string_view reason;
    /// What need not agree because of it; asked before our side performs the access. Null: random sequences keep away
    /// from it, and the directed test of that name shows it.
    Leeway (*leeway)(const Access& access, const SettledGic& gic, const MachineOptions& options) = nullptr;
};

std::span<const KnownDifference> known_differences();
/// All that apply, together.
Leeway leeway(const Access& access, const SettledGic& gic, const MachineOptions& options);
/// Empty when the step agrees, else in what it does not.
std::string disagreement(const Step& step);

/// docs/gicv3-differences.md.
std::string differences_document();

}  // namespace gicsim::test

#endif
