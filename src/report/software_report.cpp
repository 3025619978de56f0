#include "gicsim/report/software_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "csv.h"
#include "gicsim/config/version.h"
#include "gicsim/report/text_table.h"

namespace gicsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int software_schema = 1;

std::string percent(const SoftwareCount& count) {
    if (count.executions == 0) return "-";
    if (count.seen == 0) return "0";
    return fmt::format("{:.2g} %", 100 * count.share());
}

std::string cost_text(const SoftwareRow& row) {
    return row.cost_ns ? fmt::format("{:.1f}", *row.cost_ns) : "-";
}

std::string witness_text(const SoftwareRow& row) {
    if (row.stale.seen + row.lost.seen == 0) return "-";
    return row.witness_file.empty() ? "use --witness" : row.witness_file;
}

const char* basis(const SoftwareRow& row) {
    if (row.derived) return "derived";
    return row.stale.executions + row.lost.executions > 0 ? "observed" : "none";
}

Json to_json(const SoftwareCount& count) {
    return {{"executions", count.executions}, {"seen", count.seen}};
}

}  // namespace

bool SoftwareReport::violated() const {
    return std::any_of(rows.begin(), rows.end(), [](const SoftwareRow& row) { return row.violation; });
}

std::string render_software_table(const SoftwareReport& report) {
    TextTable table(
        {"software", "version", "sequence", "verdict", "witness", "executions", "stale", "lost", "barrier (ns)"}, 5);
    for (const SoftwareRow& row : report.rows) {
        const std::uint64_t executions = row.stale.executions + row.lost.executions;
        table.add({row.name, row.version, row.sequence, row.verdict + (row.derived ? " (derived)" : ""),
                   witness_text(row), executions == 0 ? "not run" : std::to_string(executions), percent(row.stale),
                   percent(row.lost), cost_text(row)});
    }
    std::string text = fmt::format("machine {}, seed {}; barrier: {} on {}\n\n", report.machine, report.seed,
                                   report.cost_setup, report.cost_machine) +
                       table.to_string();
    bool first = true;
    for (const SoftwareRow& row : report.rows) {
        if (row.remark.empty()) continue;
        if (std::exchange(first, false)) text += "\n";
        text += fmt::format("{}: {}\n", row.name, row.remark);
    }
    if (report.not_run > 0) text += fmt::format("\n{} tests were not run.\n", report.not_run);
    return text;
}

std::string render_software_json(const SoftwareReport& report) {
    Json rows = Json::array();
    for (const SoftwareRow& row : report.rows) {
        Json json = {{"name", row.name},
                     {"version", row.version},
                     {"path", row.path},
                     {"source", row.source},
                     {"sequence", row.sequence},
                     {"verdict", row.verdict},
                     {"basis", basis(row)},
                     {"remark", row.remark},
                     {"violation", row.violation},
                     {"stale_payload", to_json(row.stale)},
                     {"lost_wake_up", to_json(row.lost)},
                     {"barrier_cost_ns", row.cost_ns ? Json(*row.cost_ns) : Json(nullptr)}};
        if (!row.witness_file.empty()) json["witness"] = row.witness_file;
        rows.push_back(std::move(json));
    }
    const Json json = {
        {"schema", software_schema},  {"kind", "litmus-software"},
        {"gicsim", version()},        {"machine", report.machine},
        {"seed", report.seed},        {"cost", {{"machine", report.cost_machine}, {"setup", report.cost_setup}}},
        {"not_run", report.not_run},  {"interrupted", report.interrupted},
        {"software", std::move(rows)}};
    return json.dump(2) + "\n";
}

std::string render_software_csv(const SoftwareReport& report) {
    std::string text =
        "software,version,sequence,verdict,basis,stale_executions,stale_seen,lost_executions,lost_seen,"
        "barrier_cost_ns,witness\n";
    for (const SoftwareRow& row : report.rows) {
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", csv_quoted(row.name), csv_quoted(row.version),
                            csv_quoted(row.sequence), csv_quoted(row.verdict), basis(row), row.stale.executions,
                            row.stale.seen, row.lost.executions, row.lost.seen,
                            row.cost_ns ? fmt::format("{:.3f}", *row.cost_ns) : "", csv_quoted(row.witness_file));
    }
    return text;
}

}  // namespace gicsim
