#ifndef GICSIM_TIMELINE_EVENT_QUEUE_H
#define GICSIM_TIMELINE_EVENT_QUEUE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gicsim/arch/time.h"

namespace gicsim {

/// Order of events of the same time; within one rank, first posted runs first.
enum class Rank : std::uint8_t { early, normal, late };

/// Events ordered by (time, rank, sequence).
///
/// A machine in which few things happen at a time has few events pending, and most new ones are due next: the earliest
/// are kept in a short sorted list, where those come and go at its head. What does not fit waits in a heap.
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

    EventQueue() {
        far_.reserve(1024);
        clear();
    }

    [[nodiscard]] bool empty() const { return first_ == nullptr; }
    /// The earliest event; the queue is not empty.
    [[nodiscard]] const Event& front() const { return first_->event; }

    void push(const Event& event) {
        if (free_ == nullptr) make_room();
        if (!far_.empty() && !event.before(far_.front())) {
            push_far(event);
            return;
        }
        Node* const node = std::exchange(free_, free_->next);
        node->event = event;
        Node** link = &first_;
        while (*link != nullptr && (*link)->event.before(event)) link = &(*link)->next;
        node->next = *link;
        *link = node;
    }

    void pop() {
        Node* const node = std::exchange(first_, first_->next);
        node->next = free_;
        free_ = node;
        if (first_ == nullptr && !far_.empty()) refill();
    }

    void clear() {
        far_.clear();
        first_ = nullptr;
        free_ = nullptr;
        for (Node& node : nodes_) {
            node.next = free_;
            free_ = &node;
        }
    }

private:
    struct Node {
        Event event;
        Node* next;
    };

    static bool later(const Event& a, const Event& b) { return b.before(a); }

    // What is rarely needed stays out of line, so that the rest needs few registers.
    [[gnu::noinline]] void push_far(const Event& event) {
        far_.push_back(event);
        std::push_heap(far_.begin(), far_.end(), later);
    }

    /// All nodes are in use: moves the later half of the list to the heap.
    [[gnu::noinline]] void make_room() {
        Node* last = first_;
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a full list has `capacity` nodes
        for (std::size_t i = 1; i < capacity / 2; ++i) last = last->next;
        free_ = std::exchange(last->next, nullptr);
        for (const Node* node = free_; node != nullptr; node = node->next) push_far(node->event);
    }

    /// The list is empty: the earliest of the heap come over.
    [[gnu::noinline]] void refill() {
        Node** link = &first_;
        for (std::size_t i = 0; i < capacity / 2 && !far_.empty(); ++i) {
            std::pop_heap(far_.begin(), far_.end(), later);
            Node* const node = std::exchange(free_, free_->next);
            node->event = far_.back();
            far_.pop_back();
            *link = node;
            link = &node->next;
        }
        *link = nullptr;
    }

    static constexpr std::size_t capacity = 32;
    std::array<Node, capacity> nodes_;
    Node* first_ = nullptr;  ///< the list, earliest first
    Node* free_ = nullptr;
    std::vector<Event> far_;  ///< a heap of events none of which comes before one of the list
};

}  // namespace gicsim

#endif
