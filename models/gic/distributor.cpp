#include "gicsim/gic/distributor.h"

#include <bit>
#include <stdexcept>

namespace gicsim {

Distributor::Distributor(const sc_core::sc_module_name& name, const GicParameters& parameters, unsigned chip,
                         std::span<const Affinity> affinities, std::span<const unsigned> chip_of)
    : sc_module(name), state_(parameters, affinities), chip_(chip), chip_of_(chip_of.begin(), chip_of.end()) {
    if (chip_of.size() != affinities.size()) throw std::invalid_argument("Distributor: one chip for each affinity");
    for (const unsigned other : chip_of) {
        if (other >= most_distributors) throw std::invalid_argument("Distributor: too many chips");
    }
    reset(parameters);
}

void Distributor::reset(const GicParameters& parameters) {
    routing_ = make_sgi_routing(parameters.sgi_routing);
    parameters_ = parameters;
    registers.set_latency(parameters.register_access);
    state_.reset(parameters);
}

void Distributor::receive(EndpointId, const GicMessage& message) {
    switch (message.kind) {
        case GicMessage::Kind::sgi_to_distributor:
            accept(message);
            deliver(message);
            break;
        case GicMessage::Kind::sgi_between_distributors: deliver(message); break;
        default: {
            DistributorEffects effects;
            state_.receive(message, effects);
            apply(effects);
        }
    }
}

void Distributor::set_spi_line(Intid id, bool level) {
    DistributorEffects effects;
    state_.set_spi_line(id, level, effects);
    apply(effects);
}

void Distributor::apply(const DistributorEffects& effects) {
    const Time now = timeline->now();
    if (effects.enables_changed) {
        const GicMessage message = GicMessage::enables(state_.group_enables(), state_.single_security());
        for (std::size_t n = 0; n < transport->redistributor_count(); ++n) {
            transport->send(transport->distributor(chip_), transport->redistributor(cpu_id(n)), now,
                            GicTransport::message_bytes, message);
        }
    }
    for (const SpiMessage& message : effects.messages) {
        transport->send(transport->distributor(chip_), transport->redistributor(message.to), now + parameters_.route,
                        GicTransport::message_bytes, message.message);
    }
    if (effects.write_started) {
        timeline->post<&Distributor::write_done>(now + parameters_.register_write_pending, this);
    }
}

/// Hands a request on to the Distributors that reach those of its targets this one does not: one message each.
void Distributor::accept(const GicMessage& message) {
    std::uint64_t others = 0;
    const bool marks = probe.size() > 0;
    state_.sgi_targets().for_each(message.sgi, message.source, [&](CpuId target) {
        if (marks) probe->mark(Point::sgi_routed, target, timeline->now());
        others |= std::uint64_t{1} << routing_->exit(chip_of_[index(target)]);
    });
    others &= ~(std::uint64_t{1} << chip_);
    for (; others != 0; others &= others - 1) {
        const auto other = static_cast<unsigned>(std::countr_zero(others));
        transport->send(transport->distributor(chip_), transport->distributor(other),
                        timeline->now() + parameters_.route, GicTransport::message_bytes,
                        GicMessage::of(GicMessage::Kind::sgi_between_distributors, message.sgi, message.source));
    }
}

void Distributor::deliver(const GicMessage& message) {
    const Time leaves = timeline->now() + parameters_.route;
    const GicMessage out = GicMessage::of(GicMessage::Kind::sgi_to_redistributor, message.sgi, message.source);
    state_.sgi_targets().for_each(message.sgi, message.source, [&](CpuId target) {
        if (routing_->exit(chip_of_[index(target)]) != chip_) return;
        transport->send(transport->distributor(chip_), transport->redistributor(target), leaves,
                        GicTransport::message_bytes, out);
    });
}

AccessResult Distributor::read_register(std::uint32_t offset, unsigned size, Security security) {
    return state_.read(offset, size, security);
}

AccessStatus Distributor::write_register(std::uint32_t offset, std::uint64_t value, unsigned size, Security security) {
    DistributorEffects effects;
    const AccessStatus status = state_.write(offset, value, size, security, effects);
    apply(effects);
    return status;
}

AccessResult Distributor::peek_register(std::uint32_t offset, unsigned size, Security security) const {
    return state_.peek(offset, size, security);
}

}  // namespace gicsim
