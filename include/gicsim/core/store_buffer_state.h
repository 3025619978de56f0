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
    enum class Kind : std::uint8_t { store, set_bits };

    struct Entry {
        Location location;
        Word value = 0;
        Kind kind = Kind::store;
        bool release = false;  ///< not before every older store is visible
        bool ordered = false;  ///< a DMB stands before it: likewise
        bool sent = false;     ///< has passed the port and waits for its line
    };

    void reset(std::size_t capacity) {
        capacity_ = capacity;
        entries_.clear();
        entries_.reserve(capacity);
        unsent_ = 0;
        order_next_ = false;
        loads_wait_ = 0;
    }

    [[nodiscard]] bool full() const { return entries_.size() >= capacity_; }
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// How many have not passed the port yet.
    [[nodiscard]] std::size_t unsent() const { return unsent_; }
    [[nodiscard]] const Entry& operator[](std::size_t i) const { return entries_[i]; }

    void push(Location location, Word value, Kind kind, bool release) {
        entries_.push_back({location, value, kind, release, order_next_, false});
        ++unsent_;
        order_next_ = false;
    }

    /// A DMB that covers stores: what comes after it stays behind what is here.
    void order_stores() { order_next_ = !entries_.empty(); }
    /// A DMB of type all: loads that come after it wait for the stores that are here.
    void order_loads() { loads_wait_ = entries_.size(); }
    [[nodiscard]] bool loads_wait() const { return loads_wait_ > 0; }
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
        if (i < loads_wait_) --loads_wait_;
        if (entries_.empty()) order_next_ = false;
    }

    [[nodiscard]] bool holds_line(LineId line) const {
        for (const Entry& entry : entries_) {
            if (entry.location.line == line) return true;
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
    [[nodiscard]] bool release_pending() const {
        for (const Entry& entry : entries_) {
            if (entry.release) return true;
        }
        return false;
    }

    /// What a load of `location` finds here: the youngest matching entry, or null.
    [[nodiscard]] const Entry* youngest(Location location) const {
        for (std::size_t i = entries_.size(); i > 0; --i) {
            if (entries_[i - 1].location == location) return &entries_[i - 1];
        }
        return nullptr;
    }

private:
    std::vector<Entry> entries_;
    std::size_t capacity_ = 0;
    std::size_t unsent_ = 0;
    std::size_t loads_wait_ = 0;  ///< how many of the oldest entries loads wait for
    bool order_next_ = false;
};

}  // namespace gicsim

#endif
