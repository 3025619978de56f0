#include "gicsim/gic/cpu_interface.h"

namespace gicsim {

CpuInterface::CpuInterface(const sc_core::sc_module_name& name, const GicParameters& parameters, CpuId cpu)
    : sc_module(name), state_(parameters), cpu_(cpu) {
    downstream.bind(*this);
    core.bind(*this);
    link_.timeline(timeline);
    link_.variation(variation);
    link_.receiver(upstream);
    reset(parameters);
}

void CpuInterface::reset(const GicParameters& parameters) {
    state_.reset(parameters);
    link_.reset(parameters);
    irq_told_ = false;
    fiq_told_ = false;
    idle_told_ = true;
}

void CpuInterface::receive(const StreamPacket& packet) {
    CpuInterfaceEffects effects;
    state_.receive(packet, effects);
    apply(effects);
}

std::uint64_t CpuInterface::read(IccRegister reg, Accessor accessor) {
    CpuInterfaceEffects effects;
    const std::uint64_t value = state_.read(reg, accessor, effects);
    apply(effects);
    return value;
}

void CpuInterface::write(IccRegister reg, std::uint64_t value, Accessor accessor) {
    CpuInterfaceEffects effects;
    state_.write(reg, value, accessor, effects);
    apply(effects);
}

void CpuInterface::set_pe(const PeState& pe) {
    state_.set_pe(pe);
    apply({});
}

void CpuInterface::apply(const CpuInterfaceEffects& effects) {
    const Time now = timeline->now();
    for (const StreamPacket& packet : effects) link_.send(packet, now);

    const bool irq = state_.irq();
    const bool fiq = state_.fiq();
    const bool rises = (irq && !irq_told_) || (fiq && !fiq_told_);
    const bool lines_changed = irq != irq_told_ || fiq != fiq_told_;
    const bool drained = state_.upstream_idle() && !idle_told_;
    irq_told_ = irq;
    fiq_told_ = fiq;
    idle_told_ = state_.upstream_idle();
    // Last, because the core may call back from within.
    if (rises && probe.size() > 0) probe->mark(Point::irq_asserted, cpu_, now);
    if (lines_changed && sink.size() > 0) sink->interrupt_lines_changed();
    if (drained && state_.upstream_idle() && sink.size() > 0) sink->upstream_drained();
}

}  // namespace gicsim
