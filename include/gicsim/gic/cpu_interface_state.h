#ifndef GICSIM_GIC_CPU_INTERFACE_STATE_H
#define GICSIM_GIC_CPU_INTERFACE_STATE_H

#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <optional>

#include "gicsim/arch/gic.h"
#include "gicsim/gic/active_priorities.h"
#include "gicsim/gic/gic_packets.h"
#include "gicsim/gic/gic_parameters.h"
#include "gicsim/gic/group_set.h"
#include "gicsim/gic/icc_register.h"

namespace gicsim {

/// The packets one input makes a CPU interface send, in this order.
using CpuInterfaceEffects = boost::container::static_vector<StreamPacket, 4>;

/// The physical CPU interface of one PE: its ICC_ registers, its end of the stream to the Redistributor, and the IRQ
/// and FIQ pins (IHI 0069, 4.8, 12.2 and Appendix A). No time: each input gives effects.
///
/// Group 0 registers are RAZ/WI to accesses that would trap, while EL3 owns Group 0 (SCR_EL3.FIQ = 1): Non-secure ones
/// with two Security states, which then also see shifted priorities. The _EL3 registers are so below EL3.
class CpuInterfaceState {
public:
    using Effects = CpuInterfaceEffects;

    explicit CpuInterfaceState(const GicParameters& parameters);
    void reset(const GicParameters& parameters);

    // Inputs.
    /// An MRS; reading ICC_IAR0_EL1, ICC_IAR1_EL1 or ICC_NMIAR1_EL1 acknowledges.
    std::uint64_t read(IccRegister reg, Accessor accessor, Effects& effects);
    void write(IccRegister reg, std::uint64_t value, Accessor accessor, Effects& effects);
    /// A downstream packet.
    void receive(const StreamPacket& packet, Effects& effects);
    void set_pe(const PeState& pe) {
        pe_ = pe;
        update_signalled();
    }

    // Outputs, without side effects.
    [[nodiscard]] bool irq() const { return signalled_ && !as_fiq(); }
    [[nodiscard]] bool fiq() const { return signalled_ && as_fiq(); }
    [[nodiscard]] bool upstream_idle() const { return commands_unanswered_ == 0; }
    /// The value an MRS would return, without acknowledging anything.
    [[nodiscard]] std::uint64_t peek(IccRegister reg, Accessor accessor) const;
    [[nodiscard]] const PeState& pe() const { return pe_; }
    /// The interrupt of the Set that is held, if any.
    [[nodiscard]] std::optional<Intid> held() const;
    /// Physical running priority, 0xFF when idle.
    [[nodiscard]] Priority running_priority() const { return gicsim::priority(running().priority); }

    /// Things software must not do and that are ignored: completing what is not active, completing a special INTID,
    /// deactivating with EOImode = 0, reading a write-only register and the like.
    [[nodiscard]] std::uint64_t guest_errors() const { return guest_errors_; }
    [[nodiscard]] std::uint64_t protocol_errors() const { return protocol_errors_; }

private:
    /// A Set that is held; ended by acknowledge() or release().
    using Held = Candidate;
    /// ICC_CTLR_EL1 and ICC_BPR1_EL1 have one copy a Security state; with GICD_CTLR.DS = 1 the Non-secure one is used.
    struct Bank {
        bool eoi_mode = false;
        bool cbpr = false;
        std::uint8_t bpr1 = 0;
    };

    [[nodiscard]] Bank& bank(Security security) { return banks_[bank_index(security)]; }
    [[nodiscard]] const Bank& bank(Security security) const { return banks_[bank_index(security)]; }
    [[nodiscard]] unsigned bank_index(Security security) const;
    [[nodiscard]] bool restricted(Accessor accessor) const {
        return !single_security_ && accessor.security == Security::non_secure && !accessor.el3 && pe_.scr_el3_fiq;
    }
    /// The Group 1 interrupts that ICC_IAR1, ICC_EOIR1 and the like are about for this accessor.
    [[nodiscard]] Group group1_of(Security security) const;
    [[nodiscard]] ActivePriorities::Running running() const { return active_.running(single_security_); }
    [[nodiscard]] std::uint8_t group_priority_mask(Group group) const;
    [[nodiscard]] bool as_fiq() const;
    [[nodiscard]] bool accessible(IccRegister reg, Accessor accessor) const;
    [[nodiscard]] bool masked() const;
    [[nodiscard]] bool can_be_active(std::uint32_t n) const;
    void update_signalled();

    std::uint64_t acknowledge(std::uint64_t id, Effects& effects);
    void end_of_interrupt(std::uint64_t value, Group group, Accessor accessor, Effects& effects);
    void deactivate(std::uint64_t value, Accessor accessor, Effects& effects);
    void generate_sgi(SgiRegister reg, std::uint64_t value, Security security, Effects& effects);
    void enable_group(Group group, bool enable, Effects& effects);
    void release(Effects& effects);
    void command(const StreamPacket& packet, Effects& effects);
    void send_priority_mask(Effects& effects);

    // Registers (cpu_interface_registers.cpp).
    [[nodiscard]] std::uint64_t read_pmr(Accessor accessor) const;
    void write_pmr(std::uint64_t value, Accessor accessor, Effects& effects);
    [[nodiscard]] std::uint64_t read_bpr1(Security security) const;
    void write_bpr0(std::uint64_t value);
    void write_bpr1(std::uint64_t value, Security security);
    [[nodiscard]] std::uint64_t read_ctlr(Security security) const;
    void write_ctlr(std::uint64_t value, Security security, Effects& effects);
    [[nodiscard]] std::uint64_t read_ctlr_el3() const;
    void write_ctlr_el3(std::uint64_t value, Effects& effects);
    [[nodiscard]] std::uint64_t fixed_ctlr_fields() const;
    [[nodiscard]] std::uint64_t read_rpr(Accessor accessor) const;
    [[nodiscard]] std::uint64_t read_ap1r(unsigned n, Security security) const;
    void write_ap1r(unsigned n, std::uint64_t value, Security security);
    [[nodiscard]] std::uint64_t group0_intid(bool available, Accessor accessor) const;
    [[nodiscard]] std::uint64_t group1_intid(bool available, Accessor accessor) const;
    [[nodiscard]] std::uint64_t acknowledgeable_group1(Accessor accessor, bool non_maskable) const;
    [[nodiscard]] bool held_is_enabled() const { return held_ && enabled_.contains(held_->group); }
    [[nodiscard]] std::uint8_t least_bpr0() const;
    [[nodiscard]] std::uint8_t least_bpr1(Security security) const;

    unsigned priority_bits_ = 5;
    bool single_security_ = false;
    bool non_maskable_ = false;     ///< FEAT_GICv3_NMI
    bool extended_ranges_ = false;  ///< ICC_CTLR_EL1.ExtRange
    PeState pe_;
    std::optional<Held> held_;
    bool signalled_ = false;
    ActivePriorities active_;
    std::uint8_t pmr_ = 0;
    std::uint8_t bpr0_ = 0;
    Bank banks_[2];
    bool pmhe_ = false;
    bool eoi_mode_el3_ = false;
    bool routing_modifier_ = false;  ///< ICC_CTLR_EL3.RM
    std::uint8_t priority_mask_sent_ = 0xFF;
    GroupSet enabled_;
    unsigned commands_unanswered_ = 0;
    std::uint64_t guest_errors_ = 0;
    std::uint64_t protocol_errors_ = 0;
};

}  // namespace gicsim

#endif
