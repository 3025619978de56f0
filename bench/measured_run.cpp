#include "measured_run.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "allocation_count.h"
#include "gicsim/config/load.h"
#include "gicsim/laboratory/campaign.h"
#include "gicsim/litmus/litmus_file.h"

namespace gicsim::bench {
namespace {

constexpr double warm_up_rounds = 10;
constexpr std::uint64_t litmus_executions = 50'000;

/// Platform::distance(), for machines that are not built.
DistanceClass distance(const CpuPlace& a, const CpuPlace& b) {
    if (a.socket != b.socket) return DistanceClass::other_socket;
    if (a.die != b.die) return DistanceClass::same_socket;
    return a.cluster != b.cluster ? DistanceClass::same_die : DistanceClass::same_cluster;
}

using ByDistance = std::array<std::vector<CpuId>, distance_class_count>;

ByDistance others_by_distance(const MachineDescription& machine, CpuId sender) {
    ByDistance others;
    for (std::size_t n = 0; n < machine.cpus.size(); ++n) {
        if (cpu_id(n) == sender) continue;
        const DistanceClass away = distance(machine.cpus[index(sender)], machine.cpus[n]);
        others[static_cast<std::size_t>(away)].push_back(cpu_id(n));
    }
    return others;
}

}  // namespace

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

MeasuredRun measure(Platform& platform, const CaseDescription& description) {
    const double warm = warm_up_rounds / static_cast<double>(description.options.rounds);
    double rounds_start = 0;
    bool is_warm = false;
    std::uint64_t first_count = 0;
    std::uint64_t last_count = 0;
    const double start = processor_seconds();
    // The first look comes after the boot, before the first round.
    const RunResult result = run_case(platform, description, description.seed, [&](double done) {
        if (rounds_start == 0) rounds_start = processor_seconds();
        if (done >= warm) {
            last_count = allocations();
            if (!is_warm) first_count = last_count;
            is_warm = true;
        }
        return true;
    });
    const double end = processor_seconds();
    if (result.hung || result.lost > 0) throw ModelError(description.name + ": " + result.end_reason);
    if (last_count == 0) throw ModelError(description.name + ": too short to see what is allocated after round 10");
    return {end - start, end - rounds_start, static_cast<double>(result.total.in_fs()) / 1e15,
            result.ipis, result.events,      last_count - first_count};
}

std::function<MeasuredRun(std::size_t)> case_meter(std::vector<CaseDescription> cases) {
    auto platform = std::make_shared<Platform>(cases.front().machine);
    return [platform, cases = std::move(cases)](std::size_t i) { return measure(*platform, cases.at(i)); };
}

std::function<MeasuredRun(std::size_t)> litmus_meter() {
    struct Laboratory {
        SoftwareDescription software = load_software("linux-5.17");
        Platform platform{load_machine("litmus-8")};
        Arena arena{platform, software};
        litmus::LitmusTest test = litmus::read_litmus_file(data_folder() / "litmus" / "classic" / "MP+dmb.sys.litmus");
    };
    auto laboratory = std::make_shared<Laboratory>();
    laboratory->arena.load(laboratory->test);
    return [laboratory](std::size_t) {
        CampaignOptions options;
        options.iterations = litmus_executions;
        options.systematic = 0;
        const double start = processor_seconds();
        const CampaignResult result = run_campaign(laboratory->arena, options);
        MeasuredRun run;
        run.seconds = processor_seconds() - start;
        run.ipis = result.executions;
        run.events = result.events;
        return run;
    };
}

CaseDescription on_960_cores(const CaseDescription& reference, bool all) {
    CaseDescription large = reference;
    large.name = all ? "960 cores, 959 targets" : "960 cores, 95 targets";
    large.machine = load_machine("synthetic-960");
    // The rung of the fidelity ladder is the reference's: it decides how many events a message takes.
    large.machine.fabric.fidelity = reference.machine.fabric.fidelity;
    const CpuId sender = reference.options.sender;
    large.options.targets = {sender};
    const ByDistance wanted = others_by_distance(reference.machine, sender);
    const ByDistance there = others_by_distance(large.machine, sender);
    for (std::size_t away = 0; away < distance_class_count; ++away) {
        const std::size_t available = there[away].size();
        const std::size_t count = all ? available : std::min(wanted[away].size(), available);
        for (std::size_t i = 0; i < count; ++i) {
            large.options.targets.push_back(there[away][i * available / count]);
        }
    }
    if (all) large.options.rounds = std::max<std::uint64_t>(reference.options.rounds / 10, 20);
    return large;
}

}  // namespace gicsim::bench
