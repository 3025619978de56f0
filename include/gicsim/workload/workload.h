#ifndef GICSIM_WORKLOAD_WORKLOAD_H
#define GICSIM_WORKLOAD_WORKLOAD_H

#include <functional>
#include <memory>

#include "gicsim/record/result.h"
#include "gicsim/workload/kernel.h"

namespace gicsim {

/// What runs on the machine after it has booted. A workload allocates its memory when it is made, starts its programs
/// in start(), halts the Timeline when they are done, and reports in finish().
class Workload {
public:
    virtual ~Workload() = default;
    virtual void start() = 0;
    /// Fills in what it measured; called whatever the reason for which the run ended.
    virtual void finish(RunResult& result) = 0;
    /// Rounds done so far, of WorkloadOptions::rounds.
    [[nodiscard]] virtual std::uint64_t rounds_done() const = 0;
};

/// The workload that the case names. Throws std::invalid_argument, with the known names, for any other.
std::unique_ptr<Workload> make_workload(Kernel& kernel);

/// Told now and then how far a run is (0 to 1); false stops it.
using ProgressSink = std::function<bool(double done)>;

/// Resets the platform, boots it, and runs one run of a case.
/// @throws ModelError when the machine does not come up.
RunResult run_case(Platform& platform, const CaseDescription& description, std::uint64_t seed,
                   const ProgressSink& progress = {});

}  // namespace gicsim

#endif
