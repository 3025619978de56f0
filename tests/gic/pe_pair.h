#ifndef GICSIM_TESTS_GIC_PE_PAIR_H
#define GICSIM_TESTS_GIC_PE_PAIR_H

#include <array>
#include <deque>
#include <initializer_list>

#include "gicsim/gic/cpu_interface_state.h"
#include "gicsim/gic/redistributor_state.h"
#include "support/gic_offsets.h"

namespace gicsim::test {

inline GicParameters one_security_state() {
    GicParameters parameters;
    parameters.single_security = true;
    return parameters;
}

inline SgiRequest sgi(unsigned n, SgiRegister reg = SgiRegister::sgi1r, Security security = Security::non_secure) {
    SgiRequest request;
    request.reg = reg;
    request.security = security;
    request.intid = intid(n);
    return request;
}

/// A Redistributor and its CPU interface with the packets between them in two queues that the test moves by hand.
class PePair {
public:
    explicit PePair(const GicParameters& parameters = one_security_state())
        : rd(parameters, CpuId{5}, Affinity{1, 2, 3, 4}, false), cpu(parameters) {}

    RedistributorState rd;
    CpuInterfaceState cpu;
    std::deque<StreamPacket> down;
    std::deque<StreamPacket> up;
    RedistributorEffects last;  ///< of the last input of the Redistributor
    unsigned sets_sent = 0;
    unsigned sets_ended = 0;
    std::array<unsigned, 16> pended{};
    std::deque<SgiRequest> generated;

    /// Awake, everything enabled, all interrupts Group 1 with priority 0xA0, PMR open, links drained.
    void bring_up() {
        wake();
        write(gicr::igroupr0, ~0U);
        for (unsigned n = 0; n < 8; ++n) write(gicr::ipriorityr + 4 * n, 0xA0A0A0A0);
        write(gicr::isenabler0, ~0U);
        groups(GroupSet::all());
        msr(IccRegister::ICC_PMR_EL1, 0xF0);
        msr(IccRegister::ICC_IGRPEN0_EL1, 1);
        msr(IccRegister::ICC_IGRPEN1_EL1, 1);
        drain();
    }
    void wake() {
        write(gicr::waker, 0);
        power_done();
    }

    AccessStatus write(std::uint32_t offset, std::uint64_t value, Security security = Security::secure,
                       unsigned size = 4) {
        AccessStatus status{};
        input([&](auto& effects) { status = rd.write(offset, value, size, security, effects); });
        return status;
    }
    std::uint64_t read(std::uint32_t offset, Security security = Security::secure, unsigned size = 4) {
        return rd.read(offset, size, security).value;
    }
    void send_sgi(const SgiRequest& request) {
        input([&](auto& effects) { rd.receive_sgi(request, effects); });
    }
    void ppi(unsigned n, bool level) {
        input([&](auto& effects) { rd.set_ppi_line(intid(n), level, effects); });
    }
    void groups(GroupSet enabled) {
        input([&](auto& effects) { rd.set_group_enables(enabled, rd_single_security, effects); });
    }
    void power_done() {
        input([&](auto& effects) { rd.power_done(effects); });
    }
    std::uint64_t mrs(IccRegister reg, Security security = Security::non_secure) {
        CpuInterfaceEffects effects;
        const std::uint64_t value = cpu.read(reg, security, effects);
        up.insert(up.end(), effects.begin(), effects.end());
        return value;
    }
    void msr(IccRegister reg, std::uint64_t value, Security security = Security::non_secure) {
        CpuInterfaceEffects effects;
        cpu.write(reg, value, security, effects);
        up.insert(up.end(), effects.begin(), effects.end());
    }

    bool deliver_down() {
        if (down.empty()) return false;
        const StreamPacket packet = down.front();
        down.pop_front();
        CpuInterfaceEffects effects;
        cpu.receive(packet, effects);
        up.insert(up.end(), effects.begin(), effects.end());
        return true;
    }
    bool deliver_up() {
        if (up.empty()) return false;
        const StreamPacket packet = up.front();
        up.pop_front();
        if (packet.kind == PacketKind::activate || packet.kind == PacketKind::release) ++sets_ended;
        input([&](auto& effects) { rd.receive(packet, effects); });
        return true;
    }
    void drain() {
        while (deliver_down() || deliver_up()) {
        }
    }
    /// The kinds waiting on the way down.
    [[nodiscard]] bool down_is(std::initializer_list<PacketKind> kinds) const { return same(down, kinds); }
    [[nodiscard]] bool up_is(std::initializer_list<PacketKind> kinds) const { return same(up, kinds); }

    bool rd_single_security = true;

private:
    static bool same(const std::deque<StreamPacket>& queue, std::initializer_list<PacketKind> kinds) {
        if (queue.size() != kinds.size()) return false;
        auto at = queue.begin();
        for (const PacketKind kind : kinds) {
            if ((at++)->kind != kind) return false;
        }
        return true;
    }
    template <class Call>
    void input(Call call) {
        RedistributorEffects effects;
        call(effects);
        for (const StreamPacket& packet : effects.packets) {
            if (packet.kind == PacketKind::set) ++sets_sent;
        }
        down.insert(down.end(), effects.packets.begin(), effects.packets.end());
        if (effects.sgi_pended) ++pended[index(*effects.sgi_pended)];
        if (effects.sgi) generated.push_back(*effects.sgi);
        last = effects;
    }
};

}  // namespace gicsim::test

#endif
