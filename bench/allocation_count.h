#ifndef GICSIM_BENCH_ALLOCATION_COUNT_H
#define GICSIM_BENCH_ALLOCATION_COUNT_H

#include <cstdint>

namespace gicsim::bench {

/// Calls of operator new in this program since it started, coroutine frames included.
[[nodiscard]] std::uint64_t allocations();

}  // namespace gicsim::bench

#endif
