#include "gicsim/gic/spi_bank.h"

#include <bit>

namespace gicsim {
namespace {

constexpr unsigned irm = 31;  // GICD_IROUTER<n>.Interrupt_Routing_Mode

}  // namespace

SpiBank::SpiBank(std::span<const Affinity> affinities) : pes_(affinities.size()) {
    for (std::uint32_t n = 0; n < affinities.size(); ++n) cpu_of_affinity_[affinities[n].packed()] = n;
}

void SpiBank::reset(const GicParameters& parameters) {
    file_ = File(parameters.priority_bits, parameters.single_security);
    for (unsigned w = 1; w < first_extended_word; ++w) {
        const unsigned first = 32 * w;
        const unsigned end = first_spi + parameters.spis;
        if (end <= first) break;
        file_.implement(w, end - first >= 32 ? ~0U : (1U << (end - first)) - 1);
    }
    for (unsigned w = 0; w < parameters.extended_spis / 32; ++w) file_.implement(first_extended_word + w, ~0U);
    for (Pe& pe : pes_) pe = Pe{};
    groups_ = GroupSet{};
    one_of_n_ = parameters.one_of_n;
    e1nwf_ = false;
    const bool any = parameters.spis + parameters.extended_spis > 0;
    routes_.assign(any ? File::slot_count : 0, 0);
    targets_.assign(routes_.size(), target_of(0));
    offered_to_.assign(routes_.size(), nobody);
    offered_.fill(0);
    signalable_.fill(0);
    words_signalable_ = 0;
    next_choice_ = 0;
    recalls_unanswered_ = 0;
    recalls_answered_ = 0;
    protocol_errors_ = 0;
}

std::optional<unsigned> SpiBank::slot_of(Intid id) {
    if (!is_spi(id)) return std::nullopt;
    return index(id) < first_extended_spi ? index(id) : 32 * first_extended_word + index(id) - first_extended_spi;
}

Intid SpiBank::intid_of(unsigned slot) {
    constexpr unsigned first = 32 * first_extended_word;
    return intid(slot < first ? slot : first_extended_spi + slot - first);
}

std::optional<Intid> SpiBank::offered_to(CpuId cpu) const {
    const auto& offer = pes_[index(cpu)].offer;
    return offer ? std::optional(offer->intid) : std::nullopt;
}

Candidate SpiBank::candidate(unsigned slot) const {
    return {intid_of(slot), gicsim::priority(file_.priority(slot)), file_.group_of(slot), file_.non_maskable(slot)};
}

std::uint32_t SpiBank::target_of(std::uint64_t route) const {
    const auto at = cpu_of_affinity_.find(Affinity::from_mpidr(route & ~(std::uint64_t{1} << irm)).packed());
    return at != cpu_of_affinity_.end() ? at->second : nobody;
}

bool SpiBank::any_one(unsigned slot) const {
    return one_of_n_ && (routes_[slot] >> irm & 1) != 0;
}

bool SpiBank::may_take(const Pe& pe, std::uint32_t n, unsigned slot) const {
    const Group group = file_.group_of(slot);
    // What the CPU interface has disabled the group of would only be in the way of what it has enabled. While the PE
    // sleeps all are disabled, and an SPI that is for it asks for its wake-up.
    if (!any_one(slot)) return targets_[slot] == n && (pe.asleep || pe.groups.contains(group));
    // GICD_CTLR.E1NWF lets a sleeping PE be woken for an SPI that any one may take (IHI 0069, 12.9.4).
    return pe.asleep ? e1nwf_ : pe.groups.contains(group) && !pe.refused.contains(group);
}

// Inputs.

void SpiBank::word_changed(unsigned w, SpiMessages& out) {
    const std::uint32_t now = file_.signalable(w, groups_);
    signalable_[w] = now;
    const std::uint64_t word_bit = std::uint64_t{1} << w;
    words_signalable_ = now != 0 ? words_signalable_ | word_bit : words_signalable_ & ~word_bit;
    for (std::uint32_t left = offered_[w]; left != 0; left &= left - 1) {
        const unsigned slot = 32 * w + static_cast<unsigned>(std::countr_zero(left));
        const std::uint32_t n = offered_to_[slot];
        const Pe& pe = pes_[n];
        const bool wanted = (now >> slot % 32 & 1) != 0 && *pe.offer == candidate(slot) && may_take(pe, n, slot);
        if (!wanted) recall(n, out);
    }
    for (std::uint32_t left = now & ~offered_[w]; left != 0; left &= left - 1) {
        place(32 * w + static_cast<unsigned>(std::countr_zero(left)), out);
    }
}

void SpiBank::set_groups(GroupSet groups, bool single_security, SpiMessages& out) {
    groups_ = groups;
    file_.set_single_security(single_security);
    if (routes_.empty()) return;
    for (unsigned w = 1; w < File::word_count; ++w) word_changed(w, out);
}

void SpiBank::set_e1nwf(bool e1nwf, SpiMessages& out) {
    if (e1nwf_ == e1nwf) return;
    e1nwf_ = e1nwf;
    if (routes_.empty()) return;
    for (unsigned w = 1; w < File::word_count; ++w) word_changed(w, out);
}

void SpiBank::set_line(Intid id, bool level, SpiMessages& out) {
    const std::optional<unsigned> slot = slot_of(id);
    if (!slot || !file_.implemented(*slot)) return;
    file_.set_line(*slot, level);
    word_changed(*slot / 32, out);
}

void SpiBank::set_message(Intid id, bool level, SpiMessages& out) {
    const std::optional<unsigned> slot = slot_of(id);
    if (!slot || !file_.implemented(*slot)) return;
    file_.set_message(*slot, level);
    word_changed(*slot / 32, out);
}

void SpiBank::set_route(unsigned slot, std::uint64_t value, SpiMessages& out) {
    routes_[slot] = value;
    targets_[slot] = target_of(value);
    word_changed(slot / 32, out);
}

void SpiBank::receive(const GicMessage& message, SpiMessages& out) {
    using enum GicMessage::Kind;
    const std::uint32_t n = index(message.source);
    if (message.kind == participation) {
        Pe& pe = pes_[n];
        pe.groups = message.groups;
        pe.refused = message.refused;
        pe.asleep = message.asleep;
        if (!pe.offer) {
            fill(n, out);
            return;
        }
        // Taken back when it is not for this PE any more, or when there is a better one that is now.
        const std::optional<unsigned> best = best_for(n);
        const bool better = best && candidate(*best).rank() < pe.offer->rank();
        if (better || !may_take(pe, n, *slot_of(pe.offer->intid))) recall(n, out);
        return;
    }
    const std::optional<unsigned> slot = slot_of(message.spi.intid);
    if (!slot || !file_.implemented(*slot)) return;  // a Deactivate of an SPI that is not there
    if (message.kind == spi_deactivate) {
        if (message.groups.contains(file_.group_of(*slot))) file_.deactivate(*slot);
        word_changed(*slot / 32, out);
    } else {
        end_offer(message, out);
    }
}

void SpiBank::end_offer(const GicMessage& message, SpiMessages& out) {
    const std::uint32_t n = index(message.source);
    const unsigned slot = *slot_of(message.spi.intid);
    Pe& pe = pes_[n];
    if (!pe.offer || pe.offer->intid != message.spi.intid) {
        ++protocol_errors_;
        return;
    }
    if (pe.recalled) {
        --recalls_unanswered_;
        ++recalls_answered_;
    }
    pe.offer.reset();
    pe.recalled = false;
    offered_[slot / 32] &= ~(1U << slot % 32);
    offered_to_[slot] = nobody;
    if (message.kind == GicMessage::Kind::spi_activated) file_.activate(slot);
    // First the PE, which takes the best there is; then what has come back, if it goes elsewhere now.
    signalable_[slot / 32] = file_.signalable(slot / 32, groups_);
    fill(n, out);
    word_changed(slot / 32, out);
}

// Who gets what.

/// Finds a PE for an SPI that may be signalled and is offered to nobody.
void SpiBank::place(unsigned slot, SpiMessages& out) {
    const Candidate spi = candidate(slot);
    const std::uint32_t n = any_one(slot) ? choose(spi, slot) : targets_[slot];
    if (n == nobody) return;
    const Pe& pe = pes_[n];
    if (!may_take(pe, n, slot)) return;
    if (!pe.offer) {
        offer(n, slot, out);
    } else if (spi.rank() < pe.offer->rank()) {
        recall(n, out);  // and fill() when it is back
    }
}

/// A target for a 1-of-N SPI: the next PE in turn that is free to take it, or else one that holds a worse offer.
std::uint32_t SpiBank::choose(const Candidate& spi, unsigned slot) {
    const auto count = static_cast<std::uint32_t>(pes_.size());
    std::uint32_t busy = nobody;
    std::uint32_t sleeper = nobody;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t n = (next_choice_ + i) % count;
        const Pe& pe = pes_[n];
        if (!may_take(pe, n, slot)) continue;
        if (pe.offer) {
            if (busy == nobody && !pe.recalled && spi.rank() < pe.offer->rank()) busy = n;
        } else if (pe.asleep) {
            if (sleeper == nobody) sleeper = n;
        } else {
            next_choice_ = (n + 1) % count;
            return n;
        }
    }
    return busy != nobody ? busy : sleeper;
}

