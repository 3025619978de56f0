#ifndef GICSIM_TESTS_SUPPORT_SETTLED_GIC_H
#define GICSIM_TESTS_SUPPORT_SETTLED_GIC_H

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "gicsim/arch/gic.h"
#include "gicsim/gic/cpu_interface_state.h"
#include "gicsim/gic/distributor_state.h"
#include "gicsim/gic/redistributor_state.h"

namespace gicsim::test {

/// All there can be: every SPI, the extended ranges, non-maskable and 1-of-N interrupts.
GicParameters fully_equipped(bool single_security);

/// A GICv3 without time, made of the State classes: one Distributor and a Redistributor with its CPU interface for each
/// PE. An input is followed by all that comes of it, until no packet is on its way, no register write is pending and no
/// sleep change is under way. What it then shows is what the architecture promises after a sufficient wait.
class SettledGic {
public:
    /// @param affinities by CpuId
    SettledGic(const GicParameters& parameters, std::span<const Affinity> affinities);

    /// Accesses to the Distributor's frame.
    AccessResult read_gicd(std::uint32_t offset, unsigned size, Security security);
    AccessStatus write_gicd(std::uint32_t offset, std::uint64_t value, unsigned size, Security security);
    /// Accesses to the two frames of the Redistributor of `cpu`; SGI_base is at 0x10000.
    AccessResult read_gicr(CpuId cpu, std::uint32_t offset, unsigned size, Security security);
    AccessStatus write_gicr(CpuId cpu, std::uint32_t offset, std::uint64_t value, unsigned size, Security security);
    /// MRS and MSR by `cpu`.
    std::uint64_t read_icc(CpuId cpu, IccRegister reg, Accessor accessor);
    void write_icc(CpuId cpu, IccRegister reg, std::uint64_t value, Accessor accessor);
    void set_ppi_line(CpuId cpu, Intid n, bool level);
    void set_spi_line(Intid n, bool level);
    /// The state that `cpu` is in: it decides which pin an interrupt uses.
    void set_pe(CpuId cpu, const PeState& state);

    /// Inputs are no longer followed by what comes of them: deliver() and settle() do that.
    void hold() { held_ = true; }
    /// Moves one message of one of the queues that have any; `choice` says of which. False when all are empty.
    bool deliver(unsigned choice);
    /// Everything that is under way arrives.
    void settle();

    [[nodiscard]] std::size_t pe_count() const { return pes_.size(); }
    [[nodiscard]] bool irq(CpuId cpu) const { return pe(cpu).interface.irq(); }
    [[nodiscard]] bool fiq(CpuId cpu) const { return pe(cpu).interface.fiq(); }
    [[nodiscard]] const DistributorState& distributor() const { return distributor_; }
    [[nodiscard]] const RedistributorState& redistributor(CpuId cpu) const { return pe(cpu).redistributor; }
    [[nodiscard]] const CpuInterfaceState& cpu_interface(CpuId cpu) const { return pe(cpu).interface; }
    /// Packets that fitted no exchange, in all parts; 0 unless a State class is wrong.
    [[nodiscard]] std::uint64_t protocol_errors() const;

private:
    struct Pe {
        RedistributorState redistributor;
        CpuInterfaceState interface;
        std::deque<StreamPacket> down{};
        std::deque<StreamPacket> up{};
        std::deque<GicMessage> offers{};   ///< from the Distributor
        std::deque<GicMessage> answers{};  ///< to the Distributor
        unsigned writes_pending = 0;
        bool power_pending = false;
    };
    struct RoutedSgi {
        SgiRequest request;
        CpuId source;
    };

    [[nodiscard]] Pe& pe(CpuId cpu) { return pes_.at(index(cpu)); }
    [[nodiscard]] const Pe& pe(CpuId cpu) const { return pes_.at(index(cpu)); }

    template <class Call>
    void to_redistributor(CpuId cpu, Call call);
    template <class Call>
    void to_interface(CpuId cpu, Call call);
    void apply(const DistributorEffects& effects);
    void input_done() {
        if (!held_) settle();
    }
    bool deliver_down(CpuId cpu);
    bool deliver_up(CpuId cpu);
    bool deliver_offer(CpuId cpu);
    bool deliver_answer(CpuId cpu);
    bool finish_delays(CpuId cpu);
    bool route_sgi();

    DistributorState distributor_;
    std::vector<Pe> pes_;
    std::deque<RoutedSgi> sgis_;  ///< on their way to and through the Distributor
    unsigned distributor_writes_pending_ = 0;
    bool held_ = false;
};

}  // namespace gicsim::test

#endif
