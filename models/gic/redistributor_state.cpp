#include "gicsim/gic/redistributor_state.h"

#include <bit>

namespace gicsim {
namespace {

constexpr std::uint32_t frame_bytes = 0x10000;

}  // namespace

RedistributorState::RedistributorState(const GicParameters& parameters, CpuId cpu, Affinity affinity, bool last)
    : cpu_(cpu), affinity_(affinity), last_(last) {
    reset(parameters);
}

void RedistributorState::reset(const GicParameters& parameters) {
    *this = RedistributorState(cpu_, affinity_, last_);
    file_ = File(parameters.priority_bits, parameters.single_security);
    file_.implement(0, ~0U);
    file_.set_edge_triggered(0, 0xFFFF);
    words_ = 1 + parameters.extended_ppis / 32;
    for (unsigned w = 1; w < words_; ++w) file_.implement(w, ~0U);
    single_security_ = parameters.single_security;
    non_maskable_ = parameters.non_maskable;
    one_of_n_ = parameters.one_of_n;
    spis_ = parameters.spis + parameters.extended_spis > 0;
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
            if (const auto slot = slot_of(packet.intid)) {
                file_.activate(*slot);
                // A mutant takes what has come meanwhile up again.
                if (*slot < 16 && (unmerged_ >> *slot & 1) != 0) {
                    file_.latch_pending(*slot);
                    unmerged_ &= ~(1U << *slot);
                }
            } else if (offer_ && offer_->spi.intid == packet.intid) {
                end_offer(GicMessage::Kind::spi_activated, effects);
            }
            effects.packets.push_back(StreamPacket::plain(PacketKind::activate_ack));
            break;
        case PacketKind::release:
            end_set(packet.intid);
            if (offer_ && offer_->recalled && offer_->spi.intid == packet.intid) {
                end_offer(GicMessage::Kind::spi_returned, effects);
            }
            break;
        case PacketKind::deactivate:
            if (const auto slot = slot_of(packet.intid)) {
                if (packet.groups.contains(file_.group_of(*slot))) file_.deactivate(*slot);
            } else if (is_spi(packet.intid)) {
                effects.messages.push_back(GicMessage::deactivate(packet.intid, packet.groups, cpu_));
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

void RedistributorState::receive_offer(const Candidate& spi, Effects& effects) {
    if (offer_) ++protocol_errors_;
    offer_ = Offer{spi, false};
    evaluate(effects);
}

void RedistributorState::receive_recall(Intid spi, Effects& effects) {
    if (!offer_ || offer_->spi.intid != spi) return;  // crossed with spi_activated
    if (sets_.contains(spi)) {
        offer_->recalled = true;
        evaluate(effects);
    } else {
        end_offer(GicMessage::Kind::spi_returned, effects);
    }
}

void RedistributorState::end_offer(GicMessage::Kind answer, Effects& effects) {
    effects.messages.push_back(GicMessage::about(answer, offer_->spi.intid, cpu_));
    offer_.reset();
}

/// Tells the Distributor which SPIs this PE takes, when that has changed.
void RedistributorState::tell_participation(Effects& effects) {
    if (!spis_) return;
    const bool asleep = power_ != Power::awake;
    if (cpu_groups_ == groups_told_ && refused_groups_ == refused_told_ && asleep == asleep_told_) return;
    groups_told_ = cpu_groups_;
    refused_told_ = refused_groups_;
    asleep_told_ = asleep;
    effects.messages.push_back(GicMessage::participation(cpu_groups_, refused_groups_, asleep, cpu_));
}

void RedistributorState::receive_sgi(const SgiRequest& request, Effects& effects) {
    const unsigned n = index(request.intid) & 0xF;
    if (!sgi_permitted(request.reg, request.security, file_.group_of(n), file_.nsacr(n), single_security_)) return;
    if ((file_.latch(0) & 1U << n) == 0) {
        effects.sgi_pended = intid(n);
    } else if (mutant_ == Mutant::no_merge_of_equal_intids) {
        unmerged_ |= 1U << n;
    }
    file_.latch_pending(n);
    evaluate(effects);
}

void RedistributorState::set_group_enables(GroupSet groups, bool single_security, Effects& effects) {
    distributor_groups_ = groups;
    if (single_security_ != single_security) {
        single_security_ = single_security;
        file_.set_single_security(single_security);
        effects.packets.push_back(StreamPacket::control_packet(PacketKind::downstream_control,
                                                               ControlId::single_security, single_security ? 1 : 0));
    }
    evaluate(effects);
}

void RedistributorState::set_ppi_line(Intid id, bool level, Effects& effects) {
    const std::optional<unsigned> slot = slot_of(id);
    if (!slot || is_sgi(id)) return;
    file_.set_line(*slot, level);
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
        tell_participation(effects);
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
    if (!processor_sleep_) return false;
    if (offer_) return true;
    for (unsigned w = 0; w < words_; ++w) {
        if (file_.signalable(w, distributor_groups_) != 0) return true;
    }
    return false;
}

// What is signalled.

std::optional<unsigned> RedistributorState::slot_of(Intid id) const {
    if (index(id) < 32) return index(id);
    const std::uint32_t extended = index(id) - first_extended_ppi;
    return extended < 32 * (words_ - 1) ? std::optional(32 + extended) : std::nullopt;
}

Candidate RedistributorState::candidate(unsigned slot) const {
    return {intid(first_intid(slot / 32) + slot % 32), gicsim::priority(file_.priority(slot)), file_.group_of(slot),
            file_.non_maskable(slot)};
}

/// The one place that picks: best priority, then lowest INTID, of what has no Set outstanding and may be sent now.
std::optional<Candidate> RedistributorState::winner() const {
    const GroupSet groups = distributor_groups_ & cpu_groups_;
    std::optional<Candidate> best;
    for (unsigned w = 0; w < words_; ++w) {
        std::uint32_t left = file_.signalable(w, groups);
        if (left != 0) left &= ~sets_.intids_from(first_intid(w));
        for (; left != 0; left &= left - 1) {
            const Candidate next = candidate(32 * w + static_cast<unsigned>(std::countr_zero(left)));
            if (!best || next.rank() < best->rank()) best = next;
        }
    }
    if (offer_ && !offer_->recalled && groups.contains(offer_->spi.group) && !sets_.contains(offer_->spi.intid)) {
        const bool better = !best || offer_->spi.rank() < best->rank() ||
                            (offer_->spi.rank() == best->rank() && offer_->spi.intid < best->intid);
        if (better) best = offer_->spi;
    }
    // ICC_PMR_EL1 does not keep non-maskable interrupts from the CPU interface, which knows the rest of the rule.
    if (best && !best->non_maskable && value(best->priority) >= cpu_priority_mask_) return std::nullopt;
    return best;
}

/// Whether an interrupt whose Set is outstanding would still be sent as it was.
bool RedistributorState::still_wanted(const Candidate& set) const {
    if (const std::optional<unsigned> slot = slot_of(set.intid)) {
        return (file_.signalable(*slot / 32, distributor_groups_) >> *slot % 32 & 1) != 0 && candidate(*slot) == set;
    }
    return offer_ && !offer_->recalled && offer_->spi == set && distributor_groups_.contains(set.group);
}

void RedistributorState::recall_unwanted(Effects& effects) {
    for (SetWindow::Entry& entry : sets_) {
        if (entry.recalled || still_wanted(entry.set)) continue;
        entry.recalled = true;
        ++clears_unanswered_;
        effects.packets.push_back(StreamPacket::about(PacketKind::clear, entry.set.intid));
    }
}

/// Brings the stream in line with the state; called after every change of an input.
void RedistributorState::evaluate(Effects& effects) {
    tell_participation(effects);
    recall_unwanted(effects);
    if (power_ != Power::awake || sets_.full()) return;
    const std::optional<Candidate> best = winner();
    if (!best || !sets_.would_displace(*best)) return;
    sets_.add(*best);
    effects.packets.push_back(StreamPacket::set(*best));
}

void RedistributorState::end_set(Intid id) {
    if (!sets_.remove(id)) ++protocol_errors_;
}

}  // namespace gicsim
