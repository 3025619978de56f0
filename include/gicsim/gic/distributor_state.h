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
#include "gicsim/gic/spi_bank.h"

namespace gicsim {

/// What one access makes a Distributor do.
struct DistributorEffects {
    bool write_started = false;    ///< GICD_CTLR.RWP is set: write_done() when the change has taken effect
    bool enables_changed = false;  ///< tell every Redistributor group_enables() and single_security()
    SpiMessages messages;          ///< in this order
};

/// The Distributor: its register frame, the routing of SGIs, and SPIs (IHI 0069, 12.8 and 12.9). Affinity routing is
/// always on (ARE bits RAO/WI). No time: each input gives effects.
class DistributorState {
public:
    using Effects = DistributorEffects;

    /// @param affinities by CpuId
    DistributorState(const GicParameters& parameters, std::span<const Affinity> affinities);
    void reset(const GicParameters& parameters);

    AccessResult read(std::uint32_t offset, unsigned size, Security security);
    AccessStatus write(std::uint32_t offset, std::uint64_t value, unsigned size, Security security, Effects& effects);
    /// Drives the input of an SPI; one that is not implemented is ignored.
    void set_spi_line(Intid id, bool level, Effects& effects) { spis_.set_line(id, level, effects.messages); }
    /// What a Redistributor says about SPIs.
    void receive(const GicMessage& message, Effects& effects);
    /// The change behind the oldest `write_started` has been seen everywhere.
    void write_done();

    [[nodiscard]] AccessResult peek(std::uint32_t offset, unsigned size, Security security) const;
    [[nodiscard]] GroupSet group_enables() const { return groups_; }
    [[nodiscard]] bool single_security() const { return single_security_; }
    [[nodiscard]] const SpiBank& spis() const { return spis_; }
    [[nodiscard]] const SgiTargets& sgi_targets() const { return targets_; }
    [[nodiscard]] std::uint64_t unimplemented_accesses() const { return unimplemented_accesses_; }

    static const RegisterFrame<DistributorState>& frame();

private:
    void start_write(Effects& effects);
    std::uint64_t read_zero(unsigned n, Security security) const;
    void write_nothing(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_ctlr(unsigned n, Security security) const;
    void write_ctlr(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_typer(unsigned n, Security security) const;
    std::uint64_t read_pidr2(unsigned n, Security security) const;
    template <unsigned k>
    std::uint64_t read_component_id(unsigned, Security) const {
        return component_id[k];
    }
    template <bool set, Security writer>
    void write_message(unsigned n, const RegisterWrite& write, Effects& effects);

    // The arrays by INTID: register n of a row is word, quad or half word `first` + n of the SPIs' file.
    template <unsigned first>
    std::uint64_t read_igroupr(unsigned n, Security security) const;
    template <unsigned first>
    void write_igroupr(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    std::uint64_t read_enabled(unsigned n, Security security) const;
    template <unsigned first>
    void write_isenabler(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    void write_icenabler(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first, unsigned least>
    std::uint64_t read_pending(unsigned n, Security security) const;
    template <unsigned first>
    void write_ispendr(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    void write_icpendr(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    std::uint64_t read_active(unsigned n, Security security) const;
    template <unsigned first>
    void write_isactiver(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    void write_icactiver(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    std::uint64_t read_ipriorityr(unsigned n, Security security) const;
    template <unsigned first>
    void write_ipriorityr(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    std::uint64_t read_icfgr(unsigned n, Security security) const;
    template <unsigned first>
    void write_icfgr(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    std::uint64_t read_igrpmodr(unsigned n, Security security) const;
    template <unsigned first>
    void write_igrpmodr(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    std::uint64_t read_nsacr(unsigned n, Security security) const;
    template <unsigned first>
    void write_nsacr(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    std::uint64_t read_inmir(unsigned n, Security security) const;
    template <unsigned first>
    void write_inmir(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned first>
    std::uint64_t read_irouter(unsigned n, Security security) const;
    template <unsigned first>
    void write_irouter(unsigned n, const RegisterWrite& write, Effects& effects);

    SgiTargets targets_;
    SpiBank spis_;
    GicParameters parameters_;
    GroupSet groups_;
    bool single_security_ = false;
    bool e1nwf_ = false;
    unsigned writes_pending_ = 0;
    unsigned recalls_before_write_done_ = 0;  ///< answers that RWP still waits for
    std::uint64_t unimplemented_accesses_ = 0;
};

}  // namespace gicsim

#endif
