#include "support/settled_gic.h"

#include <stdexcept>

namespace gicsim::test {
namespace {

/// Far more steps than any input needs: one that needs as many goes round in circles.
constexpr unsigned most_steps = 100'000;

}  // namespace

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
    settle();
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
    settle();
    return status;
}

std::uint64_t SettledGic::read_icc(CpuId cpu, IccRegister reg, Security security) {
    std::uint64_t value = 0;
    to_interface(cpu, [&](CpuInterfaceState& state, CpuInterfaceEffects& effects) {
        value = state.read(reg, security, effects);
    });
    settle();
    return value;
}

void SettledGic::write_icc(CpuId cpu, IccRegister reg, std::uint64_t value, Security security) {
    to_interface(cpu, [&](CpuInterfaceState& state, CpuInterfaceEffects& effects) {
        state.write(reg, value, security, effects);
    });
    settle();
}

void SettledGic::set_ppi_line(CpuId cpu, Intid n, bool level) {
    to_redistributor(
        cpu, [&](RedistributorState& state, RedistributorEffects& effects) { state.set_ppi_line(n, level, effects); });
    settle();
}

void SettledGic::set_security(CpuId cpu, Security security) {
    pe(cpu).interface.set_security(security);
}

std::uint64_t SettledGic::protocol_errors() const {
    std::uint64_t errors = 0;
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
    if (effects.write_started) ++distributor_writes_pending_;
}

void SettledGic::settle() {
    for (unsigned step = 0; step < most_steps; ++step) {
        bool moved = route_sgi();
        for (std::size_t n = 0; n < pes_.size(); ++n) moved = settle_pe(cpu_id(n)) || moved;
        if (moved) continue;
        for (; distributor_writes_pending_ > 0; --distributor_writes_pending_) distributor_.write_done();
        return;
    }
    throw std::logic_error("SettledGic: the exchange of packets does not end");
}

/// One packet each way, or what is due once the links of this PE are empty.
bool SettledGic::settle_pe(CpuId cpu) {
    Pe& at = pe(cpu);
    bool moved = false;
    if (!at.down.empty()) {
        const StreamPacket packet = at.down.front();
        at.down.pop_front();
        to_interface(cpu, [&](CpuInterfaceState& state, CpuInterfaceEffects& out) { state.receive(packet, out); });
        moved = true;
    }
    if (!at.up.empty()) {
        const StreamPacket packet = at.up.front();
        at.up.pop_front();
        to_redistributor(cpu,
                         [&](RedistributorState& state, RedistributorEffects& out) { state.receive(packet, out); });
        moved = true;
    }
    if (moved) return true;
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
