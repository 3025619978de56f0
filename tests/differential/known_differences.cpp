#include "differential/known_differences.h"

#include <fmt/format.h>

#include <array>

namespace gicsim::test {
namespace {

constexpr std::array<KnownDifference, 0> table{};

}  // namespace

std::span<const KnownDifference> known_differences() {
    return table;
}

Leeway leeway(const Access& access, const SettledGic& gic, const MachineOptions& options) {
    Leeway sum;
    for (const KnownDifference& each : table) {
        if (each.leeway == nullptr) continue;
        const Leeway one = each.leeway(access, gic, options);
        sum.value_bits |= one.value_bits;
        sum.refusal |= one.refusal;
        sum.pins |= one.pins;
    }
    return sum;
}

std::string disagreement(const Step& step) {
    const Leeway& free = step.leeway;
    std::string text;
    const auto add = [&](bool differs, std::string_view what) {
        if (!differs) return;
        if (!text.empty()) text += ", ";
        text += what;
    };
    add(step.ours.preempted != step.theirs.preempted, "FIQ before the access");
    add(step.ours.refused != step.theirs.refused && !free.refusal, "refused or not");
    add(((step.ours.value ^ step.theirs.value) & ~free.value_bits) != 0, "value");
    add(step.ours.before != step.theirs.before && !free.pins, "pins before");
    add(step.ours.after != step.theirs.after && !free.pins, "pins after");
    return text;
}

}  // namespace gicsim::test
