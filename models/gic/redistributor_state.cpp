#include "gicsim/gic/redistributor_state.h"

#include <bit>

namespace gicsim {
namespace {

constexpr std::uint32_t bit(Intid id) {
    return 1U << index(id);
}

constexpr std::uint32_t frame_bytes = 0x10000;

}  // namespace

RedistributorState::RedistributorState(const GicParameters& parameters, CpuId cpu, Affinity affinity, bool last)
    : cpu_(cpu), affinity_(affinity), last_(last) {
    reset(parameters);
}

void RedistributorState::reset(const GicParameters& parameters) {
    *this = RedistributorState(cpu_, affinity_, last_);
    priority_mask_ = implemented_priority_mask(parameters.priority_bits);
    single_security_ = parameters.single_security;
    mutant_ = parameters.mutant;
}

AccessResult RedistributorState::read(std::uint32_t offset, unsigned size, Security security) {
    const AccessResult result = peek(offset, size, security);
    if (!result.built) ++unimplemented_accesses_;
    return result;
}

AccessResult RedistributorState::peek(std::uint32_t offset, unsigned size, Security security) const {
    const auto& frame = offset < frame_bytes ? rd_frame() : sgi_frame();
    return frame.read(*this, offset < frame_bytes ? offset : offset - frame_bytes, size, security, single_security_);
}

AccessStatus RedistributorState::write(std::uint32_t offset, std::uint64_t value, unsigned size, Security security,
                                       Effects& effects) {
    const auto& frame = offset < frame_bytes ? rd_frame() : sgi_frame();
    const AccessResult result = frame.write(*this, offset < frame_bytes ? offset : offset - frame_bytes, value, size,
                                            security, single_security_, effects);
    if (!result.built) ++unimplemented_accesses_;
    return result.status;
}

void RedistributorState::receive(const StreamPacket& packet, Effects& effects) {
    switch (packet.kind) {
        case PacketKind::activate:
            // Also when a Clear is on its way: Activate wins, and the Clear finds nothing to release.
            end_set(packet.intid);
            if (is_private(packet.intid)) {
                latch_ &= ~bit(packet.intid);
                // A mutant takes what has come meanwhile up again.
                latch_ |= unmerged_ & bit(packet.intid);
                unmerged_ &= ~bit(packet.intid);
                active_ |= bit(packet.intid);
            }
            effects.packets.push_back(StreamPacket::plain(PacketKind::activate_ack));
            break;
        case PacketKind::release: end_set(packet.intid); break;
        case PacketKind::deactivate:
            if (is_private(packet.intid) && packet.groups.contains(group_of(index(packet.intid)))) {
                active_ &= ~bit(packet.intid);
            }
            effects.packets.push_back(StreamPacket::plain(PacketKind::deactivate_ack));
            break;
        case PacketKind::generate_sgi:
            // Acknowledged as soon as it is accepted here; where the Distributor has it by then is another matter.
            effects.sgi = packet.sgi;
            effects.packets.push_back(StreamPacket::plain(PacketKind::generate_sgi_ack));
            break;
        case PacketKind::upstream_control:
            upstream_control(packet);
            effects.packets.push_back(StreamPacket::plain(PacketKind::upstream_control_ack));
            break;
        case PacketKind::clear_ack:
            if (clears_unanswered_ == 0) {
                ++protocol_errors_;
                break;
            }
            --clears_unanswered_;
            if (clears_before_write_done_ > 0) --clears_before_write_done_;
            break;
        case PacketKind::quiesce_ack:
            if (power_ != Power::quiescing || !sets_.empty()) ++protocol_errors_;
            power_ = Power::asleep;
            follow_processor_sleep(effects);
            break;
        case PacketKind::downstream_control_ack: break;
        default: ++protocol_errors_; return;
    }
    evaluate(effects);
}

void RedistributorState::upstream_control(const StreamPacket& packet) {
    switch (packet.control) {
        case ControlId::group_enables: cpu_groups_ = GroupSet::from_bits(packet.data); break;
        case ControlId::priority_mask: cpu_priority_mask_ = packet.data; break;
        default: ++protocol_errors_; break;
    }
}

void RedistributorState::receive_sgi(const SgiRequest& request, Effects& effects) {
    const unsigned n = index(request.intid) & 0xF;
    const unsigned nsacr = nsacr_ >> (2 * n) & 0b11;
    if (!sgi_permitted(request.reg, request.security, group_of(n), nsacr, single_security_)) return;
    if ((latch_ & 1U << n) == 0) {
        effects.sgi_pended = intid(n);
    } else if (mutant_ == Mutant::no_merge_of_equal_intids) {
        unmerged_ |= 1U << n;
    }
    latch_ |= 1U << n;
    evaluate(effects);
}

void RedistributorState::set_group_enables(GroupSet groups, bool single_security, Effects& effects) {
    distributor_groups_ = groups;
    if (single_security_ != single_security) {
        single_security_ = single_security;
        effects.packets.push_back(StreamPacket::control_packet(PacketKind::downstream_control,
                                                               ControlId::single_security, single_security ? 1 : 0));
    }
    evaluate(effects);
}

void RedistributorState::set_ppi_line(Intid id, bool level, Effects& effects) {
    const bool rising = level && (line_ & bit(id)) == 0;
    line_ = level ? line_ | bit(id) : line_ & ~bit(id);
    if (rising && (edge_triggered_ << 16 & bit(id)) != 0) latch_ |= bit(id);
    evaluate(effects);
}

void RedistributorState::write_done() {
    if (writes_pending_ > 0) --writes_pending_;
}

void RedistributorState::start_write(Effects& effects) {
    ++writes_pending_;
    effects.write_started = true;
}

// Power.

void RedistributorState::follow_processor_sleep(Effects& effects) {
    // A change of mind in the middle of an exchange is UNPREDICTABLE (IHI 0069, GICR_WAKER); here the exchange is
    // finished first and then reversed.
    if (processor_sleep_ && power_ == Power::awake) {
        power_ = Power::falling_asleep;
        effects.power_started = true;
    } else if (!processor_sleep_ && power_ == Power::asleep) {
        power_ = Power::waking;
        effects.power_started = true;
    }
}

void RedistributorState::power_done(Effects& effects) {
    if (power_ == Power::falling_asleep) {
        power_ = Power::quiescing;
        effects.packets.push_back(StreamPacket::plain(PacketKind::quiesce));
    } else if (power_ == Power::waking) {
        power_ = Power::awake;
        follow_processor_sleep(effects);
        evaluate(effects);
    }
}

bool RedistributorState::wake_request() const {
    return processor_sleep_ && signalable() != 0;
}

// What is signalled.

Group RedistributorState::group_of(unsigned n) const {
    if ((igroupr0_ >> n & 1) != 0) return Group::g1ns;
    return !single_security_ && (igrpmodr0_ >> n & 1) != 0 ? Group::g1s : Group::g0;
}

std::uint32_t RedistributorState::members_of(GroupSet groups) const {
    const std::uint32_t modifier = single_security_ ? 0 : igrpmodr0_;
    std::uint32_t members = 0;
    if (groups.contains(Group::g0)) members |= ~igroupr0_ & ~modifier;
    if (groups.contains(Group::g1s)) members |= ~igroupr0_ & modifier;
    if (groups.contains(Group::g1ns)) members |= igroupr0_;
    return members;
}

std::uint32_t RedistributorState::visible_to(Security security) const {
    return single_security_ || security == Security::secure ? ~0U : members_of(GroupSet::of(Group::g1ns));
}

/// Pending, enabled, not active, group enabled at the Distributor. Active and pending is no candidate
/// (IHI 0069, 4.1.2).
std::uint32_t RedistributorState::signalable() const {
    return pending() & enabled_ & ~active_ & members_of(distributor_groups_);
}

/// The one place that picks: best priority, then lowest INTID, of what has no Set outstanding and may be sent now.
std::optional<SetWindow::Entry> RedistributorState::winner() const {
    std::uint32_t left = signalable() & members_of(cpu_groups_) & ~sets_.intids();
    std::optional<unsigned> best;
    for (; left != 0; left &= left - 1) {
        const auto n = static_cast<unsigned>(std::countr_zero(left));
        if (!best || priority_[n] < priority_[*best]) best = n;
    }
    if (!best || priority_[*best] >= cpu_priority_mask_) return std::nullopt;
    return SetWindow::Entry{intid(*best), gicsim::priority(priority_[*best]), group_of(*best), false};
}

void RedistributorState::recall_unwanted(std::uint32_t candidates, Effects& effects) {
    for (SetWindow::Entry& entry : sets_) {
        const unsigned n = index(entry.intid);
        const SetWindow::Entry now{entry.intid, gicsim::priority(priority_[n]), group_of(n), false};
        if (entry.recalled || ((candidates >> n & 1) != 0 && entry.same_as(now))) continue;
        entry.recalled = true;
        ++clears_unanswered_;
        effects.packets.push_back(StreamPacket::about(PacketKind::clear, entry.intid));
    }
}

/// Brings the stream in line with the state; called after every change of an input.
void RedistributorState::evaluate(Effects& effects) {
    recall_unwanted(signalable(), effects);
    if (power_ != Power::awake || sets_.full()) return;
    const std::optional<SetWindow::Entry> best = winner();
    if (!best || !sets_.would_displace(best->priority)) return;
    sets_.add(*best);
    effects.packets.push_back(StreamPacket::set(best->intid, best->priority, best->group));
}

void RedistributorState::end_set(Intid id) {
    if (!sets_.remove(id)) ++protocol_errors_;
}

}  // namespace gicsim
