#include "icc_port.h"

#include <optional>

namespace gicsim {
namespace {

/// The encodings of IHI 0069, 12.2.
std::optional<IccRegister> decode(std::uint16_t encoding) {
    using enum IccRegister;
    switch (encoding) {
        case system_register(3, 0, 4, 6, 0): return ICC_PMR_EL1;
        case system_register(3, 0, 12, 8, 0): return ICC_IAR0_EL1;
        case system_register(3, 0, 12, 8, 1): return ICC_EOIR0_EL1;
        case system_register(3, 0, 12, 8, 2): return ICC_HPPIR0_EL1;
        case system_register(3, 0, 12, 8, 3): return ICC_BPR0_EL1;
        case system_register(3, 0, 12, 8, 4): return ICC_AP0R0_EL1;
        case system_register(3, 0, 12, 8, 5): return ICC_AP0R1_EL1;
        case system_register(3, 0, 12, 8, 6): return ICC_AP0R2_EL1;
        case system_register(3, 0, 12, 8, 7): return ICC_AP0R3_EL1;
        case system_register(3, 0, 12, 9, 0): return ICC_AP1R0_EL1;
        case system_register(3, 0, 12, 9, 1): return ICC_AP1R1_EL1;
        case system_register(3, 0, 12, 9, 2): return ICC_AP1R2_EL1;
        case system_register(3, 0, 12, 9, 3): return ICC_AP1R3_EL1;
        case system_register(3, 0, 12, 9, 5): return ICC_NMIAR1_EL1;
        case system_register(3, 0, 12, 11, 1): return ICC_DIR_EL1;
        case system_register(3, 0, 12, 11, 3): return ICC_RPR_EL1;
        case system_register(3, 0, 12, 11, 5): return ICC_SGI1R_EL1;
        case system_register(3, 0, 12, 11, 6): return ICC_ASGI1R_EL1;
        case system_register(3, 0, 12, 11, 7): return ICC_SGI0R_EL1;
        case system_register(3, 0, 12, 12, 0): return ICC_IAR1_EL1;
        case system_register(3, 0, 12, 12, 1): return ICC_EOIR1_EL1;
        case system_register(3, 0, 12, 12, 2): return ICC_HPPIR1_EL1;
        case system_register(3, 0, 12, 12, 3): return ICC_BPR1_EL1;
        case system_register(3, 0, 12, 12, 4): return ICC_CTLR_EL1;
        case system_register(3, 0, 12, 12, 5): return ICC_SRE_EL1;
        case system_register(3, 0, 12, 12, 6): return ICC_IGRPEN0_EL1;
        case system_register(3, 0, 12, 12, 7): return ICC_IGRPEN1_EL1;
        case system_register(3, 4, 12, 9, 5): return ICC_SRE_EL2;
        case system_register(3, 6, 12, 12, 4): return ICC_CTLR_EL3;
        case system_register(3, 6, 12, 12, 5): return ICC_SRE_EL3;
        case system_register(3, 6, 12, 12, 7): return ICC_IGRPEN1_EL3;
        default: return std::nullopt;
    }
}

}  // namespace

IccPort::IccPort(const sc_core::sc_module_name& name, Timeline& timeline, Gic::Output& irq, Gic::Output& fiq)
    : sc_module(name), timeline_(timeline), irq_(irq), fiq_(fiq) {}

bool IccPort::knows(std::uint16_t reg) const {
    return decode(reg).has_value();
}

Accessor IccPort::accessor() const {
    return mode_.el3 ? Accessor::at_el3(mode_.security) : Accessor(mode_.security);
}

std::uint64_t IccPort::read(std::uint16_t reg) {
    const std::optional<IccRegister> known = decode(reg);
    if (!known) return 0;
    timeline_.catch_up();
    return interface->read(*known, accessor());
}

void IccPort::write(std::uint16_t reg, std::uint64_t value) {
    const std::optional<IccRegister> known = decode(reg);
    if (!known) return;
    timeline_.catch_up();
    interface->write(*known, value, accessor());
}

void IccPort::set_mode(const PeMode& mode) {
    mode_ = mode;
    timeline_.catch_up();
    interface->set_pe(PeState{mode.security, mode.el3, mode.scr_el3_fiq, mode.sctlr_nmi});
}

// A foreign process may be what has changed them; the pins have one writer, the Timeline's own process.
void IccPort::interrupt_lines_changed() {
    timeline_.post_boundary<&IccPort::write_pins>(timeline_.now(), this);
}

void IccPort::upstream_drained() {
    timeline_.post_boundary<&IccPort::notify_settled>(timeline_.now(), this);
}

void IccPort::write_pins() {
    if (irq_.size() > 0) irq_->write(interface->irq());
    if (fiq_.size() > 0) fiq_->write(interface->fiq());
}

}  // namespace gicsim
