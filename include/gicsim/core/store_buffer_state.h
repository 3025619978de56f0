#ifndef GICSIM_CORE_STORE_BUFFER_STATE_H
#define GICSIM_CORE_STORE_BUFFER_STATE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gicsim/memory/line.h"

namespace gicsim {

/// The ordering rules of a store buffer, without time.
///
/// Stores leave towards the cache in program order, one after the other, but become visible in any order: one that has
/// to wait for ownership of its line does not hold up the next. What does order them: the same line, a DMB between them
/// that covers stores, and release semantics (DDI 0487, B2.3.7, B2.3.11).
class StoreBufferState {
public:
    /// A plain store, or a no-return atomic (STSET, STCLR, STEOR, STADD).
    enum class Kind : std::uint8_t { store, set_bits, clear_bits, exclusive_or, add };

    struct Entry {
        Location location;
        Word value = 0;
        Word mask = whole_word;  ///< the bits of the word that it writes
        Kind kind = Kind::store;
        bool release = false;            ///< not before every older store is visible
        bool ordered = false;            ///< a DMB stands before it: likewise
        bool sent = false;               ///< has passed the port and waits for its line
        std::uint64_t number = 0;        ///< in program order
        std::uint64_t loads_before = 0;  ///< number of the next load: older ones of the same word come first
        std::uint64_t load_fence = 0;    ///< loads with lower numbers have their values before it may leave
    };

    /// What a store is pushed with.
    struct Store {
        Location location;
        Word value = 0;
        Word mask = whole_word;
        Kind kind = Kind::store;
        bool release = false;
        std::uint64_t loads_before = 0;
        std::uint64_t load_fence = 0;
    };

    /// What a store leaves in memory. A part of a word lies in place, with zeros below it.
    static Word updated(Kind kind, Word old, Word operand) {
        switch (kind) {
            case Kind::store: return operand;
            case Kind::set_bits: return old | operand;
            case Kind::clear_bits: return old & ~operand;
            case Kind::exclusive_or: return old ^ operand;
            case Kind::add: return old + operand;
        }
        return operand;
    }

    void reset(std::size_t capacity) {
        capacity_ = capacity;
        entries_.clear();
        entries_.reserve(capacity);
        unsent_ = 0;
        order_next_ = false;
        next_number_ = 1;
        load_barrier_ = store_barrier_ = 0;
    }

    [[nodiscard]] bool full() const { return entries_.size() >= capacity_; }
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// How many have not passed the port yet.
    [[nodiscard]] std::size_t unsent() const { return unsent_; }
    [[nodiscard]] const Entry& operator[](std::size_t i) const { return entries_[i]; }

    void push(const Store& store) {
        entries_.push_back({store.location, store.value, store.mask, store.kind, store.release, order_next_, false,
                            next_number_++, store.loads_before, store.load_fence});
        ++unsent_;
        order_next_ = false;
    }

    /// A DMB that covers stores: what comes after it stays behind what is here.
    void order_stores() {
        order_next_ = !entries_.empty();
        store_barrier_ = next_number_;
    }
    /// Stores with lower numbers have to be visible before a read-modify-write that comes now.
    [[nodiscard]] std::uint64_t store_barrier() const { return store_barrier_; }
    /// A DMB of type all: loads that come after it wait for the stores that are here.
    void order_loads() { load_barrier_ = next_number_; }
    /// Stores with lower numbers have to be visible before a load that comes now.
    [[nodiscard]] std::uint64_t load_barrier() const { return load_barrier_; }
    /// Is a store with a lower number still here?
    [[nodiscard]] bool holds_older(std::uint64_t number) const {
        return !entries_.empty() && entries_.front().number < number;
    }
    [[nodiscard]] bool loads_wait() const { return holds_older(load_barrier_); }
    /// The number of the next store.
    [[nodiscard]] std::uint64_t next_number() const { return next_number_; }
    /// A DMB waits for the next store; a read-modify-write that comes now has to wait instead.
    [[nodiscard]] bool order_pending() const { return order_next_; }

    /// May entry `i` be handed to the cache?
    [[nodiscard]] bool may_leave(std::size_t i) const {
        return i == 0 || !(entries_[i].release || entries_[i].ordered);
    }

    void mark_sent(std::size_t i) {
        entries_[i].sent = true;
        --unsent_;
    }

    /// The store has become visible.
    void remove(std::size_t i) {
        if (!entries_[i].sent) --unsent_;
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
        if (entries_.empty()) order_next_ = false;
    }

    [[nodiscard]] bool holds_line(LineId line) const { return holds_line(line, next_number_); }
    /// Is a store to this line, with a number below `limit`, still here?
    [[nodiscard]] bool holds_line(LineId line, std::uint64_t limit) const {
        for (const Entry& entry : entries_) {
            if (entry.location.line == line && entry.number < limit) return true;
        }
        return false;
    }
    /// Is a store to this line, older than entry `i`, still here?
    [[nodiscard]] bool older_same_line(std::size_t i) const {
        for (std::size_t k = 0; k < i; ++k) {
            if (entries_[k].location.line == entries_[i].location.line) return true;
        }
        return false;
    }
    [[nodiscard]] bool release_pending() const { return release_pending(next_number_); }
    /// Is a store-release with a number below `limit` still here?
    [[nodiscard]] bool release_pending(std::uint64_t limit) const {
        for (const Entry& entry : entries_) {
            if (entry.release && entry.number < limit) return true;
        }
        return false;
    }

    /// What a load of `location` finds here: the youngest entry that writes one of the bits in `mask`, or null.
    /// @param limit only stores with lower numbers are older than the load
    [[nodiscard]] const Entry* youngest(Location location, Word mask, std::uint64_t limit) const {
        for (std::size_t i = entries_.size(); i > 0; --i) {
            const Entry& entry = entries_[i - 1];
            if (entry.number < limit && entry.location == location && (entry.mask & mask) != 0) return &entry;
        }
        return nullptr;
    }
    [[nodiscard]] const Entry* youngest(Location location, Word mask = whole_word) const {
        return youngest(location, mask, next_number_);
    }

private:
    std::vector<Entry> entries_;
    std::size_t capacity_ = 0;
    std::size_t unsent_ = 0;
    std::uint64_t next_number_ = 1;
    std::uint64_t load_barrier_ = 0;
    std::uint64_t store_barrier_ = 0;
    bool order_next_ = false;
};

}  // namespace gicsim

#endif
