#include "gicsim/workload/segment_book.h"

namespace gicsim {
namespace {

/// segment_names[i] is what passes between point i and point i + 1.
constexpr const char* segment_names[point_count - 1] = {
    "enqueue",            // call_start -> queued
    "barrier",            // queued -> barrier_done
    "sgi write",          // -> sgi_written
    "to distributor",     // -> sgi_routed
    "to target",          // -> sgi_pending
    "to cpu interface",   // -> irq_asserted
    "wake-up",            // -> irq_taken
    "entry and ack",      // -> acknowledged
    "dispatch, dequeue",  // -> dequeued
    "read call data",     // -> function_called
    "function",           // -> unlocked
    "completion seen",    // -> seen
    "return",             // -> call_end
};

constexpr bool of_sender(Point point) {
    return point <= Point::sgi_written || point == Point::seen || point == Point::call_end;
}

}  // namespace

void SegmentBook::enter(CpuId sender, CpuId target) {
    const MarkBoard& marks = platform_.marks();
    Totals& totals = totals_[static_cast<std::size_t>(platform_.distance(sender, target))];
    const Time start = marks.last(Point::call_start, sender);
    const Time end = marks.last(Point::call_end, sender);
    ++totals.calls;
    totals.total += end - start;
    if (sender == target) return;
    Time before = start;
    for (std::size_t i = 1; i < point_count; ++i) {
        const auto point = static_cast<Point>(i);
        const Time at = marks.last(point, of_sender(point) ? sender : target);
        totals.segment[i - 1] += at - before;
        before = at;
    }
}

std::vector<ClassSegments> SegmentBook::classes() const {
    std::vector<ClassSegments> list;
    for (std::size_t c = 0; c < distance_class_count; ++c) {
        const Totals& totals = totals_[c];
        if (totals.calls == 0) continue;
        ClassSegments segments;
        segments.name = distance_class_name(static_cast<DistanceClass>(c));
        segments.count = totals.calls;
        segments.total = totals.total;
        if (static_cast<DistanceClass>(c) != DistanceClass::self) {
            for (std::size_t i = 0; i < totals.segment.size(); ++i) {
                segments.segments.push_back({segment_names[i], totals.segment[i]});
            }
        }
        list.push_back(std::move(segments));
    }
    return list;
}

}  // namespace gicsim
