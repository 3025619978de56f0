#ifndef GICSIM_TESTS_FABRIC_ALLOCATION_COUNT_H
#define GICSIM_TESTS_FABRIC_ALLOCATION_COUNT_H

#include <cstdint>

/// Calls of operator new in this test program.
[[nodiscard]] std::uint64_t allocations();

#endif
