#include "gicsim/report/experiment_result.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gicsim {

Outcome outcome_of(const ExperimentResult& result) {
    if (result.interrupted) return Outcome::interrupted;
    Outcome outcome = Outcome::fine;
    for (const CaseResult& each : result.cases) {
        for (const RunResult& run : each.runs) {
            if (run.hung) return Outcome::hung;
            if (run.stale != 0 || run.lost != 0) outcome = Outcome::violation;
        }
        const Verdict verdict = verdict_of(each);
        if (verdict.has_reference && !verdict.inside) outcome = Outcome::violation;
    }
    return outcome;
}

Statistics Statistics::of(const std::vector<double>& values) {
    Statistics result;
    result.count = values.size();
    if (values.empty()) return result;
    const auto n = static_cast<double>(values.size());
    result.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    result.least = *std::min_element(values.begin(), values.end());
    result.greatest = *std::max_element(values.begin(), values.end());
    double squares = 0;
    for (const double value : values) squares += (value - result.mean) * (value - result.mean);
    if (values.size() > 1) result.deviation = std::sqrt(squares / (n - 1));
    return result;
}

Statistics Statistics::scaled(double factor, double offset) const {
    return {count, (mean + offset) * factor, (least + offset) * factor, (greatest + offset) * factor,
            deviation * std::abs(factor)};
}

Statistics totals_of(const CaseResult& result) {
    std::vector<double> totals;
    totals.reserve(result.runs.size());
    // A hung run has no total.
    for (const RunResult& run : result.runs) {
        if (!run.hung) totals.push_back(run.total.in_ns());
    }
    return Statistics::of(totals);
}

Verdict verdict_of(const CaseResult& result) {
    Verdict verdict;
    if (result.interrupted || result.description.reference_ns.empty() || totals_of(result).count == 0) return verdict;
    verdict.has_reference = true;
    const Statistics measured = Statistics::of(result.description.reference_ns);
    const double mean = totals_of(result).mean;
    if (mean < measured.least) verdict.missed_ns = mean - measured.least;
    if (mean > measured.greatest) verdict.missed_ns = mean - measured.greatest;
    verdict.inside = verdict.missed_ns == 0;
    return verdict;
}

CallShare::CallShare(const CaseDescription& description) {
    const WorkloadOptions& options = description.options;
    const auto rounds = static_cast<double>(options.rounds);
    const auto to_oneself =
        static_cast<double>(std::count(options.targets.begin(), options.targets.end(), options.sender));
    calls = rounds * static_cast<double>(options.targets.size());
    remote_calls = calls - rounds * to_oneself;
    local_time_ns =
        rounds * to_oneself * description.machine.core.clock.to_time(description.software.local_call).in_ns();
}

}  // namespace gicsim
