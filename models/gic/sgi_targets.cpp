#include "gicsim/gic/sgi_targets.h"

#include <algorithm>
#include <stdexcept>

namespace gicsim {

SgiTargets::SgiTargets(std::span<const Affinity> affinities)
    : cpu_count_(static_cast<std::uint32_t>(affinities.size())) {
    std::vector<CpuId> order;
    for (std::size_t n = 0; n < affinities.size(); ++n) order.push_back(cpu_id(n));
    const auto packed = [&](CpuId cpu) { return affinities[index(cpu)].packed(); };
    std::sort(order.begin(), order.end(), [&](CpuId a, CpuId b) { return packed(a) < packed(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t affinity = packed(order[i]);
        if (i > 0 && packed(order[i - 1]) == affinity) throw std::invalid_argument("two CPUs have the same affinity");
        const std::uint32_t key = affinity >> 4;
        const unsigned bit = affinity & 0xF;
        if (ranges_.empty() || ranges_.back().key != key) ranges_.push_back(Range{key, 0, {}});
        ranges_.back().present = static_cast<std::uint16_t>(ranges_.back().present | 1U << bit);
        ranges_.back().cpus[bit] = order[i];
    }
}

const SgiTargets::Range* SgiTargets::find(std::uint32_t key) const {
    const auto at = std::lower_bound(ranges_.begin(), ranges_.end(), key,
                                     [](const Range& range, std::uint32_t wanted) { return range.key < wanted; });
    return at != ranges_.end() && at->key == key ? &*at : nullptr;
}

}  // namespace gicsim
