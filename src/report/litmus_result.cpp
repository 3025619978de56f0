#include "gicsim/report/litmus_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "csv.h"
#include "gicsim/config/version.h"
#include "gicsim/report/text_table.h"

namespace gicsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int litmus_schema = 1;

std::string search_text(const LitmusResult& result) {
    if (result.systematic == 0) return "-";
    if (result.complete) return fmt::format("{} points, complete", result.choice_points);
    return fmt::format("{} points, {:.2g} %", result.choice_points, 100 * result.share_explored);
}

}  // namespace

std::uint64_t LitmusReport::count(const std::string& finding) const {
    return static_cast<std::uint64_t>(std::count_if(
        results.begin(), results.end(), [&](const LitmusResult& result) { return result.finding == finding; }));
}

std::string render_litmus_table(const LitmusReport& report, bool states) {
    const bool variants = std::any_of(report.results.begin(), report.results.end(),
                                      [](const LitmusResult& result) { return !result.variant.empty(); });
    std::vector<std::string> header{"test"};
    if (variants) header.push_back("with");
    for (const char* column : {"expected", "finding", "search", "seen", "executions"}) header.emplace_back(column);
    TextTable table(header, variants ? 5 : 4);
    for (const LitmusResult& result : report.results) {
        std::vector<std::string> row{result.name};
        if (variants) row.push_back(result.variant);
        row.push_back(result.expected);
        row.push_back(result.finding);
        row.push_back(search_text(result));
        row.push_back(std::to_string(result.asked_for));
        row.push_back(result.interrupted ? fmt::format("{} of {}", result.executions, report.iterations)
                                         : std::to_string(result.executions));
        table.add(std::move(row));
    }
    std::string text = fmt::format("machine {}, seed {}\n\n", report.machine, report.seed) + table.to_string();
    for (const LitmusResult& result : report.results) {
        const bool shown = states || result.finding == "VIOLATION" || result.finding == "not seen";
        if (!shown && result.stuck + result.exhausted == 0 && result.remark.empty()) continue;
        text += fmt::format("\n{}{}{}: {}\n", result.name, result.variant.empty() ? "" : " with ", result.variant,
                            result.condition);
        if (!result.source.empty()) text += fmt::format("  expected {}: {}\n", result.expected, result.source);
        if (!result.remark.empty()) {
            const bool warning =
                result.finding == "ok" || result.finding == "VIOLATION" || result.finding == "no verdict";
            text += fmt::format("  {}: {}\n", warning ? "warning" : result.finding, result.remark);
        }
        if (shown) {
            for (const LitmusState& state : result.states) {
                text += fmt::format("  {:>10} {} {}\n", state.count, state.asked_for ? "*>" : ":>", state.text);
            }
        }
        if (result.stuck > 0)
            text += fmt::format("  {:>10} executions in which a thread waits for ever\n", result.stuck);
        if (result.exhausted > 0) {
            text += fmt::format("  {:>10} executions in which a thread goes round in circles\n", result.exhausted);
        }
        if (result.untargeted > 0) {
            text += fmt::format("  {:>10} executions in which an SGI reaches no CPU of the test\n", result.untargeted);
        }
    }
    text += fmt::format("\n{} tests: {} ok, {} violations, {} not seen, {} without verdict", report.results.size(),
                        report.count("ok"), report.count("VIOLATION"), report.count("not seen"),
                        report.count("no verdict"));
    for (const auto& [finding, words] :
         {std::pair{"unfinished", "unfinished"}, std::pair{"no target", "without target"},
          std::pair{"partial", "broken off"}}) {
        if (report.count(finding) > 0) text += fmt::format(", {} {}", report.count(finding), words);
    }
    if (report.not_run > 0) text += fmt::format("; {} more were not run", report.not_run);
    return text + ".\n";
}

std::string render_litmus_json(const LitmusReport& report) {
    Json results = Json::array();
    for (const LitmusResult& result : report.results) {
        Json states = Json::array();
        for (const LitmusState& state : result.states) {
            Json json = {{"state", state.text}, {"count", state.count}, {"asked_for", state.asked_for}};
            if (!state.timeline.empty()) json["timeline"] = state.timeline;
            states.push_back(std::move(json));
        }
        results.push_back({{"name", result.name},
                           {"variant", result.variant},
                           {"file", result.file},
                           {"condition", result.condition},
                           {"expected", result.expected},
                           {"source", result.source},
                           {"finding", result.finding},
                           {"remark", result.remark},
                           {"executions", result.executions},
                           {"asked_for", result.asked_for},
                           {"stuck", result.stuck},
                           {"exhausted", result.exhausted},
                           {"untargeted", result.untargeted},
                           {"systematic",
                            {{"executions", result.systematic},
                             {"choice_points", result.choice_points},
                             {"share_explored", result.share_explored},
                             {"complete", result.complete}}},
                           {"interrupted", result.interrupted},
                           {"states", std::move(states)}});
    }
    const Json json = {{"schema", litmus_schema},           {"kind", "litmus"},           {"gicsim", version()},
                       {"machine", report.machine},         {"seed", report.seed},        {"not_run", report.not_run},
                       {"interrupted", report.interrupted}, {"tests", std::move(results)}};
    return json.dump(2) + "\n";
}

std::string render_litmus_csv(const LitmusReport& report) {
    std::string text = "test,variant,expected,finding,state,asked_for,count,executions,interrupted\n";
    for (const LitmusResult& result : report.results) {
        const auto row = [&](const std::string& state, bool asked_for, std::uint64_t count) {
            text += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_quoted(result.name), csv_quoted(result.variant),
                                result.expected, csv_quoted(result.finding), csv_quoted(state), asked_for, count,
                                result.executions, result.interrupted);
        };
        for (const LitmusState& state : result.states) row(state.text, state.asked_for, state.count);
        if (result.states.empty()) row("", false, 0);
    }
    return text;
}

}  // namespace gicsim
