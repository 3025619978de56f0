#ifndef GICSIM_REPORT_EXPERIMENT_RESULT_H
#define GICSIM_REPORT_EXPERIMENT_RESULT_H

#include <string>
#include <vector>

#include "gicsim/config/experiment.h"
#include "gicsim/record/result.h"

namespace gicsim {

/// A case and the runs of it that were completed.
struct CaseResult {
    CaseDescription description;
    std::vector<RunResult> runs;
    bool interrupted = false;  ///< by the user: runs are missing, perhaps all, so it is not judged
};

struct ExperimentResult {
    std::string name;
    std::string description;
    std::vector<CaseResult> cases;
    bool interrupted = false;  ///< by the user: later runs are missing
};

/// What became of an experiment, worst first in the order of exit codes.
enum class Outcome : std::uint8_t {
    fine,
    violation,  ///< a stale read, lost work, or a measurement that was missed
    hung,
    interrupted,
};

Outcome outcome_of(const ExperimentResult& result);

/// Mean, least, greatest and sample standard deviation (n - 1; zero for one value).
struct Statistics {
    std::size_t count = 0;
    double mean = 0;
    double least = 0;
    double greatest = 0;
    double deviation = 0;

    static Statistics of(const std::vector<double>& values);
    [[nodiscard]] Statistics scaled(double factor, double offset = 0) const;
};

/// Totals of a case's runs, in ns.
Statistics totals_of(const CaseResult& result);

/// How a case stands against its measurement; one that was interrupted has no verdict.
struct Verdict {
    bool has_reference = false;
    bool inside = false;   ///< the mean lies between the least and the greatest measured total
    double missed_ns = 0;  ///< how far the mean lies outside; below is negative
};

Verdict verdict_of(const CaseResult& result);

/// What one call, or one interrupt to another CPU, takes: of a total in ns.
/// The call to oneself is taken off at what the software file says it costs, in simulation and measurement alike.
struct CallShare {
    double calls = 0;          ///< calls a run
    double remote_calls = 0;   ///< of them to other CPUs
    double local_time_ns = 0;  ///< time of the others

    explicit CallShare(const CaseDescription& description);
    [[nodiscard]] Statistics per_call(const Statistics& total) const { return total.scaled(1 / calls); }
    [[nodiscard]] Statistics per_remote(const Statistics& total) const {
        return total.scaled(1 / remote_calls, -local_time_ns);
    }
};

}  // namespace gicsim

#endif
