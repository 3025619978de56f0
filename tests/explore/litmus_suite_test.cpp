// The shipped litmus tests on the simulated cores: what the architecture forbids is never seen, what it allows is, but
// for the few states that need what this core does not do.
#include <algorithm>

#include "gicsim/config/load.h"
#include "gicsim/explore/litmus_runner.h"
#include "gicsim/litmus/litmus_file.h"
#include "support/catch.h"

using namespace gicsim;

namespace {

class Quiet : public Progress {
public:
    void advance(std::uint64_t, std::uint64_t) override {}
    [[nodiscard]] bool stop_requested() const override { return false; }
};

/// Part `part` of `parts` of a folder.
std::vector<LitmusJob> jobs_of(const std::string& folder, std::size_t part, std::size_t parts) {
    std::vector<LitmusJob> jobs;
    const auto files = litmus::find_litmus_files(GICSIM_SOURCE_DIR "/configs/litmus/" + folder);
    for (std::size_t n = part; n < files.size(); n += parts) jobs.push_back({litmus::read_litmus_file(files[n]), {}});
    return jobs;
}

LitmusReport run(const std::vector<LitmusJob>& jobs, std::uint64_t iterations) {
    LitmusOptions options;
    options.campaign.iterations = iterations;
    options.campaign.systematic = iterations / 4;
    options.jobs = 2;
    Quiet quiet;
    return run_litmus(load_machine("litmus-8"), load_software("linux-5.17"), jobs, options, quiet);
}

void check_suite(const std::string& folder, std::size_t part, std::size_t parts) {
    std::vector<LitmusJob> jobs = jobs_of(folder, part, parts);
    REQUIRE(jobs.size() > 20);
    // What takes many executions gets them.
    for (const std::uint64_t iterations : {5'000, 100'000, 1'000'000}) {
        const LitmusReport report = run(jobs, iterations);
        REQUIRE(report.results.size() == jobs.size());
        std::vector<LitmusJob> left;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const LitmusResult& result = report.results[i];
            INFO(result.name << ": " << result.finding << ", " << result.remark << ", " << iterations);
            CHECK(result.stuck + result.exhausted + result.untargeted == 0);
            const bool not_seen = result.finding == "not seen";
            CHECK((result.finding == "ok" || not_seen));
            if (jobs[i].test.expected.needs_split_rmw) {
                CHECK(not_seen);
            } else if (not_seen) {
                left.push_back(jobs[i]);
            }
        }
        jobs = std::move(left);
        if (jobs.empty()) return;
    }
    for (const LitmusJob& job : jobs) FAIL_CHECK(job.test.name << " is allowed and not reached");
}

}  // namespace

TEST_CASE("Classic suite, part 1 of 4, on the cores") {
    check_suite("classic", 0, 4);
}
TEST_CASE("Classic suite, part 2 of 4, on the cores") {
    check_suite("classic", 1, 4);
}
TEST_CASE("Classic suite, part 3 of 4, on the cores") {
    check_suite("classic", 2, 4);
}
TEST_CASE("Classic suite, part 4 of 4, on the cores") {
    check_suite("classic", 3, 4);
}
TEST_CASE("SGI suite, part 1 of 2, on the cores") {
    check_suite("sgi", 0, 2);
}
TEST_CASE("SGI suite, part 2 of 2, on the cores") {
    check_suite("sgi", 1, 2);
}

TEST_CASE("The states that are out of reach are two of these suites") {
    std::vector<std::string> names;
    for (const char* folder : {"classic", "sgi"}) {
        for (const LitmusJob& job : jobs_of(folder, 0, 1)) {
            if (job.test.expected.needs_split_rmw) names.push_back(job.test.name);
        }
    }
    CHECK(names == std::vector<std::string>{"SB+swpas", "doorbell+load-first"});
}
