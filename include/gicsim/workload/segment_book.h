#ifndef GICSIM_WORKLOAD_SEGMENT_BOOK_H
#define GICSIM_WORKLOAD_SEGMENT_BOOK_H

#include <array>

#include "gicsim/platform/platform.h"
#include "gicsim/record/result.h"

namespace gicsim {

/// Adds up, for each distance class, the time between one point of an IPI and the next. Each segment is the difference
/// of two recorded timestamps, so the segments of a call add up to its total by construction, not by a remainder.
class SegmentBook {
public:
    explicit SegmentBook(Platform& platform) : platform_(platform) {}

    /// Enters the call from `sender` to `target` that has just ended.
    void enter(CpuId sender, CpuId target);
    /// The totals for a result, classes without calls left out.
    [[nodiscard]] std::vector<ClassSegments> classes() const;

private:
    struct Totals {
        std::uint64_t calls = 0;
        std::array<Time, point_count - 1> segment{};
        Time total;
    };
    Platform& platform_;
    std::array<Totals, distance_class_count> totals_{};
};

}  // namespace gicsim

#endif
