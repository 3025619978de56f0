#ifndef GICSIM_TESTS_SUPPORT_REFERENCE_MODEL_H
#define GICSIM_TESTS_SUPPORT_REFERENCE_MODEL_H

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>

#include "gicsim/litmus/litmus_test.h"

/// What the Armv8 memory model allows, worked out without a simulated core, cache or link, for tests to hold the
/// simulator and the verdicts of files against.
///
/// The model is other-multi-copy-atomic: an execution is allowed when its memory accesses can be put into one order, in
/// which each write takes effect for all observers at once, that keeps the ordered-before relation of every thread
/// (DDI 0487 B2.3: dependencies, barriers, acquire and release, atomics) and coherence. The search performs accesses in
/// every such order; a read takes the value in memory or that of an earlier write of its own thread that is not in
/// memory yet. Branches and the results of store-exclusives are guessed first, and executions in which a guess or a
/// coherence rule turns out wrong are dropped.
namespace gicsim::reference {

/// The test uses what the model does not have: loops, exceptions, interrupts, system registers, accesses of several
/// sizes to one element.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    std::size_t most_states = 20'000'000;  ///< of the search; more throw Unsupported
};

/// All final states that the model allows, as values of test.observables.
std::set<litmus::FinalState> reachable_states(const litmus::LitmusTest& test, const Options& options = {});

/// Whether the model allows a state that the test asks for.
litmus::Verdict verdict(const litmus::LitmusTest& test);

}  // namespace gicsim::reference

#endif
