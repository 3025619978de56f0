#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "gicsim/explore/software_survey.h"
#include "gicsim/explore/worker_pool.h"
#include "gicsim/workload/workload.h"

namespace gicsim {
namespace {

constexpr CpuId sender = cpu_id(0);
constexpr CpuId target = cpu_id(1);

/// A CPU as far from the sender as there is one, which is neither sender nor target.
CpuId distant_cpu(const MachineDescription& machine) {
    if (machine.cpus.size() < 3) {
        throw ConfigError({}, {},
                          fmt::format("the machine '{}' has fewer than three CPUs: sender, receiver, and an owner of "
                                      "the line",
                                      machine.name));
    }
    const CpuPlace& from = machine.cpus[index(sender)];
    const auto first = [&](auto&& fits) -> std::optional<CpuId> {
        for (std::size_t n = 2; n < machine.cpus.size(); ++n) {
            if (fits(machine.cpus[n])) return cpu_id(n);
        }
        return std::nullopt;
    };
    if (const auto cpu = first([&](const CpuPlace& c) { return c.socket != from.socket; })) return *cpu;
    if (const auto cpu = first([&](const CpuPlace& c) { return c.die != from.die; })) return *cpu;
    return cpu_id(machine.cpus.size() - 1);
}

bool priced(const IpiSequence& sequence) {
    return sequence.send.mechanism == IpiSequence::Mechanism::system_register &&
           sequence.send.before.kind() != Barrier::Kind::none;
}

using Policy = std::tuple<std::string, bool, bool>;

Policy policy_of(const IpiSequence& sequence, bool with_barrier) {
    return {with_barrier ? sequence.send.before.name() : Barrier().name(), sequence.send.isb_before,
            sequence.send.isb_after};
}

}  // namespace

std::string BarrierCost::setup() const {
    return fmt::format("added to a message of CPU {} to CPU {} with one line of CPU {} stored to before the payload",
                       index(sender), index(target), index(distant_cpu(machine)));
}

std::vector<std::optional<double>> BarrierCost::measure(const std::vector<IpiSequence>& sequences,
                                                        unsigned workers) const {
    std::map<Policy, double> ns;
    for (const IpiSequence& sequence : sequences) {
        if (!priced(sequence)) continue;
        ns[policy_of(sequence, true)] = 0;
        ns[policy_of(sequence, false)] = 0;
    }
    std::vector<Policy> policies;
    policies.reserve(ns.size());
    for (const auto& [policy, unknown] : ns) policies.push_back(policy);

    CaseDescription base;
    base.machine = machine;
    base.software = software;
    base.options.workload = "message-passing";
    base.options.sender = sender;
    base.options.targets = {target};
    base.options.rounds = rounds;
    base.options.payload_lines = 1;
    base.options.remote_lines = 1;
    base.options.remote_owner = distant_cpu(machine);
    base.options.send.placement = Placement::before_each;

    // In processes of their own: this one may yet elaborate another machine.
    WorkerPool pool;
    pool.workers = std::max(1U, std::min<unsigned>(workers, static_cast<unsigned>(policies.size())));
    pool.make_worker = [&](const std::function<bool()>&) {
        auto platform = std::make_shared<Platform>(machine);
        return [this, platform, &base, &policies](std::size_t i) {
            CaseDescription each = base;
            each.options.send.barrier = *Barrier::parse(std::get<0>(policies[i]));
            each.options.send.isb_before = std::get<1>(policies[i]);
            each.options.send.isb_after = std::get<2>(policies[i]);
            const RunResult result = run_case(*platform, each, seed);
            if (result.hung) throw ModelError("the machine hung while the barrier was measured");
            return std::to_string(result.total.in_ns() / static_cast<double>(result.ipis));
        };
    };
    pool.done = [&](std::size_t i, const std::string& text) { ns[policies[i]] = std::stod(text); };
    pool.go_on = [] { return true; };
    if (!policies.empty()) pool.run(policies.size());

    std::vector<std::optional<double>> costs;
    for (const IpiSequence& sequence : sequences) {
        costs.emplace_back();
        if (priced(sequence)) costs.back() = ns[policy_of(sequence, true)] - ns[policy_of(sequence, false)];
    }
    return costs;
}

}  // namespace gicsim
