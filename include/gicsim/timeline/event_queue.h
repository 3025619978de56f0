#ifndef GICSIM_TIMELINE_EVENT_QUEUE_H
#define GICSIM_TIMELINE_EVENT_QUEUE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gicsim/arch/time.h"

namespace gicsim {

/// Order of events of the same time; within one rank, first posted runs first.
enum class Rank : std::uint8_t { early, normal, late };

/// Events ordered by (time, rank, sequence).
///
/// A machine in which few things happen at a time has few events pending, and most new ones are due next: the earliest
/// are kept sorted in a short array, where those come and go at its end. What does not fit waits in a heap.
class EventQueue {
public:
    using Action = void (*)(void* object, std::uint64_t argument);

    struct Event {
        Time at;
        std::uint64_t order;
        Action action;
        void* object;
        std::uint64_t argument;

        [[nodiscard]] bool boundary() const { return (order & 1) != 0; }
        [[nodiscard]] bool before(const Event& other) const {
            return at != other.at ? at < other.at : order < other.order;
        }
    };

    /// Rank in the top byte, then the sequence number, then whether it is a boundary event.
    static std::uint64_t order(Rank rank, std::uint64_t sequence, bool boundary) {
        return static_cast<std::uint64_t>(rank) << 56 | sequence << 1 | (boundary ? 1 : 0);
    }

    EventQueue() { far_.reserve(1024); }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// The earliest event; the queue is not empty.
    [[nodiscard]] const Event& front() const { return near_[count_ - 1]; }

    void push(const Event& event) {
        if (count_ == near_.size()) make_room();
        if (!far_.empty() && !event.before(far_.front())) {
            push_far(event);
            return;
        }
        std::size_t i = count_++;
        for (; i > 0 && near_[i - 1].before(event); --i) near_[i] = near_[i - 1];
        near_[i] = event;
    }

    void pop() {
        if (--count_ == 0 && !far_.empty()) refill();
    }

    void clear() {
        count_ = 0;
        far_.clear();
    }

private:
    static bool later(const Event& a, const Event& b) { return b.before(a); }

    void push_far(const Event& event) {
        far_.push_back(event);
        std::push_heap(far_.begin(), far_.end(), later);
    }

    /// Moves the later half of the near events to the heap.
    void make_room() {
        constexpr std::size_t half = capacity / 2;
        for (std::size_t i = 0; i < half; ++i) push_far(near_[i]);
        std::copy(near_.begin() + half, near_.end(), near_.begin());
        count_ -= half;
    }

    void refill() {
        count_ = std::min(far_.size(), capacity / 2);
        for (std::size_t i = count_; i > 0; --i) {
            std::pop_heap(far_.begin(), far_.end(), later);
            near_[i - 1] = far_.back();
            far_.pop_back();
        }
    }

    static constexpr std::size_t capacity = 32;
    std::array<Event, capacity> near_;  ///< the first count_ are in use, latest first
    std::size_t count_ = 0;
    std::vector<Event> far_;  ///< a heap of events none of which comes before a near one
};

}  // namespace gicsim

#endif
