#ifndef GICSIM_EXPLORE_RUNNER_H
#define GICSIM_EXPLORE_RUNNER_H

#include <cstdint>

#include "gicsim/config/experiment.h"
#include "gicsim/report/experiment_result.h"

namespace gicsim {

/// Who runs an experiment tells this how far it is, and asks whether to go on.
class Progress {
public:
    virtual ~Progress() = default;
    /// @param done and @param all in calls, over all runs of all cases. Called a few times a second at most.
    virtual void advance(std::uint64_t done, std::uint64_t all) = 0;
    /// True once the user wants to stop. The current run is then dropped, those before it are kept, and the cases that
    /// lack runs are marked.
    [[nodiscard]] virtual bool stop_requested() const = 0;
};

struct RunnerOptions {
    bool strict = false;   ///< architecturally UNPREDICTABLE behaviour of a program is an error
    bool explain = false;  ///< keep the segments of each call; the times of latency probes are always kept
};

/// Runs every case of an experiment. Throws ModelError when a model or, under `strict`, a program errs.
ExperimentResult run_experiment(const ExperimentDescription& experiment, const RunnerOptions& options,
                                Progress& progress);

}  // namespace gicsim

#endif
