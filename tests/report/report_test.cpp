#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gicsim/config/load.h"
#include "gicsim/report/output_folder.h"
#include "gicsim/report/render.h"
#include "gicsim/report/text_table.h"
#include "support/catch.h"

using namespace gicsim;
using Catch::Matchers::Contains;

namespace {

/// Reference A with two runs a case whose totals are those given, in ns.
ExperimentResult reference_a(std::int64_t first, std::int64_t second) {
    const ExperimentDescription experiment = load_experiment("kunpeng920-ipi");
    ExperimentResult result{experiment.name, experiment.description, {}, false};
    for (const CaseDescription& each : experiment.cases) {
        CaseResult done{each, {}};
        for (const std::int64_t total : {first, second}) {
            RunResult run;
            run.seed = each.seed + done.runs.size();
            run.total = Time::ns(total);
            run.calls = 96'000;
            run.ipis = 95'000;
            run.ok = 95'000;
            run.end_reason = "all rounds done";
            run.classes = {{"same cluster",
                            3'000,
                            Time::ns(1'800'000),
                            {{"store buffer", Time::ns(300'000)}, {"SGI route", Time::ns(1'500'000)}}},
                           {"same die",
                            20'000,
                            Time::ns(13'000'000),
                            {{"store buffer", Time::ns(2'000'000)}, {"SGI route", Time::ns(11'000'000)}}}};
            done.runs.push_back(run);
        }
        result.cases.push_back(done);
    }
    return result;
}

}  // namespace

TEST_CASE("statistics: sample deviation, and none for one value") {
    const Statistics four = Statistics::of({2, 4, 4, 6});
    CHECK(four.mean == 4);
    CHECK(four.least == 2);
    CHECK(four.greatest == 6);
    CHECK(four.deviation == Approx(1.63299316));
    CHECK(Statistics::of({3}).deviation == 0);
    CHECK(Statistics::of({}).count == 0);
    CHECK(four.scaled(0.5, -2).mean == 1);
}

TEST_CASE("the verdict is inside the measured range or missed by how much") {
    const ExperimentResult result = reference_a(121'900'000, 121'960'000);
    CHECK(verdict_of(result.cases[0]).inside);
    const Verdict missed = verdict_of(result.cases[2]);  // dsb st from cpu48: 141,537,482 to 147,833,787
    CHECK_FALSE(missed.inside);
    CHECK(missed.missed_ns == Approx(121'930'000 - 141'537'482));
    CHECK_FALSE(verdict_of(result.cases[4]).has_reference);
    CHECK(outcome_of(result) == Outcome::violation);
}

TEST_CASE("a call and an IPI: the call to oneself is taken off in both") {
    const ExperimentResult result = reference_a(121'934'741, 121'934'741);
    const CallShare call(result.cases[0].description);
    CHECK(call.calls == 96'000);
    CHECK(call.remote_calls == 95'000);
    CHECK(call.local_time_ns == Approx(25'000));
    CHECK(call.per_call(totals_of(result.cases[0])).mean == Approx(1270.2).margin(0.05));
    CHECK(call.per_remote(totals_of(result.cases[0])).mean == Approx(1283.3).margin(0.05));
}

TEST_CASE("the table sets measured beside simulated and says what was fitted") {
    const std::string text = render_table(reference_a(121'900'000, 121'960'000));
    CHECK_THAT(text, Contains("dsb st from cpu0 (fitted): inside the measured range"));
    CHECK_THAT(text, Contains("dsb ishst from cpu0 (predicted): inside the measured range"));
    CHECK_THAT(text, Contains("(predicted): missed the measured range by 19,607,482 ns a run (-13.38 %)"));
    CHECK_THAT(text, Contains("121,364,329") && Contains("122,592,556") && Contains("446,397"));
    CHECK_THAT(text, Contains("Message-Id 20220219234600.304774-1, 10 runs"));
}

TEST_CASE("segments are means by class and add up") {
    ExperimentResult result = reference_a(1, 1);
    std::string text = render_segments(result);
    CHECK_THAT(text, Contains("store buffer") && Contains("100.000") && Contains("600.000") && Contains("650.000"));
    CHECK_THAT(text, Contains("add up to its total to the femtosecond"));
    result.cases[0].runs[0].classes[0].segments[0].sum += Time::fs(1);
    CHECK_THAT(render_segments(result), Contains("ERROR: the segments do not add up"));
}

TEST_CASE("latency probes show their figures beside the measured ones, by distance, without --explain") {
    const ExperimentDescription experiment = load_experiment("kunpeng920-gicr");
    ExperimentResult result{experiment.name, experiment.description, {}, false};
    const std::int64_t simulated[] = {80, 100, 250};
    for (std::size_t i = 0; i < 3; ++i) {
        RunResult run;
        run.calls = experiment.cases[i].options.targets.size();
        run.total = Time::ns(simulated[i]) * static_cast<std::int64_t>(run.calls);
        run.classes = {{"same die", run.calls, run.total, {}}};
        result.cases.push_back({experiment.cases[i], {run}, false});
    }
    const std::string text = render_table(result);
    CHECK_THAT(text, Contains("fitted: +2.6 %") && Contains("fitted: inside") && Contains("235.0 to 263.0"));
    CHECK_THAT(text, Contains("measured: boot log in Message-ID"));
    CHECK(render_segments(result).empty());
    const auto json = nlohmann::json::parse(render_json(result));
    CHECK(json["cases"][2]["measured"]["per_call"]["max_ns"] == 263);
    CHECK(outcome_of(result) == Outcome::fine);
    // Two distances in a case: what was measured stands beside the mean of all.
    result.cases[0].runs[0].classes.push_back({"other socket", 20, Time::ns(1800), {}});
    CHECK_THAT(render_table(result), Contains("all") && Contains("85.0") && Contains("+9.0 %"));
    result.cases[0].description.measured_latency.reset();
    CHECK_THAT(render_table(result), !Contains("+9.0 %"));
}

TEST_CASE("a case without segments says so") {
    ExperimentResult result = reference_a(1, 1);
    CHECK(workloads_without_segments(result).empty());
    for (RunResult& run : result.cases[1].runs) run.classes.clear();
    CHECK(workloads_without_segments(result) == std::vector<std::string>{"ipi-call"});
    CHECK_THAT(render_segments(result), Contains("\ndsb ishst from cpu0: no segments were recorded"));
}

TEST_CASE("JSON has a schema, units, seeds, hash and configuration, and same result, same bytes") {
    const ExperimentResult result = reference_a(121'900'000, 121'960'000);
    const std::string text = render_json(result);
    CHECK(text == render_json(result));
    const auto json = nlohmann::json::parse(text);
    CHECK(json["schema"] == 1);
    const auto& first = json["cases"][0];
    CHECK(first["hash"] == result.cases[0].description.hash);
    CHECK(first["runs"][1]["seed"] == 2);
    CHECK(first["runs"][0]["total_fs"] == 121'900'000'000'000);
    CHECK(first["verdict"]["inside_measured_range"] == true);
    CHECK(first["measured"]["role"] == "fitted");
    CHECK(first["runs"][0]["classes"][1]["segments"][0]["sum_fs"] == 2'000'000'000'000);
    bool found = false;
    for (const auto& setting : first["configuration"]) {
        if (setting["path"] != "core.dsb") continue;
        found = true;
        CHECK(setting["canonical"] == "30000000 fs");
        CHECK(setting["status"] == "assumed");
    }
    CHECK(found);
    CHECK(text.find(GICSIM_SOURCE_DIR) == std::string::npos);  // no folder of this machine
}

TEST_CASE("CSV has one row a run, and quotes what needs it") {
    ExperimentResult result = reference_a(121'900'000, 121'960'000);
    result.cases[0].description.name = "a, \"b\"";
    const std::string text = render_csv(result);
    CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == 1 + 2 * result.cases.size());
    CHECK_THAT(text, Contains("kunpeng920-ipi,\"a, \"\"b\"\"\",fitted,"));
}

TEST_CASE("what the user interrupted is marked and not judged") {
    ExperimentResult result = reference_a(1'000, 1'000);  // would miss its measurement by far
    result.interrupted = true;
    for (std::size_t i = 1; i < result.cases.size(); ++i) {
        result.cases[i].interrupted = true;
        if (i > 1) result.cases[i].runs.clear();
    }
    CHECK(verdict_of(result.cases[0]).has_reference);
    CHECK_FALSE(verdict_of(result.cases[1]).has_reference);
    const std::string table = render_table(result);
    CHECK_THAT(table, Contains("2 of 10") && Contains("0 of 10") && Contains("interrupted") && Contains("not run"));
    CHECK_THAT(table,
               Contains("\ndsb st from cpu0 (fitted): missed") && !Contains("\ndsb ishst from cpu0 (predicted):"));
    const auto json = nlohmann::json::parse(render_json(result));
    CHECK(json["cases"][0]["interrupted"] == false);
    CHECK(json["cases"][1]["interrupted"] == true);
    CHECK(json["cases"][1].contains("measured"));
    CHECK_FALSE(json["cases"][1].contains("verdict"));
    CHECK(json["cases"][2]["runs"].empty());
    const std::string csv = render_csv(result);
    CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == 1 + 4 + result.cases.size() - 2);
    CHECK_THAT(csv, Contains(",all rounds done,false\n") && Contains(",all rounds done,true\n") &&
                        Contains(",,not run,true\n"));
    // Every row has as many fields as the header.
    std::istringstream rows(csv);
    for (std::string row; std::getline(rows, row);) {
        if (row.find('"') == std::string::npos) CHECK(std::count(row.begin(), row.end(), ',') == 16);
    }
}

TEST_CASE("numbers are grouped by thousands") {
    CHECK(grouped(121934741, 0) == "121,934,741");
    CHECK(grouped(-1234.5, 1) == "-1,234.5");
    CHECK(grouped(-123, 0) == "-123");
    CHECK(grouped(999, 2) == "999.00");
    CHECK(grouped(0, 0) == "0");
}

TEST_CASE("an output folder writes all or nothing") {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("gicsim-report-{}", getpid());
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "b");  // a folder is in the way of the second file
    CHECK_THROWS_AS(OutputFolder(folder).write({{"b", "x"}}), ConfigError);
    CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
    // A name that no file system takes, in place of a disk that is full: nothing is left of the new folders.
    CHECK_THROWS_AS(OutputFolder(folder / "new" / "deep").write({{"a", "x"}, {std::string(300, 'b'), "x"}}),
                    ConfigError);
    CHECK_FALSE(std::filesystem::exists(folder / "new"));
    CHECK_THROWS_AS(OutputFolder(folder).write({{std::string(300, 'b'), "x"}}), ConfigError);
    CHECK(std::filesystem::exists(folder));
    OutputFolder(folder).write({{"a", "x"}});
    CHECK(std::filesystem::file_size(folder / "a") == 1);
    std::filesystem::remove_all(folder);
}
