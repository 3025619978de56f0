#ifndef GICSIM_CORE_LOAD_QUEUE_STATE_H
#define GICSIM_CORE_LOAD_QUEUE_STATE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gicsim/arch/time.h"
#include "gicsim/core/store_buffer_state.h"

namespace gicsim {

/// LDR; LDAPR, which waits for nothing but orders what follows; LDAR, which also stays behind earlier store-releases
/// (DDI 0487, B2.3.11).
enum class LoadOrder : std::uint8_t { plain, acquire_pc, acquire };

/// What a read-modify-write does with the old value.
enum class AtomicKind : std::uint8_t { swap, compare_and_swap, add, set_bits, clear_bits, exclusive_or };

/// What a read-modify-write leaves in the bits that it works on.
constexpr Word updated(AtomicKind kind, Word old, Word operand, Word compare) {
    switch (kind) {
        case AtomicKind::swap: return operand;
        case AtomicKind::compare_and_swap: return old == compare ? operand : old;
        case AtomicKind::add: return old + operand;
        case AtomicKind::set_bits: return old | operand;
        case AtomicKind::clear_bits: return old & ~operand;
        case AtomicKind::exclusive_or: return old ^ operand;
    }
    return old;
}

/// A load, or an access whose first part is one, that its program does not wait for at once. It lives with the program
/// and stays where it is until it is bound to its value. Operands and values lie where the bits of `mask` are.
struct PendingLoad {
    enum class Kind : std::uint8_t {
        load,
        load_exclusive,   ///< sets the monitor
        atomic,           ///< reads and writes at one moment
        store_exclusive,  ///< writes if the monitor is set; its value is the status, 0 when it has written
    };
    Location location{};
    Word mask = whole_word;  ///< the bits of the word that it reads and writes
    LoadOrder order = LoadOrder::plain;
    Kind kind = Kind::load;
    AtomicKind atomic = AtomicKind::swap;
    bool release = false;  ///< of one that writes: not before every older access
    Word operand = 0;
    Word compare = 0;
    bool bound = false;
    bool missed = false;
    std::uint64_t number = 0;         ///< in program order, among the loads
    std::uint64_t fence = 0;          ///< loads with lower numbers are bound before it
    std::uint64_t stores_before = 0;  ///< number of the next store: only older ones can forward
    std::uint64_t store_fence = 0;    ///< stores with lower numbers are visible before it
    Word value = 0;                   ///< the whole word, once bound
    Time issued{};                    ///< not bound before
    Time ready{};                     ///< when an instruction that needs the value may have it

    [[nodiscard]] bool writes() const { return kind >= Kind::atomic; }
};

/// The ordering rules of loads that are under way, without time.
///
/// They are bound to their values in any order, but two of the same word in program order (DDI 0487, B2.3.3), and
/// behind a DMB that covers loads, or a load-acquire, only when the loads before it are bound. Those that write are
/// stores as well, and ordered like them.
class LoadQueueState {
public:
    void reset(std::size_t capacity) {
        capacity_ = capacity;
        unbound_.clear();
        unbound_.reserve(capacity);
        next_number_ = 1;
        fence_ = write_fence_ = 0;
    }

    [[nodiscard]] bool full() const { return unbound_.size() >= capacity_; }
    [[nodiscard]] bool empty() const { return unbound_.empty(); }
    [[nodiscard]] std::size_t size() const { return unbound_.size(); }
    [[nodiscard]] PendingLoad& operator[](std::size_t i) const { return *unbound_[i]; }

    void push(PendingLoad& load, const StoreBufferState& stores) {
        load.bound = load.missed = false;
        load.number = next_number_++;
        load.fence = load.writes() ? std::max(fence_, write_fence_) : fence_;
        load.stores_before = stores.next_number();
        load.store_fence = stores.load_barrier();
        if (load.writes()) {
            load.store_fence = load.release ? stores.next_number() : std::max(load.store_fence, stores.store_barrier());
            if (load.release) load.fence = load.number;
        }
        if (load.order != LoadOrder::plain) fence_ = next_number_;
        unbound_.push_back(&load);
    }

    /// A DMB that covers loads: what comes after it stays behind what is here.
    void order() { fence_ = next_number_; }
    /// A DMB that covers stores: later writes stay behind the writes that are here.
    void order_writes() {
        if (holds_writes()) write_fence_ = next_number_;
    }
    /// Loads with lower numbers are bound before a store that comes now.
    [[nodiscard]] std::uint64_t fence() const { return std::max(fence_, write_fence_); }
    /// Is one that writes not bound yet?
    [[nodiscard]] bool holds_writes() const {
        return std::any_of(unbound_.begin(), unbound_.end(), [](const PendingLoad* load) { return load->writes(); });
    }
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
            const PendingLoad& older = *unbound_[k];
            if (older.location == load.location) return false;
            // A load-acquire stays behind every store-release (RCsc).
            if (load.order == LoadOrder::acquire && older.release) return false;
        }
        return true;
    }
    [[nodiscard]] bool waits_for_stores(std::size_t i, const StoreBufferState& stores) const {
        const PendingLoad& load = *unbound_[i];
        return stores.holds_older(load.store_fence) ||
               (load.writes() && stores.holds_line(load.location.line, load.stores_before)) ||
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
    std::uint64_t write_fence_ = 0;
};

}  // namespace gicsim

#endif
