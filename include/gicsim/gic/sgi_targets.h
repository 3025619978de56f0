#ifndef GICSIM_GIC_SGI_TARGETS_H
#define GICSIM_GIC_SGI_TARGETS_H

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "gicsim/arch/gic.h"

namespace gicsim {

/// Which PEs an SGI register write names (IHI 0069, ICC_SGI1R_EL1). Built once; a look-up allocates nothing.
class SgiTargets {
public:
    SgiTargets() = default;
    /// @param affinities by CpuId. Throws std::invalid_argument when two are equal.
    explicit SgiTargets(std::span<const Affinity> affinities);

    /// Calls `visit(CpuId)` for each target in order of Aff0 or, for a broadcast, of CpuId. PEs that do not exist are
    /// left out silently.
    template <class Visit>
    void for_each(const SgiRequest& request, CpuId source, Visit&& visit) const {
        if (request.irm) {
            for (std::uint32_t n = 0; n < cpu_count_; ++n) {
                if (n != index(source)) visit(cpu_id(n));
            }
            return;
        }
        const Range* range = find(key(request));
        if (range == nullptr) return;
        for (unsigned left = range->present & request.target_list; left != 0; left &= left - 1) {
            visit(range->cpus[static_cast<unsigned>(std::countr_zero(left))]);
        }
    }

private:
    /// The sixteen PEs that one write can name: Aff3.Aff2.Aff1 and Aff0[7:4].
    struct Range {
        std::uint32_t key;
        std::uint16_t present;
        std::array<CpuId, 16> cpus;
    };

    static std::uint32_t key(const SgiRequest& request) {
        return static_cast<std::uint32_t>(request.aff3) << 20 | static_cast<std::uint32_t>(request.aff2) << 12 |
               static_cast<std::uint32_t>(request.aff1) << 4 | request.rs;
    }
    [[nodiscard]] const Range* find(std::uint32_t key) const;

    std::vector<Range> ranges_;  ///< by key
    std::uint32_t cpu_count_ = 0;
};

}  // namespace gicsim

#endif
