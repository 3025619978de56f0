#include <algorithm>
#include <memory>

#include "gicsim/config/options.h"
#include "gicsim/explore/runner.h"
#include "gicsim/workload/workload.h"

namespace gicsim {
namespace {

std::uint64_t calls_of(const CaseDescription& description) {
    return description.options.rounds * std::max<std::uint64_t>(description.options.targets.size(), 1);
}

}  // namespace

ExperimentResult run_experiment(const ExperimentDescription& experiment, const RunnerOptions& options,
                                Progress& progress) {
    ExperimentResult result{experiment.name, experiment.description, {}, false};
    std::uint64_t all = 0;
    for (const CaseDescription& description : experiment.cases) all += description.runs * calls_of(description);
    std::uint64_t done = 0;
    // One elaboration a process is SystemC's rule; each run resets it completely.
    Platform platform(experiment.cases.front().machine);
    for (const CaseDescription& description : experiment.cases) {
        result.cases.push_back({description, {}, result.interrupted});
        for (unsigned k = 0; k < description.runs && !result.interrupted; ++k) {
            const auto calls = static_cast<double>(calls_of(description));
            RunResult run = run_case(platform, description, description.seed + k, [&](double share) {
                progress.advance(done + static_cast<std::uint64_t>(share * calls), all);
                return !progress.stop_requested();
            });
            if (run.interrupted) {
                result.interrupted = result.cases.back().interrupted = true;
                break;
            }
            if (!options.explain && !measures_latency(description.options.workload)) run.classes.clear();
            if (options.strict && !run.warnings.empty()) {
                throw ModelError(description.name + ", seed " + std::to_string(run.seed) + ": " + run.warnings.front());
            }
            done += calls_of(description);
            result.cases.back().runs.push_back(std::move(run));
        }
    }
    if (!result.interrupted) progress.advance(done, all);
    return result;
}

}  // namespace gicsim
