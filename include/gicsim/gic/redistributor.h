#ifndef GICSIM_GIC_REDISTRIBUTOR_H
#define GICSIM_GIC_REDISTRIBUTOR_H

#include <memory>
#include <systemc>

#include "gicsim/gic/gic_transport.h"
#include "gicsim/gic/redistributor_state.h"
#include "gicsim/gic/register_socket.h"
#include "gicsim/gic/sgi_routing.h"
#include "gicsim/gic/stream_link.h"
#include "gicsim/record/probe.h"
#include "gicsim/timeline/timeline.h"
#include "gicsim/timeline/variation.h"

namespace gicsim {

/// Receives a Redistributor's wake-up request, for a power controller (IHI 0069, 11.1).
class WakeRequestSink : public virtual sc_core::sc_interface {
public:
    virtual void wake_request_changed(CpuId cpu, bool requested) = 0;
};

/// The Redistributor of one PE. Inputs change its state when they arrive; what they cause leaves
/// GicParameters::redistributor later, in order.
class Redistributor : public sc_core::sc_module,
                      public StreamReceiver,
                      public MessageSink<GicMessage>,
                      private RegisterAccessor {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    VariationPort variation{"variation"};
    sc_core::sc_port<GicTransport> transport{"transport"};
    /// To the CPU interface; the link with its latency is inside.
    sc_core::sc_port<StreamReceiver> downstream{"downstream"};
    sc_core::sc_export<StreamReceiver> upstream{"upstream"};
    sc_core::sc_port<Probe, 1, sc_core::SC_ZERO_OR_MORE_BOUND> probe{"probe"};
    sc_core::sc_port<WakeRequestSink, 1, sc_core::SC_ZERO_OR_MORE_BOUND> wake_request{"wake_request"};
    /// RD_base at offset 0, SGI_base at 0x10000.
    RegisterSocket registers{"registers", *this, timeline};

    /// @param chip the Distributor of this number is this chip's.
    /// @param last no further Redistributor frame follows (GICR_TYPER.Last).
    Redistributor(const sc_core::sc_module_name& name, const GicParameters& parameters, CpuId cpu, Affinity affinity,
                  unsigned chip, bool last);

    /// Back to the initial state, with these figures. Events posted before are expected to be gone (Timeline::reset).
    void reset(const GicParameters& parameters);

    /// Drives a PPI input.
    /// @param n INTID 16 to 31, or of an extended PPI
    void set_ppi_line(Intid n, bool level);
    [[nodiscard]] const RedistributorState& state() const { return state_; }
    /// Puts a state there that it had before; nothing is under way.
    void set_state(const RedistributorState& state) { state_ = state; }

    void receive(const StreamPacket& packet) override;
    void receive(EndpointId from, const GicMessage& message) override;

private:
    AccessResult read_register(std::uint32_t offset, unsigned size, Security security) override;
    AccessStatus write_register(std::uint32_t offset, std::uint64_t value, unsigned size, Security security) override;
    [[nodiscard]] AccessResult peek_register(std::uint32_t offset, unsigned size, Security security) const override;

    void apply(const RedistributorEffects& effects);
    void write_done() { state_.write_done(); }
    void power_done();

    StreamLink link_{"link"};
    GicParameters parameters_;
    RedistributorState state_;
    std::unique_ptr<SgiRouting> routing_;
    unsigned chip_;
    bool wake_requested_ = false;
};

}  // namespace gicsim

#endif
