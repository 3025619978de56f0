#include <chrono>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>

#include "gicsim/explore/litmus_runner.h"
#include "gicsim/explore/worker_pool.h"

namespace gicsim {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

LitmusResult result_of(const LitmusJob& job, const CampaignResult& campaign) {
    LitmusResult result;
    result.name = campaign.name;
    result.variant = job.variant;
    result.file = campaign.file;
    result.condition = campaign.condition;
    result.expected = std::string(litmus::to_string(campaign.expected.verdict));
    result.source = campaign.expected.source;
    result.finding = finding_name(campaign.finding);
    result.remark = campaign.remark;
    for (std::size_t i = 0; i < campaign.states.size(); ++i) {
        result.states.push_back(
            {campaign.state_texts[i], campaign.states[i].count, campaign.states[i].asked_for, {}, {}});
    }
    result.executions = campaign.executions;
    result.asked_for = campaign.asked_for;
    result.stuck = campaign.stuck;
    result.exhausted = campaign.exhausted;
    result.untargeted = campaign.untargeted;
    result.choice_points = campaign.choice_points;
    result.systematic = campaign.systematic;
    result.share_explored = campaign.share_explored;
    result.complete = campaign.complete;
    result.interrupted = campaign.interrupted;
    return result;
}

void add_witnesses(LitmusResult& result, Arena& arena, const CampaignOptions& options, const CampaignResult& campaign) {
    const auto threads = static_cast<unsigned>(arena.test().threads.size());
    for (std::size_t i = 0; i < campaign.states.size(); ++i) {
        const Witness witness = replay(arena, options, campaign.states[i].shortest);
        result.states[i].witness = witness_as_text(witness, threads);
        result.states[i].timeline = witness_as_lines(witness);
    }
}

/// One process's share of the work: a machine, and one test after the other on it.
class Worker {
public:
    Worker(const MachineDescription& machine, const SoftwareDescription& software, const LitmusOptions& options)
        : options_(options), platform_(machine), arena_(platform_, software) {}

    LitmusResult run(const LitmusJob& job, const Platform::Monitor& monitor) {
        const double start = processor_seconds();
        arena_.load(job.test);
        const CampaignResult campaign = run_campaign(arena_, options_.campaign, monitor);
        LitmusResult result = result_of(job, campaign);
        if (options_.witnesses && !campaign.interrupted) add_witnesses(result, arena_, options_.campaign, campaign);
        result.seconds = processor_seconds() - start;
        return result;
    }

private:
    const LitmusOptions& options_;
    Platform platform_;
    Arena arena_;
};

Json to_json(const LitmusResult& r) {
    Json states = Json::array();
    for (const LitmusState& s : r.states) states.push_back({s.text, s.count, s.asked_for, s.witness, s.timeline});
    return {r.name,       r.variant,        r.file,      r.condition,   r.expected,  r.source,     r.finding,
            r.remark,     r.executions,     r.asked_for, r.stuck,       r.exhausted, r.untargeted, r.choice_points,
            r.systematic, r.share_explored, r.complete,  r.interrupted, r.seconds,   states};
}

LitmusResult from_json(const Json& json) {
    LitmusResult r;
    std::size_t i = 0;
    const auto take = [&](auto& value) { json.at(i++).get_to(value); };
    take(r.name);
    take(r.variant);
    take(r.file);
    take(r.condition);
    take(r.expected);
    take(r.source);
    take(r.finding);
    take(r.remark);
    take(r.executions);
    take(r.asked_for);
    take(r.stuck);
    take(r.exhausted);
    take(r.untargeted);
    take(r.choice_points);
    take(r.systematic);
    take(r.share_explored);
    take(r.complete);
    take(r.interrupted);
    take(r.seconds);
    for (const Json& s : json.at(i)) {
        r.states.push_back({s.at(0), s.at(1), s.at(2), s.at(3), s.at(4).get<std::vector<std::string>>()});
    }
    return r;
}

/// Of a test whose worker process ended before it.
LitmusResult lost_result(const LitmusJob& job, const std::string& how) {
    LitmusResult result;
    result.name = job.test.name;
    result.variant = job.variant;
    result.file = job.test.file;
    result.expected = std::string(litmus::to_string(job.test.expected.verdict));
    result.source = job.test.expected.source;
    result.finding = finding_name(Finding::unfinished);
    result.remark = "its worker process " + how;
    return result;
}

}  // namespace

LitmusReport run_litmus(const MachineDescription& machine, const SoftwareDescription& software,
                        const std::vector<LitmusJob>& jobs, const LitmusOptions& options, Progress& progress) {
    LitmusReport report;
    report.machine = machine.name;
    report.seed = options.campaign.seed;
    report.iterations = options.campaign.iterations;
    const auto begin = Clock::now();
    const auto go_on = [&] {
        const bool late =
            options.time_limit_s && std::chrono::duration<double>(Clock::now() - begin).count() > *options.time_limit_s;
        if (progress.stop_requested()) report.interrupted = true;
        return !report.interrupted && !late;
    };
    std::vector<std::optional<LitmusResult>> results(jobs.size());
    std::size_t done = 0;
    progress.advance(0, jobs.size());
    if (options.jobs <= 1) {
        Worker worker(machine, software, options);
        for (std::size_t i = 0; i < jobs.size() && go_on(); ++i) {
            LitmusResult result = worker.run(jobs[i], go_on);
            if (result.executions > 0) results[i] = std::move(result);
            progress.advance(++done, jobs.size());
        }
    } else {
        WorkerPool pool;
        pool.workers = options.jobs;
        pool.make_worker = [&](const std::function<bool()>& monitor) {
            auto worker = std::make_shared<Worker>(machine, software, options);
            return [worker, monitor, &jobs](std::size_t i) { return to_json(worker->run(jobs[i], monitor)).dump(); };
        };
        pool.done = [&](std::size_t i, const std::string& text) {
            LitmusResult result = from_json(Json::parse(text));
            if (result.executions > 0) results[i] = std::move(result);
            progress.advance(++done, jobs.size());
        };
        pool.lost = [&](std::size_t i, const std::string& how) {
            results[i] = lost_result(jobs[i], how);
            progress.advance(++done, jobs.size());
        };
        pool.go_on = go_on;
        pool.run(jobs.size());
    }
    for (auto& result : results) {
        if (result) {
            report.results.push_back(std::move(*result));
        } else {
            ++report.not_run;
        }
    }
    return report;
}

}  // namespace gicsim
