#ifndef GICSIM_GIC_REDISTRIBUTOR_STATE_H
#define GICSIM_GIC_REDISTRIBUTOR_STATE_H

#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <optional>

#include "gicsim/arch/affinity.h"
#include "gicsim/arch/gic.h"
#include "gicsim/gic/gic_packets.h"
#include "gicsim/gic/gic_parameters.h"
#include "gicsim/gic/group_set.h"
#include "gicsim/gic/interrupt_file.h"
#include "gicsim/gic/register_table.h"
#include "gicsim/gic/set_window.h"

namespace gicsim {

/// What one input makes a Redistributor do.
struct RedistributorEffects {
    boost::container::static_vector<StreamPacket, 8> packets;  ///< to the CPU interface, in this order
    std::optional<SgiRequest> sgi;                             ///< to the Distributor
    boost::container::static_vector<GicMessage, 4> messages;   ///< to the Distributor of the SPI, in this order
    std::optional<Intid> sgi_pended;                           ///< an SGI has become pending that was not
    bool write_started = false;                                ///< RWP is set: write_done() when it has taken effect
    bool power_started = false;                                ///< power_done() after the time a sleep change takes
};

/// The SGIs and PPIs of one PE, its RD_base and SGI_base register frames, and the Redistributor's end of the stream
/// to the CPU interface (IHI 0069, 12.10, 12.11 and Appendix A). An SPI that the Distributor offers competes with them;
/// its state stays with the Distributor. No time: each input gives effects.
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
    /// @param n INTID 16 to 31, or of an extended PPI; what is not implemented is ignored.
    void set_ppi_line(Intid n, bool level, Effects& effects);
    void receive_offer(const Candidate& spi, Effects& effects);
    /// Answered by spi_returned, or by the spi_activated that is on its way.
    void receive_recall(Intid spi, Effects& effects);
    /// The change behind the oldest `write_started` has been seen everywhere.
    void write_done();
    void power_done(Effects& effects);

    // Outputs and observation, without side effects.
    [[nodiscard]] AccessResult peek(std::uint32_t offset, unsigned size, Security security) const;
    /// Asks the power controller to wake the PE: it sleeps and an interrupt waits for it (IHI 0069, 11.1).
    [[nodiscard]] bool wake_request() const;
    [[nodiscard]] bool children_asleep() const { return power_ == Power::asleep || power_ == Power::waking; }
    /// Of the SGIs and PPIs, bit n for INTID n.
    [[nodiscard]] std::uint32_t pending() const { return file_.pending(0); }
    [[nodiscard]] std::uint32_t active() const { return file_.active_word(0); }
    [[nodiscard]] std::optional<Intid> offered() const {
        return offer_ ? std::optional(offer_->spi.intid) : std::nullopt;
    }
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

    /// Slots 0 to 31 are the INTIDs 0 to 31, those behind the extended PPIs.
    using File = InterruptFile<3>;
    /// An SPI that the Distributor has offered and not got back yet.
    struct Offer {
        Candidate spi;
        bool recalled = false;
    };

    [[nodiscard]] static constexpr std::uint32_t first_intid(unsigned w) {
        return w == 0 ? 0 : first_extended_ppi + 32 * (w - 1);
    }
    [[nodiscard]] std::optional<unsigned> slot_of(Intid id) const;
    [[nodiscard]] Candidate candidate(unsigned slot) const;
    [[nodiscard]] bool still_wanted(const Candidate& set) const;
    [[nodiscard]] std::optional<Candidate> winner() const;
    void evaluate(Effects& effects);
    void recall_unwanted(Effects& effects);
    void end_offer(GicMessage::Kind answer, Effects& effects);
    void tell_participation(Effects& effects);
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
    void write_ctlr(unsigned n, const RegisterWrite& write, Effects& effects);
    template <unsigned k>
    std::uint64_t read_component_id(unsigned, Security) const {
        return component_id[k];
    }
    std::uint64_t read_igroupr(unsigned w, Security security) const;
    void write_igroupr(unsigned w, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_igrpmodr(unsigned w, Security security) const;
    void write_igrpmodr(unsigned w, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_enabled(unsigned w, Security security) const;
    void write_isenabler(unsigned w, const RegisterWrite& write, Effects& effects);
    void write_icenabler(unsigned w, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_pending(unsigned w, Security security) const;
    void write_ispendr(unsigned w, const RegisterWrite& write, Effects& effects);
    void write_icpendr(unsigned w, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_active(unsigned w, Security security) const;
    void write_isactiver(unsigned w, const RegisterWrite& write, Effects& effects);
    void write_icactiver(unsigned w, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_ipriorityr(unsigned n, Security security) const;
    void write_ipriorityr(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_icfgr0(unsigned n, Security security) const;
    std::uint64_t read_icfgr(unsigned n, Security security) const;
    void write_icfgr(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_nsacr(unsigned n, Security security) const;
    void write_nsacr(unsigned n, const RegisterWrite& write, Effects& effects);
    std::uint64_t read_inmir(unsigned w, Security security) const;
    void write_inmir(unsigned w, const RegisterWrite& write, Effects& effects);

    CpuId cpu_;
    Affinity affinity_;
    bool last_;
    File file_;
    unsigned words_ = 1;  ///< of the file, that have interrupts
    std::optional<Offer> offer_;
    Mutant mutant_ = Mutant::none;
    std::uint32_t unmerged_ = 0;  ///< of a mutant, bit n for SGI n

    bool non_maskable_ = false;  ///< FEAT_GICv3_NMI
    bool one_of_n_ = false;
    bool spis_ = false;        ///< there are some, so that the Distributor wants to know participation
    GroupSet refused_groups_;  ///< GICR_CTLR.DPG*: takes no 1-of-N SPIs of these
    GroupSet groups_told_;     ///< participation as the Distributor last heard
    GroupSet refused_told_;
    bool asleep_told_ = true;
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
