#ifndef GICSIM_GIC_CPU_INTERFACE_H
#define GICSIM_GIC_CPU_INTERFACE_H

#include <systemc>

#include "gicsim/arch/affinity.h"
#include "gicsim/gic/cpu_interface_port.h"
#include "gicsim/gic/cpu_interface_state.h"
#include "gicsim/gic/stream_link.h"
#include "gicsim/record/probe.h"
#include "gicsim/timeline/timeline.h"
#include "gicsim/timeline/variation.h"

namespace gicsim {

/// The CPU interface of one PE. Accesses and packets act when they come, and what they cause enters the upstream link
/// at once.
class CpuInterface : public sc_core::sc_module, public StreamReceiver, public CpuInterfacePort {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    VariationPort variation{"variation"};
    /// To the Redistributor; the link with its latency is inside.
    sc_core::sc_port<StreamReceiver> upstream{"upstream"};
    sc_core::sc_export<StreamReceiver> downstream{"downstream"};
    sc_core::sc_export<CpuInterfacePort> core{"core"};
    sc_core::sc_port<InterruptSink, 1, sc_core::SC_ZERO_OR_MORE_BOUND> sink{"sink"};
    sc_core::sc_port<Probe, 1, sc_core::SC_ZERO_OR_MORE_BOUND> probe{"probe"};

    CpuInterface(const sc_core::sc_module_name& name, const GicParameters& parameters, CpuId cpu);

    /// Back to the initial state, with these figures. Events posted before are expected to be gone (Timeline::reset).
    void reset(const GicParameters& parameters);

    [[nodiscard]] const CpuInterfaceState& state() const { return state_; }
    /// Puts a state there that it had before, and tells the core its lines; nothing is under way.
    void set_state(const CpuInterfaceState& state) {
        state_ = state;
        apply({});
    }

    void receive(const StreamPacket& packet) override;

    std::uint64_t read(IccRegister reg, Accessor accessor) override;
    void write(IccRegister reg, std::uint64_t value, Accessor accessor) override;
    [[nodiscard]] bool upstream_idle() const override { return state_.upstream_idle(); }
    [[nodiscard]] bool irq() const override { return state_.irq(); }
    [[nodiscard]] bool fiq() const override { return state_.fiq(); }
    void set_pe(const PeState& pe) override;

private:
    /// Sends what an input caused and tells the core what has changed for it.
    void apply(const CpuInterfaceEffects& effects);

    StreamLink link_{"link"};
    CpuInterfaceState state_;
    CpuId cpu_;
    bool irq_told_ = false;
    bool fiq_told_ = false;
    bool idle_told_ = true;
};

}  // namespace gicsim

#endif
