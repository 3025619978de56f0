#ifndef GICSIM_EXPLORE_LITMUS_RUNNER_H
#define GICSIM_EXPLORE_LITMUS_RUNNER_H

#include <optional>
#include <string>
#include <vector>

#include "gicsim/explore/runner.h"
#include "gicsim/laboratory/campaign.h"
#include "gicsim/report/litmus_result.h"

namespace gicsim {

/// A test, as filed or crossed with something.
struct LitmusJob {
    litmus::LitmusTest test;
    std::string variant;
};

struct LitmusOptions {
    CampaignOptions campaign;
    unsigned jobs = 1;                   ///< worker processes; 1 works in this one
    std::optional<double> time_limit_s;  ///< no test is begun after so many seconds
    bool witnesses = false;              ///< record the timeline of every state
};

/// Runs all jobs on a machine. The result does not depend on the number of workers.
LitmusReport run_litmus(const MachineDescription& machine, const SoftwareDescription& software,
                        const std::vector<LitmusJob>& jobs, const LitmusOptions& options, Progress& progress);

}  // namespace gicsim

#endif
