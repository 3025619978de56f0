#ifndef GICSIM_BENCH_MEASURED_RUN_H
#define GICSIM_BENCH_MEASURED_RUN_H

#include <cstdint>
#include <functional>
#include <vector>

#include "gicsim/workload/workload.h"

namespace gicsim::bench {

/// What one run cost its host, in processor time: another program on the machine then matters little.
struct MeasuredRun {
    double seconds = 0;        ///< reset, boot, and all rounds
    double round_seconds = 0;  ///< the rounds alone
    double simulated_seconds = 0;
    std::uint64_t ipis = 0;
    std::uint64_t events = 0;
    std::uint64_t late_allocations = 0;  ///< of operator new, between round 10 and the last look at the run
};

/// Processor time of this process in seconds.
[[nodiscard]] double processor_seconds();

/// Peak resident memory of this process in MB (10^6 bytes).
[[nodiscard]] double peak_megabytes();

/// Runs a case once. Throws ModelError when it hangs or when work gets lost: such a run measures nothing.
MeasuredRun measure(Platform& platform, const CaseDescription& description);

/// Executions of a two-thread litmus test on the litmus machine; their number stands in `ipis`.
std::function<MeasuredRun(std::size_t)> litmus_meter();
/// Runs of cases of one machine shape.
std::function<MeasuredRun(std::size_t)> case_meter(std::vector<CaseDescription> cases);

/// Case "dsb st from cpu0" of Reference A on synthetic-960.
/// @param all every CPU is a target; otherwise as many as there are CPUs in the reference, the same number at each
/// distance class, spread over the machine.
CaseDescription on_960_cores(const CaseDescription& reference, bool all);

}  // namespace gicsim::bench

#endif
