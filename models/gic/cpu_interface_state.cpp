#include "gicsim/gic/cpu_interface_state.h"

#include <algorithm>

namespace gicsim {
namespace {

constexpr std::uint32_t intid_mask = 0xFFFF;  // ICC_CTLR_EL1.IDbits = 0: 16 bits
constexpr std::uint32_t first_lpi = 8192;

}  // namespace

CpuInterfaceState::CpuInterfaceState(const GicParameters& parameters) {
    reset(parameters);
}

void CpuInterfaceState::reset(const GicParameters& parameters) {
    priority_bits_ = parameters.priority_bits;
    single_security_ = parameters.single_security;
    non_maskable_ = parameters.non_maskable;
    extended_ranges_ = parameters.extended_spis + parameters.extended_ppis > 0;
    pe_ = PeState{};
    held_.reset();
    signalled_ = false;
    // At most 128 preemption levels: bit 0 of a priority never preempts (IHI 0069, 4.8.2).
    active_ = ActivePriorities(std::min(priority_bits_, 7U));
    pmr_ = 0;
    bpr0_ = least_bpr0();
    banks_[0] = Bank{false, false, least_bpr1(Security::secure)};
    banks_[1] = Bank{false, false, least_bpr1(Security::non_secure)};
    pmhe_ = false;
    eoi_mode_el3_ = false;
    routing_modifier_ = false;
    priority_mask_sent_ = 0xFF;
    enabled_ = GroupSet{};
    commands_unanswered_ = 0;
    guest_errors_ = 0;
    protocol_errors_ = 0;
}

std::optional<Intid> CpuInterfaceState::held() const {
    return held_ ? std::optional(held_->intid) : std::nullopt;
}

unsigned CpuInterfaceState::bank_index(Security security) const {
    return single_security_ || security == Security::non_secure ? 1 : 0;
}

Group CpuInterfaceState::group1_of(Security security) const {
    return bank_index(security) == 1 ? Group::g1ns : Group::g1s;
}

/// Which bits of a priority decide about preemption (IHI 0069, 4.8.2): with a binary point n, [7:n+1] for Group 0 and
/// Secure Group 1, [7:n] for Non-secure Group 1.
std::uint8_t CpuInterfaceState::group_priority_mask(Group group) const {
    const Bank& own = group == Group::g1s ? banks_[0] : banks_[1];
    const bool common = group == Group::g0 || own.cbpr;
    unsigned dropped = bpr0_ + 1U;
    if (!common) dropped = group == Group::g1ns ? own.bpr1 : own.bpr1 + 1U;
    return static_cast<std::uint8_t>(0xFFU << dropped);
}

/// IHI 0069, 4.6.2.
bool CpuInterfaceState::as_fiq() const {
    if (held_->group == Group::g0) return true;
    if (single_security_) return false;
    return pe_.el3 || (held_->group == Group::g1s) != (pe_.security == Security::secure);
}

/// Whether ICC_PMR_EL1 keeps the held interrupt from being signalled. A non-maskable one is masked only when Secure
/// software masks all that is Non-secure (IHI 0069, 4.8, FEAT_GICv3_NMI).
bool CpuInterfaceState::masked() const {
    if (!held_->non_maskable) return value(held_->priority) >= pmr_;
    if (single_security_ || held_->group != Group::g1ns) return false;
    return pmr_ < 0x80 || (pmr_ == 0x80 && pe_.security == Security::secure);
}

/// The one place that decides whether the held interrupt is signalled; called after every change of an input.
void CpuInterfaceState::update_signalled() {
    signalled_ = false;
    if (!held_is_enabled() || masked()) return;
    // Both sides of the comparison under the binary point of the pending interrupt's group: what runs may have become
    // active under another, and its subpriority must not let an interrupt of lower priority preempt (IHI 0069, 4.8.2).
    const ActivePriorities::Running now = running();
    const std::uint8_t mask = group_priority_mask(held_->group);
    const int pending = value(held_->priority) & mask;
    const int active = now.priority & mask;
    signalled_ =
        now.priority == 0xFF || pending < active || (held_->non_maskable && pending == active && !now.non_maskable);
}

void CpuInterfaceState::receive(const StreamPacket& packet, Effects& effects) {
    switch (packet.kind) {
        case PacketKind::set: {
            const Held incoming = packet.candidate();
            const bool refused = !enabled_.contains(incoming.group) || (held_ && incoming.rank() >= held_->rank());
            if (refused) {
                effects.push_back(StreamPacket::about(PacketKind::release, incoming.intid));
            } else {
                release(effects);
                held_ = incoming;
            }
            break;
        }
        case PacketKind::clear:
            // Legal, and acknowledged, also when the interrupt has left by Activate or Release in the meantime.
            if (held_ && held_->intid == packet.intid) release(effects);
            effects.push_back(StreamPacket::plain(PacketKind::clear_ack));
            break;
        case PacketKind::quiesce:
            release(effects);
            effects.push_back(StreamPacket::plain(PacketKind::quiesce_ack));
            break;
        case PacketKind::downstream_control:
            if (packet.control == ControlId::single_security) single_security_ = packet.data != 0;
            effects.push_back(StreamPacket::plain(PacketKind::downstream_control_ack));
            break;
        case PacketKind::activate_ack:
        case PacketKind::deactivate_ack:
        case PacketKind::generate_sgi_ack:
        case PacketKind::upstream_control_ack:
            if (commands_unanswered_ == 0) {
                ++protocol_errors_;
            } else {
                --commands_unanswered_;
            }
            break;
        default: ++protocol_errors_; return;
    }
    update_signalled();
}

/// Gives the held interrupt back to the Redistributor, where it stays pending.
void CpuInterfaceState::release(Effects& effects) {
    if (!held_) return;
    effects.push_back(StreamPacket::about(PacketKind::release, held_->intid));
    held_.reset();
}

/// Sends an upstream command that will be acknowledged.
void CpuInterfaceState::command(const StreamPacket& packet, Effects& effects) {
    ++commands_unanswered_;
    effects.push_back(packet);
}

/// ICC_IARn: the held interrupt becomes active here at once, at the Redistributor when the Activate gets there.
/// @param id what the register reads as; nothing is acknowledged unless it is the held interrupt's
std::uint64_t CpuInterfaceState::acknowledge(std::uint64_t id, Effects& effects) {
    if (!held_ || id != index(held_->intid)) return id;
    if (held_->non_maskable) {
        active_.set_non_maskable(held_->group, true);
    } else {
        active_.raise(held_->group, value(held_->priority) & group_priority_mask(held_->group));
    }
    command(StreamPacket::about(PacketKind::activate, held_->intid), effects);
    held_.reset();
    update_signalled();
    return id;
}

/// An INTID that has an active state (IHI 0069, 2.2).
bool CpuInterfaceState::can_be_active(std::uint32_t n) const {
    return n < 1020 || (extended_ranges_ && (is_private(intid(n)) || is_spi(intid(n))));
}

/// ICC_EOIRn: priority drop, and deactivation unless EOImode splits the two. What the architecture leaves
/// UNPREDICTABLE is counted and ignored.
void CpuInterfaceState::end_of_interrupt(std::uint64_t value, Group group, Accessor accessor, Effects& effects) {
    const auto n = static_cast<std::uint32_t>(value & 0xFFFFFF);
    const bool lpi = n >= first_lpi && n <= intid_mask;
    const std::optional<Group> running_group = running().group;
    // At EL3, ICC_EOIR1_EL1 completes Group 1 of either Security state.
    if (accessor.el3 && group != Group::g0 && running_group && *running_group != Group::g0) group = *running_group;
    if ((!can_be_active(n) && !lpi) || running_group != group) {
        ++guest_errors_;
        return;
    }
    active_.drop(group);
    const bool split = accessor.el3 && !single_security_ ? eoi_mode_el3_ : bank(accessor.security).eoi_mode;
    // LPIs have no active state (IHI 0069, 4.1).
    if (!split && !lpi) command(StreamPacket::deactivate(intid(n), GroupSet::of(group)), effects);
    update_signalled();
}

void CpuInterfaceState::deactivate(std::uint64_t value, Accessor accessor, Effects& effects) {
    const auto n = static_cast<std::uint32_t>(value & 0xFFFFFF);
    const bool split = accessor.el3 && !single_security_ ? eoi_mode_el3_ : bank(accessor.security).eoi_mode;
    if (!split || !can_be_active(n)) {
        ++guest_errors_;
        return;
    }
    GroupSet permitted = GroupSet::of(Group::g1ns);
    if (!restricted(accessor)) permitted = GroupSet::all();
    command(StreamPacket::deactivate(intid(n), permitted), effects);
}

void CpuInterfaceState::generate_sgi(SgiRegister reg, std::uint64_t value, Security security, Effects& effects) {
    command(StreamPacket::generate_sgi(SgiRequest::decode(reg, security, value)), effects);
}

void CpuInterfaceState::enable_group(Group group, bool enable, Effects& effects) {
    if (enabled_.contains(group) == enable) return;
    enabled_.set(group, enable);
    // The Redistributor learns of it before it gets the interrupt back, so it does not send it again at once.
    command(StreamPacket::control_packet(PacketKind::upstream_control, ControlId::group_enables, enabled_.bits()),
            effects);
    if (held_ && held_->group == group && !enable) release(effects);
    update_signalled();
}

void CpuInterfaceState::send_priority_mask(Effects& effects) {
    // With ICC_CTLR_EL1.PMHE = 1 the Redistributor uses ICC_PMR_EL1 to select what it sends.
    const std::uint8_t mask = pmhe_ ? pmr_ : std::uint8_t{0xFF};
    if (mask == priority_mask_sent_) return;
    priority_mask_sent_ = mask;
    command(StreamPacket::control_packet(PacketKind::upstream_control, ControlId::priority_mask, mask), effects);
}

}  // namespace gicsim
