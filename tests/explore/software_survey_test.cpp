// Whether the IPI sequences of software are safe, found by running them.
#include "gicsim/explore/software_survey.h"

#include <nlohmann/json.hpp>

#include "gicsim/config/load.h"
#include "support/catch.h"

using namespace gicsim;
using Catch::Matchers::Contains;

namespace {

class Quiet : public Progress {
public:
    void advance(std::uint64_t, std::uint64_t) override {}
    [[nodiscard]] bool stop_requested() const override { return false; }
};

SoftwareReport survey(const std::vector<std::string>& names, bool witnesses = false) {
    std::vector<IpiSequence> sequences;
    sequences.reserve(names.size());
    for (const std::string& name : names) sequences.push_back(load_ipi_sequence(name));
    const SoftwareDescription software = load_software("linux-5.17");
    BarrierCost cost{load_machine("small-8"), software};
    cost.rounds = 20;
    LitmusOptions options;
    options.campaign.iterations = 1000;
    options.campaign.systematic = 300;
    options.witnesses = witnesses;
    Quiet quiet;
    return survey_software(load_machine("litmus-8"), software, sequences, cost, options, quiet);
}

}  // namespace

TEST_CASE("a sequence is tested for both questions with the line in three places") {
    const MachineDescription machine = load_machine("litmus-8");
    const auto tests = sequence_tests(load_ipi_sequence("linux-5.18"), machine);
    REQUIRE(tests.size() == 6);
    std::vector<unsigned> owners;
    for (const SequenceTest& each : tests) {
        CHECK(each.test.expected.verdict == litmus::Verdict::forbidden);
        owners.push_back(*each.test.locations[0].owner);
    }
    CHECK(owners == std::vector<unsigned>{0, 5, 2, 0, 5, 2});
    CHECK(tests[0].test.threads[0].program.instructions.size() == 4);  // str, dsb, msr, isb
    CHECK(tests[0].test.name == "linux-5.18+stale-payload+sender");
    CHECK(sequence_tests(load_ipi_sequence("linux-gicv2"), machine).empty());
    CHECK(sequence_tests(load_ipi_sequence("xvisor"), machine)[0].test.expected.verdict == litmus::Verdict::allowed);
}

TEST_CASE("a DSB makes a sequence safe, a DMB or nothing does not, and only the DSB has its price") {
    const SoftwareReport report = survey({"linux-5.18", "linux-4.15", "op-tee", "linux-gicv2", "windows"}, true);
    REQUIRE(report.rows.size() == 5);
    CHECK_FALSE(report.violated());
    CHECK(report.rows[0].verdict == "safe");
    CHECK_FALSE(report.rows[0].derived);
    CHECK(report.rows[0].stale.executions == 3000);
    CHECK(report.rows[0].stale.seen + report.rows[0].lost.seen == 0);
    CHECK(report.rows[0].cost_ns.value() > 0);
    CHECK(report.rows[1].verdict == "stale payload, lost wake-up possible");
    CHECK(report.rows[1].cost_ns.value() < report.rows[0].cost_ns.value());
    CHECK_THAT(report.rows[1].witness, Contains("ICC_SGI1R_EL1", Catch::CaseSensitive::No));
    CHECK(report.rows[2].stale.seen > 0);
    CHECK_FALSE(report.rows[2].cost_ns);
    CHECK(report.rows[3].verdict == "safe");
    CHECK(report.rows[3].derived);
    CHECK(report.rows[3].stale.executions == 0);
    CHECK(report.rows[4].verdict == "not known");

    const std::string table = render_software_table(report);
    CHECK_THAT(table, Contains("dsb ishst, sgi, isb") && Contains("safe (derived)") && Contains("use --witness"));
    const auto json = nlohmann::json::parse(render_software_json(report));
    CHECK(json["kind"] == "litmus-software");
    CHECK(json["software"][3]["basis"] == "derived");
    CHECK(json["software"][2]["barrier_cost_ns"].is_null());
    const std::string csv = render_software_csv(report);
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 6);
}

TEST_CASE("a sequence whose tests were broken off is not safe") {
    class Stopping : public Progress {
    public:
        void advance(std::uint64_t done, std::uint64_t) override { done_ = done; }
        [[nodiscard]] bool stop_requested() const override { return done_ >= 2 && ++asked_ > 1; }

    private:
        std::uint64_t done_ = 0;
        mutable unsigned asked_ = 0;
    };
    const SoftwareDescription software = load_software("linux-5.17");
    BarrierCost cost{load_machine("small-8"), software};
    cost.rounds = 20;
    LitmusOptions options;
    options.campaign.iterations = 200'000;
    options.campaign.systematic = 0;
    Stopping stopping;
    const SoftwareReport report =
        survey_software(load_machine("litmus-8"), software, {load_ipi_sequence("linux-5.18")}, cost, options, stopping);
    CHECK(report.interrupted);
    REQUIRE(report.rows.size() == 1);
    CHECK(report.rows[0].verdict == "incomplete");
    CHECK(report.rows[0].tests_finished >= 2);
    CHECK(report.rows[0].tests_finished < report.rows[0].tests);
    CHECK(report.rows[0].stale.executions >= 400'000);
    CHECK_THAT(report.rows[0].remark, Contains("of its 6 tests"));
}
