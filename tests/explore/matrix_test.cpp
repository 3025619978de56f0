#include <algorithm>
#include <cstdlib>

#include "gicsim/config/load.h"
#include "gicsim/explore/litmus_matrix.h"
#include "support/catch.h"

using namespace gicsim;

namespace {

class Silent : public Progress {
public:
    void advance(std::uint64_t, std::uint64_t) override {}
    [[nodiscard]] bool stop_requested() const override { return false; }
};

LitmusReport run_matrix(std::uint64_t iterations, unsigned jobs) {
    const MachineDescription machine = load_machine("litmus-8");
    LitmusOptions options;
    options.campaign.iterations = iterations;
    options.campaign.systematic = std::min<std::uint64_t>(iterations / 2, 4000);
    options.jobs = jobs;
    Silent progress;
    return run_litmus(machine, load_software("linux-5.17"), matrix_jobs(machine), options, progress);
}

/// The one shape whose allowed states need a read-modify-write that has its value before its write is visible: that of
/// the core reads and writes at one moment (docs/timing-model.md).
bool needs_split_rmw(const LitmusResult& result) {
    if (result.name == "llist-test-dependent") return true;
    const std::string& v = result.variant;
    const bool dsb_of_loads =
        v.starts_with("dsb") && v.substr(0, v.find_first_of(",+")).find("ld") != std::string::npos;
    return result.name == "llist-test-independent" && dsb_of_loads;
}

}  // namespace

TEST_CASE("Matrix 1. No forbidden cell is seen, and every allowed one whose line is far away is") {
    const bool long_test = std::getenv("GICSIM_LONG_TESTS") != nullptr;
    const LitmusReport report = run_matrix(long_test ? 1'000'000 : 100'000, 2);
    REQUIRE(report.results.size() == 5 * 54 * 3);
    std::size_t seen = 0;
    for (const LitmusResult& result : report.results) {
        INFO(result.name << " with " << result.variant << ": " << result.finding);
        CHECK(result.stuck + result.exhausted == 0);
        CHECK(result.finding != "VIOLATION");
        CHECK(result.finding != "no verdict");
        if (result.expected != "Allowed") continue;
        if (needs_split_rmw(result)) {
            CHECK(result.finding == "not seen");
            CHECK_FALSE(result.remark.empty());
        } else if (!result.variant.ends_with("sender")) {
            CHECK(result.finding == "ok");
            ++seen;
        }
    }
    CHECK(seen > 100);
}

TEST_CASE("Matrix 2. The number of workers changes no count") {
    const LitmusReport two = run_matrix(60, 2);
    const LitmusReport three = run_matrix(60, 3);
    CHECK(render_litmus_json(two) == render_litmus_json(three));
}