/// The best that a PE may take of what is offered to nobody.
std::optional<unsigned> SpiBank::best_for(std::uint32_t n) const {
    const Pe& pe = pes_[n];
    std::optional<unsigned> best;
    unsigned best_rank = 0;
    for (std::uint64_t left_words = words_signalable_; left_words != 0; left_words &= left_words - 1) {
        const auto w = static_cast<unsigned>(std::countr_zero(left_words));
        for (std::uint32_t left = signalable_[w] & ~offered_[w]; left != 0; left &= left - 1) {
            const unsigned slot = 32 * w + static_cast<unsigned>(std::countr_zero(left));
            if (!may_take(pe, n, slot)) continue;
            const unsigned rank = candidate(slot).rank();
            if (!best || rank < best_rank) {
                best = slot;
                best_rank = rank;
            }
        }
    }
    return best;
}

/// Offers a PE without an offer the best there is for it.
void SpiBank::fill(std::uint32_t n, SpiMessages& out) {
    if (const std::optional<unsigned> best = best_for(n)) offer(n, *best, out);
}

void SpiBank::offer(std::uint32_t n, unsigned slot, SpiMessages& out) {
    const Candidate spi = candidate(slot);
    pes_[n].offer = spi;
    pes_[n].recalled = false;
    offered_[slot / 32] |= 1U << slot % 32;
    offered_to_[slot] = n;
    out.push_back({cpu_id(n), GicMessage::about(GicMessage::Kind::spi_offer, spi, cpu_id(n))});
}

void SpiBank::recall(std::uint32_t n, SpiMessages& out) {
    Pe& pe = pes_[n];
    if (pe.recalled) return;
    pe.recalled = true;
    ++recalls_unanswered_;
    out.push_back({cpu_id(n), GicMessage::about(GicMessage::Kind::spi_recall, *pe.offer, cpu_id(n))});
}

}  // namespace gicsim
