#include "support/settled_gic.h"

#include <stdexcept>

namespace gicsim::test {
namespace {

/// Far more steps than any input needs: one that needs as many goes round in circles.
constexpr unsigned most_steps = 100'000;

}  // namespace

GicParameters fully_equipped(bool single_security) {
    GicParameters parameters;
    parameters.single_security = single_security;
    parameters.spis = most_spis;
    parameters.extended_spis = most_extended_spis;
    parameters.extended_ppis = most_extended_ppis;
    parameters.non_maskable = true;
    parameters.one_of_n = true;
    return parameters;
}

SettledGic::SettledGic(const GicParameters& parameters, std::span<const Affinity> affinities)
    : distributor_(parameters, affinities) {
    for (std::size_t n = 0; n < affinities.size(); ++n) {
        pes_.push_back(
            Pe{.redistributor = RedistributorState(parameters, cpu_id(n), affinities[n], n + 1 == affinities.size()),
               .interface = CpuInterfaceState(parameters)});
    }
}

template <class Call>
void SettledGic::to_redistributor(CpuId cpu, Call call) {
    Pe& at = pe(cpu);
    RedistributorEffects effects;
    call(at.redistributor, effects);
    at.down.insert(at.down.end(), effects.packets.begin(), effects.packets.end());
    if (effects.sgi) sgis_.push_back({*effects.sgi, cpu});
    at.answers.insert(at.answers.end(), effects.messages.begin(), effects.messages.end());
    if (effects.write_started) ++at.writes_pending;
    if (effects.power_started) at.power_pending = true;
}

template <class Call>
void SettledGic::to_interface(CpuId cpu, Call call) {
    Pe& at = pe(cpu);
    CpuInterfaceEffects effects;
    call(at.interface, effects);
    at.up.insert(at.up.end(), effects.begin(), effects.end());
}

AccessResult SettledGic::read_gicd(std::uint32_t offset, unsigned size, Security security) {
    return distributor_.read(offset, size, security);
}

AccessStatus SettledGic::write_gicd(std::uint32_t offset, std::uint64_t value, unsigned size, Security security) {
    DistributorEffects effects;
    const AccessStatus status = distributor_.write(offset, value, size, security, effects);
    apply(effects);
    input_done();
    return status;
}

AccessResult SettledGic::read_gicr(CpuId cpu, std::uint32_t offset, unsigned size, Security security) {
    return pe(cpu).redistributor.read(offset, size, security);
}

AccessStatus SettledGic::write_gicr(CpuId cpu, std::uint32_t offset, std::uint64_t value, unsigned size,
                                    Security security) {
    AccessStatus status{};
    to_redistributor(cpu, [&](RedistributorState& state, RedistributorEffects& effects) {
        status = state.write(offset, value, size, security, effects);
    });
    input_done();
    return status;
}

std::uint64_t SettledGic::read_icc(CpuId cpu, IccRegister reg, Accessor accessor) {
    std::uint64_t value = 0;
    to_interface(cpu, [&](CpuInterfaceState& state, CpuInterfaceEffects& effects) {
        value = state.read(reg, accessor, effects);
    });
    input_done();
    return value;
}

void SettledGic::write_icc(CpuId cpu, IccRegister reg, std::uint64_t value, Accessor accessor) {
    to_interface(cpu, [&](CpuInterfaceState& state, CpuInterfaceEffects& effects) {
        state.write(reg, value, accessor, effects);
    });
    input_done();
}

void SettledGic::set_ppi_line(CpuId cpu, Intid n, bool level) {
    to_redistributor(
        cpu, [&](RedistributorState& state, RedistributorEffects& effects) { state.set_ppi_line(n, level, effects); });
    input_done();
}

void SettledGic::set_spi_line(Intid n, bool level) {
    DistributorEffects effects;
    distributor_.set_spi_line(n, level, effects);
    apply(effects);
    input_done();
}

void SettledGic::set_pe(CpuId cpu, const PeState& state) {
    pe(cpu).interface.set_pe(state);
}

std::uint64_t SettledGic::protocol_errors() const {
    std::uint64_t errors = distributor_.spis().protocol_errors();
    for (const Pe& each : pes_) errors += each.redistributor.protocol_errors() + each.interface.protocol_errors();
    return errors;
}

void SettledGic::apply(const DistributorEffects& effects) {
    if (effects.enables_changed) {
        for (std::size_t n = 0; n < pes_.size(); ++n) {
            to_redistributor(cpu_id(n), [&](RedistributorState& state, RedistributorEffects& out) {
                state.set_group_enables(distributor_.group_enables(), distributor_.single_security(), out);
            });
        }
    }
    for (const SpiMessage& message : effects.messages) pe(message.to).offers.push_back(message.message);
    if (effects.write_started) ++distributor_writes_pending_;
}

void SettledGic::settle() {
    for (unsigned step = 0; step < most_steps; ++step) {
        bool moved = route_sgi();
        for (std::size_t n = 0; n < pes_.size(); ++n) {
            const CpuId cpu = cpu_id(n);
            const bool down = deliver_down(cpu);
            const bool up = deliver_up(cpu);
            const bool offer = deliver_offer(cpu);
            const bool answer = deliver_answer(cpu);
            moved = moved || down || up || offer || answer || finish_delays(cpu);
        }
        if (moved) continue;
        for (; distributor_writes_pending_ > 0; --distributor_writes_pending_) distributor_.write_done();
        return;
    }
    throw std::logic_error("SettledGic: the exchange of packets does not end");
}

bool SettledGic::deliver(unsigned choice) {
    const auto queues = static_cast<unsigned>(4 * pes_.size() + 1);
    for (unsigned i = 0; i < queues; ++i) {
        const unsigned queue = (choice + i) % queues;
        const CpuId cpu = cpu_id(queue / 4);
        if (queue == queues - 1) {
            if (route_sgi()) return true;
            continue;
        }
        const bool moved = queue % 4 == 0   ? deliver_down(cpu)
                           : queue % 4 == 1 ? deliver_up(cpu)
                           : queue % 4 == 2 ? deliver_offer(cpu)
                                            : deliver_answer(cpu);
        if (moved) return true;
    }
    return false;
}

bool SettledGic::deliver_down(CpuId cpu) {
    Pe& at = pe(cpu);
    if (at.down.empty()) return false;
    const StreamPacket packet = at.down.front();
    at.down.pop_front();
    to_interface(cpu, [&](CpuInterfaceState& state, CpuInterfaceEffects& out) { state.receive(packet, out); });
    return true;
}

bool SettledGic::deliver_up(CpuId cpu) {
    Pe& at = pe(cpu);
    if (at.up.empty()) return false;
    const StreamPacket packet = at.up.front();
    at.up.pop_front();
    to_redistributor(cpu, [&](RedistributorState& state, RedistributorEffects& out) { state.receive(packet, out); });
    return true;
}

bool SettledGic::deliver_offer(CpuId cpu) {
    Pe& at = pe(cpu);
    if (at.offers.empty()) return false;
    const GicMessage message = at.offers.front();
    at.offers.pop_front();
    to_redistributor(cpu, [&](RedistributorState& state, RedistributorEffects& out) {
        if (message.kind == GicMessage::Kind::spi_offer) {
            state.receive_offer(message.spi, out);
        } else {
            state.receive_recall(message.spi.intid, out);
        }
    });
    return true;
}

bool SettledGic::deliver_answer(CpuId cpu) {
    Pe& at = pe(cpu);
    if (at.answers.empty()) return false;
    const GicMessage message = at.answers.front();
    at.answers.pop_front();
    DistributorEffects effects;
    distributor_.receive(message, effects);
    apply(effects);
    return true;
}

/// What is due once the links of a PE are empty.
bool SettledGic::finish_delays(CpuId cpu) {
    Pe& at = pe(cpu);
    for (; at.writes_pending > 0; --at.writes_pending) at.redistributor.write_done();
    if (!at.power_pending) return false;
    at.power_pending = false;
    to_redistributor(cpu, [](RedistributorState& state, RedistributorEffects& out) { state.power_done(out); });
    return true;
}

bool SettledGic::route_sgi() {
    if (sgis_.empty()) return false;
    const RoutedSgi sgi = sgis_.front();
    sgis_.pop_front();
    distributor_.sgi_targets().for_each(sgi.request, sgi.source, [&](CpuId target) {
        to_redistributor(
            target, [&](RedistributorState& state, RedistributorEffects& out) { state.receive_sgi(sgi.request, out); });
    });
    return true;
}

}  // namespace gicsim::test
