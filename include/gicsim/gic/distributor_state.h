#ifndef GICSIM_GIC_DISTRIBUTOR_STATE_H
#define GICSIM_GIC_DISTRIBUTOR_STATE_H

#include <cstdint>
#include <span>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "gicsim/arch/gic.h"
#include "gicsim/gic/gic_parameters.h"
#include "gicsim/gic/group_set.h"
#include "gicsim/gic/register_table.h"
#include "gicsim/gic/sgi_targets.h"

namespace gicsim {

/// What one access makes a Distributor do.
struct DistributorEffects {
    bool write_started = false;    ///< GICD_CTLR.RWP is set: write_done() when the change has taken effect
    bool enables_changed = false;  ///< tell every Redistributor group_enables() and single_security()
};

/// The Distributor: its register frame and the routing of SGIs (IHI 0069, 12.8 and 12.9). Affinity routing is always
/// on (ARE bits RAO/WI). There are no SPIs yet. No time: each input gives effects.
class DistributorState {
public:
    using Effects = DistributorEffects;

    /// @param affinities by CpuId
    DistributorState(const GicParameters& parameters, std::span<const Affinity> affinities);
    void reset(const GicParameters& parameters);

    AccessResult read(std::uint32_t offset, unsigned size, Security security);
    AccessStatus write(std::uint32_t offset, std::uint64_t value, unsigned size, Security security, Effects& effects);
    /// The change behind the oldest `write_started` has been seen everywhere.
    void write_done();

    [[nodiscard]] AccessResult peek(std::uint32_t offset, unsigned size, Security security) const;
    [[nodiscard]] GroupSet group_enables() const { return groups_; }
    [[nodiscard]] bool single_security() const { return single_security_; }
    [[nodiscard]] const SgiTargets& sgi_targets() const { return targets_; }
    [[nodiscard]] std::uint64_t unimplemented_accesses() const { return unimplemented_accesses_; }

    static const RegisterFrame<DistributorState>& frame();

private:
    std::uint64_t read_zero(unsigned n, Security security) const;
    void write_nothing(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_ctlr(unsigned n, Security security) const;
    void write_ctlr(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_typer(unsigned n, Security security) const;
    std::uint64_t read_pidr2(unsigned n, Security security) const;

    SgiTargets targets_;
    GroupSet groups_;
    bool single_security_ = false;
    bool e1nwf_ = false;
    unsigned writes_pending_ = 0;
    std::uint64_t unimplemented_accesses_ = 0;
};

}  // namespace gicsim

#endif
