#include "icc_port.h"

#include <optional>

namespace gicsim {
namespace {

std::optional<IccRegister> decode(std::uint16_t encoding) {
    for (const IccRegisterRow& row : icc_registers) {
        if (row.encoding.packed() == encoding) return row.reg;
    }
    return std::nullopt;
}

}  // namespace

IccPort::IccPort(const sc_core::sc_module_name& name, Timeline& timeline, Gic::Output& irq, Gic::Output& fiq)
    : sc_module(name), timeline_(timeline), irq_(irq), fiq_(fiq) {}

bool IccPort::knows(std::uint16_t reg) const {
    return decode(reg).has_value();
}

Accessor IccPort::accessor() const {
    return pe_.el3 ? Accessor::at_el3(pe_.security) : Accessor(pe_.security);
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

void IccPort::set_pe(const PeState& pe) {
    pe_ = pe;
    timeline_.catch_up();
    interface->set_pe(pe);
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
