#ifndef GICSIM_GIC_DISTRIBUTOR_H
#define GICSIM_GIC_DISTRIBUTOR_H

#include <memory>
#include <span>
#include <systemc>
#include <vector>

#include "gicsim/gic/distributor_state.h"
#include "gicsim/gic/gic_transport.h"
#include "gicsim/gic/register_socket.h"
#include "gicsim/gic/sgi_routing.h"
#include "gicsim/record/probe.h"
#include "gicsim/timeline/timeline.h"

namespace gicsim {

/// The Distributor of one chip. An SGI leaves for its targets GicParameters::route after it has arrived.
///
/// All chips' Distributors know all PEs. The one of chip 0 is the one whose registers software uses: it tells every
/// Redistributor when GICD_CTLR changes.
class Distributor : public sc_core::sc_module, public MessageSink<GicMessage>, private RegisterAccessor {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    sc_core::sc_port<GicTransport> transport{"transport"};
    sc_core::sc_port<Probe, 1, sc_core::SC_ZERO_OR_MORE_BOUND> probe{"probe"};
    /// The GICD frame.
    RegisterSocket registers{"registers", *this, timeline};

    /// @param chip this Distributor's number, 0 to 63.
    /// @param affinities by CpuId
    /// @param chip_of by CpuId: the chip each PE belongs to
    Distributor(const sc_core::sc_module_name& name, const GicParameters& parameters, unsigned chip,
                std::span<const Affinity> affinities, std::span<const unsigned> chip_of);

    /// Back to the initial state, with these figures. Events posted before are expected to be gone (Timeline::reset).
    void reset(const GicParameters& parameters);

    /// Drives the input of an SPI; one that is not implemented is ignored. The SPIs are the Distributor's of chip 0.
    void set_spi_line(Intid id, bool level);
    [[nodiscard]] const DistributorState& state() const { return state_; }

    void receive(EndpointId from, const GicMessage& message) override;

private:
    AccessResult read_register(std::uint32_t offset, unsigned size, Security security) override;
    AccessStatus write_register(std::uint32_t offset, std::uint64_t value, unsigned size, Security security) override;
    [[nodiscard]] AccessResult peek_register(std::uint32_t offset, unsigned size, Security security) const override;

    void apply(const DistributorEffects& effects);
    void accept(const GicMessage& message);
    void deliver(const GicMessage& message);
    void write_done() { state_.write_done(); }

    GicParameters parameters_;
    DistributorState state_;
    std::unique_ptr<SgiRouting> routing_;
    unsigned chip_;
    std::vector<unsigned> chip_of_;
};

}  // namespace gicsim

#endif
