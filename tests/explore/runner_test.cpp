#include "gicsim/explore/runner.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "gicsim/config/load.h"
#include "platform/run_result.h"
#include "support/catch.h"

using namespace gicsim;

namespace {

class Watcher : public Progress {
public:
    void advance(std::uint64_t done, std::uint64_t all) override {
        CHECK(done <= all);
        // Once it has stopped, only what was finished counts.
        if (!stop_requested()) CHECK(last <= done);
        last = std::max(last, done);
        total = all;
        ++calls;
    }
    [[nodiscard]] bool stop_requested() const override { return last >= stop_at; }
    std::uint64_t last = 0;
    std::uint64_t total = 0;
    std::uint64_t stop_at = UINT64_MAX;
    unsigned calls = 0;
};

std::string text_of_runs(const ExperimentDescription& experiment) {
    Watcher watcher;
    std::string text;
    for (const CaseResult& each : run_experiment(experiment, {false, true}, watcher).cases) {
        for (const RunResult& run : each.runs) text += each.description.name + "\n" + text_of(run) + "\n";
    }
    return text;
}

/// What `experiment` gives in a process that has run nothing else. SystemC elaborates once a process, so this comes
/// before anything of this process's own.
std::string text_from_fresh_process(const ExperimentDescription& experiment) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        close(ends[0]);
        std::string text;
        try {
            text = text_of_runs(experiment);
        } catch (const std::exception& error) {
            text = error.what();
        }
        for (std::size_t n = 0; n < text.size();) {
            const ssize_t written = write(ends[1], text.data() + n, text.size() - n);
            if (written <= 0) break;
            n += static_cast<std::size_t>(written);
        }
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return text;
}

std::vector<Override> options(const char* rounds, const char* runs, const char* seed) {
    return {{"run.rounds", rounds, "test"}, {"run.runs", runs, "test"}, {"run.seed", seed, "test"}};
}

}  // namespace

TEST_CASE("Runner 1. Run k of an experiment equals a lone run with its seed, in every total, counter and segment") {
    // Two cases and three runs each; seed 7 is the last run of the last case: the most has happened before it.
    const std::string lone = text_from_fresh_process(load_experiment("small-ipi", options("20", "1", "7")));
    const std::string all = text_of_runs(load_experiment("small-ipi", options("20", "3", "5")));
    REQUIRE(lone.size() > 1000);
    std::size_t found = 0;
    for (std::size_t start = 0; start < lone.size();) {
        const std::size_t end = lone.find("\n\n", start) + 2;
        found += all.find(lone.substr(start, end - start)) != std::string::npos ? 1 : 0;
        start = end;
    }
    CHECK(found == 2);
}

TEST_CASE("Runner 2. The same on the reference machine, whose pages are drawn for each run") {
    std::vector<Override> first = options("3", "1", "12");
    std::vector<Override> both = options("3", "2", "11");
    for (auto* const overrides : {&first, &both}) {
        overrides->push_back({"barrier", "dsb st", "test"});
        overrides->push_back({"sender", "48", "test"});
        overrides->push_back({"gic.sgi_routing", "home", "test"});
        overrides->push_back({"csd_home", "die0", "test"});
    }
    const std::string lone = text_from_fresh_process(load_experiment("kunpeng920-ipi", first));
    const std::string all = text_of_runs(load_experiment("kunpeng920-ipi", both));
    CHECK(all.ends_with(lone));
    // Another seed is another run, or the comparison would show nothing.
    CHECK(lone.substr(lone.find("\n12 ") + 4) != all.substr(all.find("\n11 ") + 4, lone.size()));
}

TEST_CASE("Runner 3. Progress counts calls over all runs of all cases") {
    Watcher watcher;
    const ExperimentDescription experiment = load_experiment("small-ipi", options("200", "2", "1"));
    const ExperimentResult result = run_experiment(experiment, {}, watcher);
    CHECK(watcher.total == 6400);  // 2 cases, 2 runs, 200 rounds, 8 targets
    CHECK(watcher.last == watcher.total);
    CHECK(watcher.calls > 4);
    CHECK_FALSE(result.interrupted);
    CHECK(outcome_of(result) == Outcome::fine);
    REQUIRE(result.cases.size() == 2);
    for (const CaseResult& each : result.cases) {
        REQUIRE(each.runs.size() == 2);
        CHECK(each.runs[1].seed == 2);
        CHECK(each.runs[0].calls == 1600);
        CHECK(each.runs[0].ipis == 1400);
        // Without --explain no segments are kept.
        CHECK(each.runs[0].classes.empty());
    }
}

TEST_CASE("Runner 4. When the user stops it, the finished runs are kept and the broken one is dropped") {
    Watcher watcher;
    const ExperimentDescription experiment = load_experiment("small-ipi", options("1000", "3", "1"));
    watcher.stop_at = 8000 + 100;  // in the second run of the first case
    const ExperimentResult result = run_experiment(experiment, {}, watcher);
    CHECK(result.interrupted);
    CHECK(outcome_of(result) == Outcome::interrupted);
    REQUIRE(result.cases.size() == 2);
    REQUIRE(result.cases[0].runs.size() == 1);
    CHECK(result.cases[0].runs[0].calls == 8000);
    CHECK(result.cases[0].interrupted);
    // A case that never ran is there and says so.
    CHECK(result.cases[1].runs.empty());
    CHECK(result.cases[1].interrupted);
}

TEST_CASE("Runner 5. A run that does not get on is hung, and says who waits for what") {
    // An interrupt path of a millisecond: within the bounds of each of its parts, beyond a run's patience in all.
    std::vector<Override> slow = options("3", "1", "1");
    slow.push_back({"targets", "1", "test"});
    slow.push_back({"software.irq_entry", "1000000 cycles", "test"});
    slow.push_back({"software.irq_dispatch", "1000000 cycles", "test"});
    Watcher watcher;
    const ExperimentResult result = run_experiment(load_experiment("small-ipi", slow), {}, watcher);
    CHECK(outcome_of(result) == Outcome::hung);
    const RunResult& run = result.cases[0].runs.at(0);
    CHECK(run.hung);
    CHECK_THAT(run.end_reason, Catch::Contains("more than a millisecond"));
    REQUIRE(run.waiting.size() == 3);
    CHECK(run.waiting[0] == "cpu0 waits for an event (wfe), and for cpu1 to unlock the call data (csd) of its call");
    // The handler has acknowledged and is not done; the six others have nothing to do and share a line.
    CHECK_THAT(run.waiting[1], Catch::StartsWith("cpu1 waits for ") && Catch::Contains("; SGI 1 is "));
    CHECK(run.waiting[2] == "cpu2-7 waits for an interrupt (wfi)");
}
