#ifndef GICSIM_GIC_REDISTRIBUTOR_STATE_H
#define GICSIM_GIC_REDISTRIBUTOR_STATE_H

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <optional>

#include "gicsim/arch/affinity.h"
#include "gicsim/arch/gic.h"
#include "gicsim/gic/gic_packets.h"
#include "gicsim/gic/gic_parameters.h"
#include "gicsim/gic/group_set.h"
#include "gicsim/gic/register_table.h"
#include "gicsim/gic/set_window.h"

namespace gicsim {

/// What one input makes a Redistributor do.
struct RedistributorEffects {
    boost::container::static_vector<StreamPacket, 8> packets;  ///< to the CPU interface, in this order
    std::optional<SgiRequest> sgi;                             ///< to the Distributor
    std::optional<Intid> sgi_pended;                           ///< an SGI has become pending that was not
    bool write_started = false;                                ///< RWP is set: write_done() when it has taken effect
    bool power_started = false;                                ///< power_done() after the time a sleep change takes
};

/// The SGIs and PPIs of one PE, its RD_base and SGI_base register frames, and the Redistributor's end of the stream
/// to the CPU interface (IHI 0069, 12.10, 12.11 and Appendix A). No time: each input gives effects.
class RedistributorState {
public:
    using Effects = RedistributorEffects;

    /// @param last no further Redistributor frame follows (GICR_TYPER.Last).
    RedistributorState(const GicParameters& parameters, CpuId cpu, Affinity affinity, bool last);
    void reset(const GicParameters& parameters);

    // Inputs.
    /// @param offset from RD_base; SGI_base is at 0x10000.
    AccessResult read(std::uint32_t offset, unsigned size, Security security);
    AccessStatus write(std::uint32_t offset, std::uint64_t value, unsigned size, Security security, Effects& effects);
    /// An upstream packet.
    void receive(const StreamPacket& packet, Effects& effects);
    /// An SGI that names this PE; forwarded or not by this PE's own configuration.
    void receive_sgi(const SgiRequest& request, Effects& effects);
    void set_group_enables(GroupSet groups, bool single_security, Effects& effects);
    /// @param n INTID 16 to 31.
    void set_ppi_line(Intid n, bool level, Effects& effects);
    /// The change behind the oldest `write_started` has been seen everywhere.
    void write_done();
    void power_done(Effects& effects);

    // Outputs and observation, without side effects.
    [[nodiscard]] AccessResult peek(std::uint32_t offset, unsigned size, Security security) const;
    /// Asks the power controller to wake the PE: it sleeps and an interrupt waits for it (IHI 0069, 11.1).
    [[nodiscard]] bool wake_request() const;
    [[nodiscard]] bool children_asleep() const { return power_ == Power::asleep || power_ == Power::waking; }
    [[nodiscard]] std::uint32_t pending() const { return latch_ | (line_ & ~(edge_triggered_ << 16)); }
    [[nodiscard]] std::uint32_t active() const { return active_; }
    [[nodiscard]] const SetWindow& sets() const { return sets_; }
    [[nodiscard]] CpuId cpu() const { return cpu_; }
    [[nodiscard]] Affinity affinity() const { return affinity_; }
    [[nodiscard]] std::uint64_t unimplemented_accesses() const { return unimplemented_accesses_; }
    /// Packets that fit no exchange under way; they are acted on as far as they make sense.
    [[nodiscard]] std::uint64_t protocol_errors() const { return protocol_errors_; }

    static const RegisterFrame<RedistributorState>& rd_frame();
    static const RegisterFrame<RedistributorState>& sgi_frame();

private:
    /// GICR_WAKER's exchange: falling_asleep and waking last the time of a sleep change, quiescing the round trip to
    /// the CPU interface.
    enum class Power : std::uint8_t { awake, falling_asleep, quiescing, asleep, waking };

    RedistributorState(CpuId cpu, Affinity affinity, bool last) : cpu_(cpu), affinity_(affinity), last_(last) {}

