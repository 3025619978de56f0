#ifndef GICSIM_TESTS_SUPPORT_REFERENCE_THREAD_H
#define GICSIM_TESTS_SUPPORT_REFERENCE_THREAD_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gicsim/litmus/evaluate.h"
#include "support/reference_trace.h"

namespace gicsim::reference {

/// Which write a read got its value from, or which wrote an element last: thread and event, or the initial value.
using WriteId = std::int16_t;
inline constexpr WriteId initial_write = -1;
constexpr WriteId write_id(std::size_t thread, std::size_t event) {
    return static_cast<WriteId>(thread * 64 + event);
}

/// What has been performed on a path; the values of registers follow from it.
struct ThreadState {
    std::uint64_t performed = 0;        ///< bit i: event i
    std::vector<std::uint64_t> values;  ///< of performed reads, by event
    std::vector<WriteId> sources;       ///< of performed reads, by event
    [[nodiscard]] bool has_performed(std::size_t event) const { return (performed >> event & 1) != 0; }
};

/// An access as far as its inputs are known.
struct Access {
    std::optional<std::uint64_t> address;
    std::optional<std::uint64_t> data;  ///< of a write
    unsigned size = 0;
};

/// What can be computed from the reads that have been performed.
struct Evaluation {
    bool is_consistent = true;       ///< no guess has turned out wrong
    std::vector<Access> accesses;    ///< by event
    std::vector<bool> branch_known;  ///< by step: true for all but unresolved branches
    std::array<std::optional<std::uint64_t>, litmus::register_count> registers;  ///< at the end
};

/// Walks along a path. @param initial values of the registers
Evaluation evaluate(const Trace& trace, const ThreadState& state,
                    const std::array<std::uint64_t, litmus::register_count>& initial);

}  // namespace gicsim::reference

#endif
