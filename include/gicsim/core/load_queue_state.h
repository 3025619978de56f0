#ifndef GICSIM_CORE_LOAD_QUEUE_STATE_H
#define GICSIM_CORE_LOAD_QUEUE_STATE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gicsim/arch/time.h"
#include "gicsim/core/store_buffer_state.h"

namespace gicsim {

/// LDR; LDAPR, which waits for nothing but orders what follows; LDAR, which also stays behind earlier store-releases
/// (DDI 0487, B2.3.11).
enum class LoadOrder : std::uint8_t { plain, acquire_pc, acquire };

/// A load that its program does not wait for at once. It lives with the program and stays where it is until it is
/// bound to its value.
struct PendingLoad {
    Location location{};
    Word mask = whole_word;  ///< the bits of the word that it reads
    LoadOrder order = LoadOrder::plain;
    bool bound = false;
    bool missed = false;
    std::uint64_t number = 0;         ///< in program order, among the loads
    std::uint64_t fence = 0;          ///< loads with lower numbers are bound before it
    std::uint64_t stores_before = 0;  ///< number of the next store: only older ones can forward
    std::uint64_t store_fence = 0;    ///< stores with lower numbers are visible before it
    Word value = 0;                   ///< the whole word, once bound
    Time issued{};                    ///< not bound before
    Time ready{};                     ///< when an instruction that needs the value may have it
};

/// The ordering rules of loads that are under way, without time.
///
/// They are bound to their values in any order, but two of the same word in program order (DDI 0487, B2.3.3), and
/// behind a DMB that covers loads, or a load-acquire, only when the loads before it are bound.
class LoadQueueState {
public:
    void reset(std::size_t capacity) {
        capacity_ = capacity;
        unbound_.clear();
        unbound_.reserve(capacity);
        next_number_ = 1;
        fence_ = 0;
    }

    [[nodiscard]] bool full() const { return unbound_.size() >= capacity_; }
    [[nodiscard]] bool empty() const { return unbound_.empty(); }
    [[nodiscard]] std::size_t size() const { return unbound_.size(); }
    [[nodiscard]] PendingLoad& operator[](std::size_t i) const { return *unbound_[i]; }

    void push(PendingLoad& load, const StoreBufferState& stores) {
        load.bound = load.missed = false;
        load.number = next_number_++;
        load.fence = fence_;
        load.stores_before = stores.next_number();
        load.store_fence = stores.load_barrier();
        if (load.order != LoadOrder::plain) fence_ = next_number_;
        unbound_.push_back(&load);
    }

    /// A DMB that covers loads: what comes after it stays behind what is here.
    void order() { fence_ = next_number_; }
    /// Loads with lower numbers are bound before an access that comes now.
    [[nodiscard]] std::uint64_t fence() const { return fence_; }
    [[nodiscard]] std::uint64_t next_number() const { return next_number_; }
    /// Is a load with a lower number not bound yet?
    [[nodiscard]] bool holds_older(std::uint64_t number) const {
        return !unbound_.empty() && unbound_.front()->number < number;
    }
    /// Is a load of this word, with a lower number, not bound yet?
    [[nodiscard]] bool holds(Location location, std::uint64_t number) const {
        for (const PendingLoad* load : unbound_) {
            if (load->number < number && load->location == location) return true;
        }
        return false;
    }

    /// May unbound load `i` be bound, as far as order goes?
    [[nodiscard]] bool may_bind(std::size_t i, const StoreBufferState& stores) const {
        const PendingLoad& load = *unbound_[i];
        if (holds_older(load.fence) || waits_for_stores(i, stores)) return false;
        for (std::size_t k = 0; k < i; ++k) {
            if (unbound_[k]->location == load.location) return false;
        }
        return true;
    }
    [[nodiscard]] bool waits_for_stores(std::size_t i, const StoreBufferState& stores) const {
        const PendingLoad& load = *unbound_[i];
        return stores.holds_older(load.store_fence) ||
               (load.order == LoadOrder::acquire && stores.release_pending(load.stores_before));
    }

    void bind(std::size_t i, Word value) {
        unbound_[i]->value = value;
        unbound_[i]->bound = true;
        unbound_.erase(unbound_.begin() + static_cast<std::ptrdiff_t>(i));
    }

private:
    std::vector<PendingLoad*> unbound_;  ///< in program order
    std::size_t capacity_ = 0;
    std::uint64_t next_number_ = 1;
    std::uint64_t fence_ = 0;
};

}  // namespace gicsim

#endif
