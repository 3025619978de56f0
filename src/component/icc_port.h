#ifndef GICSIM_COMPONENT_ICC_PORT_H
#define GICSIM_COMPONENT_ICC_PORT_H

#include "gicsim/component/gic.h"
#include "gicsim/gic/cpu_interface_port.h"
#include "gicsim/timeline/timeline.h"

namespace gicsim {

/// Between a PE that is not gicsim's and its CPU interface: system registers by their encoding, and the two pins.
class IccPort : public sc_core::sc_module, public IccAccess, public InterruptSink {
public:
    sc_core::sc_port<CpuInterfacePort> interface { "interface" };

    /// @param irq and @param fiq outlive the port.
    IccPort(const sc_core::sc_module_name& name, Timeline& timeline, Gic::Output& irq, Gic::Output& fiq);

    bool knows(std::uint16_t reg) const override;
    std::uint64_t read(std::uint16_t reg) override;
    void write(std::uint16_t reg, std::uint64_t value) override;
    void set_pe(const PeState& pe) override;
    bool settled() const override { return interface->upstream_idle(); }
    const sc_core::sc_event& settled_event() const override { return settled_; }

    void interrupt_lines_changed() override;
    void upstream_drained() override;

private:
    [[nodiscard]] Accessor accessor() const;
    void write_pins();
    void notify_settled() { settled_.notify(sc_core::SC_ZERO_TIME); }

    Timeline& timeline_;
    Gic::Output& irq_;
    Gic::Output& fiq_;
    PeState pe_;
    sc_core::sc_event settled_;
};

}  // namespace gicsim

#endif
