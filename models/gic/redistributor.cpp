#include "gicsim/gic/redistributor.h"

namespace gicsim {
namespace {

/// The chip whose Distributor has the SPIs: the one whose registers software uses.
constexpr unsigned spi_chip = 0;

}  // namespace

Redistributor::Redistributor(const sc_core::sc_module_name& name, const GicParameters& parameters, CpuId cpu,
                             Affinity affinity, unsigned chip, bool last)
    : sc_module(name), state_(parameters, cpu, affinity, last), chip_(chip) {
    upstream.bind(*this);
    link_.timeline(timeline);
    link_.variation(variation);
    link_.receiver(downstream);
    reset(parameters);
}

void Redistributor::reset(const GicParameters& parameters) {
    routing_ = make_sgi_routing(parameters.sgi_routing);
    parameters_ = parameters;
    registers.set_latency(parameters.register_access);
    state_.reset(parameters);
    link_.reset(parameters);
    wake_requested_ = false;
}

void Redistributor::set_ppi_line(Intid n, bool level) {
    RedistributorEffects effects;
    state_.set_ppi_line(n, level, effects);
    apply(effects);
}

void Redistributor::receive(const StreamPacket& packet) {
    RedistributorEffects effects;
    state_.receive(packet, effects);
    apply(effects);
}

void Redistributor::receive(EndpointId, const GicMessage& message) {
    RedistributorEffects effects;
    switch (message.kind) {
        case GicMessage::Kind::group_enables:
            state_.set_group_enables(message.groups, message.single_security, effects);
            break;
        case GicMessage::Kind::spi_offer: state_.receive_offer(message.spi, effects); break;
        case GicMessage::Kind::spi_recall: state_.receive_recall(message.spi.intid, effects); break;
        default: state_.receive_sgi(message.sgi, effects); break;
    }
    apply(effects);
}

void Redistributor::power_done() {
    RedistributorEffects effects;
    state_.power_done(effects);
    apply(effects);
}

void Redistributor::apply(const RedistributorEffects& effects) {
    const Time now = timeline->now();
    const Time leaves = now + parameters_.redistributor;
    if (effects.sgi_pended && probe.size() > 0) probe->mark(Point::sgi_pending, state_.cpu(), now);
    for (const StreamPacket& packet : effects.packets) link_.send(packet, leaves);
    if (effects.sgi) {
        transport->send(transport->redistributor(state_.cpu()), transport->distributor(routing_->entry(chip_)), leaves,
                        GicTransport::message_bytes,
                        GicMessage::of(GicMessage::Kind::sgi_to_distributor, *effects.sgi, state_.cpu()));
    }
    for (const GicMessage& message : effects.messages) {
        transport->send(transport->redistributor(state_.cpu()), transport->distributor(spi_chip), leaves,
                        GicTransport::message_bytes, message);
    }
    if (effects.write_started) {
        timeline->post<&Redistributor::write_done>(now + parameters_.register_write_pending, this);
    }
    if (effects.power_started) timeline->post<&Redistributor::power_done>(now + parameters_.sleep, this);
    const bool wanted = state_.wake_request();
    if (wanted != wake_requested_) {
        wake_requested_ = wanted;
        if (wake_request.size() > 0) wake_request->wake_request_changed(state_.cpu(), wanted);
    }
}

AccessResult Redistributor::read_register(std::uint32_t offset, unsigned size, Security security) {
    return state_.read(offset, size, security);
}

AccessStatus Redistributor::write_register(std::uint32_t offset, std::uint64_t value, unsigned size,
                                           Security security) {
    RedistributorEffects effects;
    const AccessStatus status = state_.write(offset, value, size, security, effects);
    apply(effects);
    return status;
}

AccessResult Redistributor::peek_register(std::uint32_t offset, unsigned size, Security security) const {
    return state_.peek(offset, size, security);
}

}  // namespace gicsim