    [[nodiscard]] Group group_of(unsigned n) const;
    [[nodiscard]] std::uint32_t members_of(GroupSet groups) const;
    /// Interrupts that an access may see and change.
    [[nodiscard]] std::uint32_t visible_to(Security security) const;
    [[nodiscard]] std::uint32_t signalable() const;
    [[nodiscard]] std::optional<SetWindow::Entry> winner() const;
    void evaluate(Effects& effects);
    void recall_unwanted(std::uint32_t candidates, Effects& effects);
    void start_write(Effects& effects);
    void follow_processor_sleep(Effects& effects);
    void end_set(Intid id);
    void upstream_control(const StreamPacket& packet);

    // Register handlers (redistributor_registers.cpp).
    std::uint64_t read_zero(unsigned n, Security security) const;
    void write_nothing(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_ctlr(unsigned n, Security security) const;
    std::uint64_t read_typer(unsigned n, Security security) const;
    std::uint64_t read_waker(unsigned n, Security security) const;
    void write_waker(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_pidr2(unsigned n, Security security) const;
    std::uint64_t read_igroupr0(unsigned n, Security security) const;
    void write_igroupr0(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_igrpmodr0(unsigned n, Security security) const;
    void write_igrpmodr0(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_enabled(unsigned n, Security security) const;
    void write_isenabler0(unsigned n, const RegisterWrite& write, Effects& effects);
    void write_icenabler0(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_pending(unsigned n, Security security) const;
    void write_ispendr0(unsigned n, const RegisterWrite& write, Effects& effects);
    void write_icpendr0(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_active(unsigned n, Security security) const;
    void write_isactiver0(unsigned n, const RegisterWrite& write, Effects& effects);
    void write_icactiver0(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_ipriorityr(unsigned n, Security security) const;
    void write_ipriorityr(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_icfgr0(unsigned n, Security security) const;
    std::uint64_t read_icfgr1(unsigned n, Security security) const;
    void write_icfgr1(unsigned n, const RegisterWrite& write, Effects& effects);
    /// GICR_ICFGRn of 16 interrupts, given which are edge-triggered.
    static std::uint32_t configuration_bits(std::uint32_t edges);
    std::uint64_t read_nsacr(unsigned n, Security security) const;
    void write_nsacr(unsigned n, const RegisterWrite& write, Effects& effects);

    CpuId cpu_;
    Affinity affinity_;
    bool last_;
    std::uint8_t priority_mask_ = 0xFF;  ///< implemented bits

    // One bit an interrupt, bit n for INTID n.
    Mutant mutant_ = Mutant::none;
    std::uint32_t unmerged_ = 0;  ///< of a mutant
    std::uint32_t latch_ = 0;     ///< pending by an edge, an SGI or a write
    std::uint32_t line_ = 0;      ///< PPI inputs as they are now
    std::uint32_t active_ = 0;
    std::uint32_t enabled_ = 0;
    std::uint32_t igroupr0_ = 0;
    std::uint32_t igrpmodr0_ = 0;
    std::uint32_t edge_triggered_ = 0;  ///< of the PPIs: bit n for INTID 16 + n; SGIs always are
    std::uint32_t nsacr_ = 0;           ///< GICR_NSACR as it is, two bits an SGI
    std::array<std::uint8_t, 32> priority_{};

    bool single_security_ = false;  ///< GICD_CTLR.DS as last broadcast
    GroupSet distributor_groups_;   ///< GICD_CTLR group enables as last broadcast
    GroupSet cpu_groups_;           ///< ICC_IGRPENn as last told by the CPU interface
    std::uint8_t cpu_priority_mask_ = 0xFF;

    SetWindow sets_;
    unsigned clears_unanswered_ = 0;
    unsigned clears_before_write_done_ = 0;  ///< Clear Acknowledges that RWP still waits for
    unsigned writes_pending_ = 0;
    bool processor_sleep_ = true;
    Power power_ = Power::asleep;
    std::uint64_t unimplemented_accesses_ = 0;
    std::uint64_t protocol_errors_ = 0;
};

}  // namespace gicsim

#endif
