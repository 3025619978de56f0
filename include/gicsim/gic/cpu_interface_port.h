#ifndef GICSIM_GIC_CPU_INTERFACE_PORT_H
#define GICSIM_GIC_CPU_INTERFACE_PORT_H

#include <cstdint>
#include <systemc>

#include "gicsim/arch/gic.h"
#include "gicsim/gic/icc_register.h"

namespace gicsim {

/// What a core sees of its CPU interface. Every call acts at the Timeline's present instant and takes no time: how
/// long the core is busy with an MRS or MSR is the core's own property.
class CpuInterfacePort : public virtual sc_core::sc_interface {
public:
    /// An MRS; ICC_IAR0_EL1, ICC_IAR1_EL1 and ICC_NMIAR1_EL1 acknowledge.
    virtual std::uint64_t read(IccRegister reg, Accessor accessor) = 0;
    /// An MSR. Packets it causes leave now; it does not wait for their acknowledgement.
    virtual void write(IccRegister reg, std::uint64_t value, Accessor accessor) = 0;
    /// Every upstream command so far has been acknowledged: what a DSB waits for (IHI 0069, Appendix A).
    [[nodiscard]] virtual bool upstream_idle() const = 0;
    [[nodiscard]] virtual bool irq() const = 0;
    [[nodiscard]] virtual bool fiq() const = 0;
    /// The state the PE is in from now on; it decides which pin an interrupt drives (IHI 0069, 4.6.2).
    virtual void set_pe(const PeState& pe) = 0;
};

/// What the CPU interface tells its core. Called within the Timeline's events, also from inside the core's own read(),
/// write() or set_security() when that call changes a line. The core may call back at once.
class InterruptSink : public virtual sc_core::sc_interface {
public:
    /// irq() or fiq() differs from what it was before.
    virtual void interrupt_lines_changed() = 0;
    /// upstream_idle() has become true.
    virtual void upstream_drained() = 0;
};

}  // namespace gicsim

#endif
