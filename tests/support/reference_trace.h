#ifndef GICSIM_TESTS_SUPPORT_REFERENCE_TRACE_H
#define GICSIM_TESTS_SUPPORT_REFERENCE_TRACE_H

#include <cstdint>
#include <vector>

#include "gicsim/litmus/litmus_test.h"

namespace gicsim::reference {

/// One instruction on a path through a program, with what was guessed about it.
struct Step {
    const litmus::Instruction* instruction = nullptr;
    bool guess = false;  ///< a branch is taken; a store-exclusive or a compare-and-swap stores
    int first_event = -1;
    int second_event = -1;  ///< second access of a pair, or the write of a read-modify-write
};

/// One memory access on a path.
struct Event {
    std::size_t step = 0;
    bool is_write = false;
    bool acquire = false;       ///< comes before what follows: LDAR, LDAPR, LDAXR, A, the write of an AL
    bool acquire_rcsc = false;  ///< not LDAPR: waits for earlier releases
    bool release = false;
    bool returns_nothing = false;  ///< read of an atomic without a destination: DMB LD does not see it
    int read = -1;                 ///< of a write of a read-modify-write: the event that it belongs to
    std::uint64_t after = 0;       ///< bit i: event i has to be performed before, by barriers, acquire and release
    std::vector<std::size_t> synchronised_with;  ///< steps of ISBs before it
};

/// A path through one thread's program.
struct Trace {
    std::vector<Step> steps;
    std::vector<Event> events;
    bool is_possible = true;
};

/// All paths: every branch taken and not, every store-exclusive and compare-and-swap with and without its store.
/// Throws Unsupported for loops and for instructions that the model does not have.
std::vector<Trace> traces_of(const litmus::Program& program);

}  // namespace gicsim::reference

#endif
