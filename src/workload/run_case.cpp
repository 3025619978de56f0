#include <algorithm>

#include "gicsim/workload/workload.h"

namespace gicsim {
namespace {

/// A run that takes longer than this a round and target is not getting on, only going round in circles.
constexpr Time patience_per_call = Time::ms(1);

}  // namespace

RunResult run_case(Platform& platform, const CaseDescription& description, std::uint64_t seed,
                   const ProgressSink& progress) {
    platform.reset(description.machine);
    boot(platform, description.software);
    Kernel kernel(platform, description, seed);
    const std::unique_ptr<Workload> workload = make_workload(kernel);
    const std::uint64_t events_before = platform.timeline().events_run();
    const WorkloadOptions& options = description.options;
    const std::uint64_t calls = options.rounds * std::max<std::size_t>(options.targets.size(), 1);
    workload->start();
    const Platform::End end = platform.run(patience_per_call * static_cast<std::int64_t>(calls), [&]() -> bool {
        return !progress ||
               progress(static_cast<double>(workload->rounds_done()) / static_cast<double>(options.rounds));
    });
    RunResult result;
    result.seed = seed;
    result.events = platform.timeline().events_run() - events_before;
    switch (end) {
        case Platform::End::done: result.end_reason = "all rounds done"; break;
        case Platform::End::interrupted:
            result.end_reason = "interrupted";
            result.interrupted = true;
            break;
        case Platform::End::idle:
            result.end_reason = "hung: nothing can happen any more";
            result.hung = true;
            break;
        case Platform::End::time_limit:
            result.end_reason = "hung: more than a millisecond of simulated time a call";
            result.hung = true;
            break;
    }
    if (result.hung) result.waiting = platform.waiting();
    workload->finish(result);
    result.counters.push_back({"spurious interrupts", kernel.spurious()});
    result.counters.push_back({"messages", platform.messages()});
    return result;
}

}  // namespace gicsim
