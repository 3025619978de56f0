#include <algorithm>

#include "gicsim/workload/hang_report.h"
#include "gicsim/workload/workload.h"

namespace gicsim {
namespace {

/// A run that takes longer than this a round and target is not getting on, only going round in circles.
constexpr Time patience_per_call = Time::ms(1);
/// ... up to half an hour of simulated time, which the clock can still count.
constexpr std::uint64_t most_calls_with_patience = 1'800'000;

/// What programs did that the architecture calls UNPREDICTABLE, or that reached registers which are not built.
std::vector<std::string> warnings_of(Platform& platform) {
    std::uint64_t guest_errors = 0;
    std::uint64_t unimplemented = platform.gic().distributor(0).state().unimplemented_accesses();
    std::uint64_t failed = 0;
    for (std::size_t n = 0; n < platform.cpu_count(); ++n) {
        guest_errors += platform.gic().cpu_interface(cpu_id(n)).state().guest_errors();
        unimplemented += platform.gic().redistributor(cpu_id(n)).state().unimplemented_accesses();
        failed += platform.core(cpu_id(n)).failed_accesses();
    }
    std::vector<std::string> warnings;
    const auto add = [&warnings](std::uint64_t count, const char* what) {
        if (count > 0) warnings.push_back(std::to_string(count) + " " + what);
    };
    add(guest_errors, "UNPREDICTABLE ICC register writes were ignored (end of interrupt without one, or out of order)");
    add(unimplemented, "accesses to GIC registers that are not built read as zero or were ignored");
    add(failed, "device accesses were refused by their target");
    return warnings;
}

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
    const auto patience = static_cast<std::int64_t>(std::min(calls, most_calls_with_patience));
    const Platform::End end = platform.run(patience_per_call * patience, [&]() -> bool {
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
            result.end_reason = "nothing can happen any more";
            result.hung = true;
            break;
        case Platform::End::time_limit:
            result.end_reason = "calls take more than a millisecond of simulated time on average";
            result.hung = true;
            break;
    }
    if (result.hung) result.waiting = who_waits_for_what(kernel);
    result.warnings = warnings_of(platform);
    workload->finish(result);
    result.counters.push_back({"spurious interrupts", kernel.spurious()});
    result.counters.push_back({"messages", platform.messages()});
    return result;
}

}  // namespace gicsim
