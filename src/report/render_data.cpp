#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "csv.h"
#include "gicsim/config/version.h"
#include "gicsim/report/render.h"

namespace gicsim {

namespace {

using Json = nlohmann::ordered_json;

constexpr int json_schema = 1;

Json statistics(const Statistics& values) {
    return {{"mean_ns", values.mean},
            {"min_ns", values.least},
            {"max_ns", values.greatest},
            {"sample_std_ns", values.deviation}};
}

Json run_json(const RunResult& run) {
    Json json = {{"seed", run.seed},
                 {"total_fs", run.total.in_fs()},
                 {"calls", run.calls},
                 {"ipis", run.ipis},
                 {"ok", run.ok},
                 {"stale", run.stale},
                 {"lost", run.lost},
                 {"hung", run.hung},
                 {"end_reason", run.end_reason},
                 {"events", run.events}};
    if (run.hung) json["waiting"] = run.waiting;
    if (!run.warnings.empty()) json["warnings"] = run.warnings;
    Json counters = Json::object();
    for (const NamedCount& counter : run.counters) counters[counter.name] = counter.count;
    json["counters"] = std::move(counters);
    Json classes = Json::array();
    for (const ClassSegments& part : run.classes) {
        Json segments = Json::array();
        for (const SegmentSum& segment : part.segments) {
            segments.push_back({{"name", segment.name}, {"sum_fs", segment.sum.in_fs()}});
        }
        classes.push_back({{"name", part.name},
                           {"calls", part.count},
                           {"total_fs", part.total.in_fs()},
                           {"segments", std::move(segments)}});
    }
    json["classes"] = std::move(classes);
    return json;
}

Json case_json(const CaseResult& each) {
    const CaseDescription& description = each.description;
    Json json = {{"name", description.name}, {"hash", description.hash}, {"interrupted", each.interrupted}};
    // Hung runs have no total and do not count here.
    if (const Statistics total = totals_of(each); total.count > 0) {
        const CallShare call(description);
        json["simulated"] = {
            {"runs", total.count}, {"total", statistics(total)}, {"per_call", statistics(call.per_call(total))}};
        if (call.remote_calls > 0) json["simulated"]["per_remote_ipi"] = statistics(call.per_remote(total));
    }
    if (!description.reference_ns.empty()) {
        const Verdict verdict = verdict_of(each);
        json["measured"] = {{"source", description.reference_name},
                            {"role", description.role},
                            {"totals_ns", description.reference_ns},
                            {"total", statistics(Statistics::of(description.reference_ns))}};
        if (verdict.has_reference) {
            json["verdict"] = {{"inside_measured_range", verdict.inside}, {"missed_ns", verdict.missed_ns}};
        }
    }
    if (const auto& latency = description.measured_latency) {
        json["measured"] = {{"source", description.reference_name},
                            {"role", description.role},
                            {"per_call", {{"min_ns", latency->least.in_ns()}, {"max_ns", latency->greatest.in_ns()}}}};
    }
    Json runs = Json::array();
    for (const RunResult& run : each.runs) runs.push_back(run_json(run));
    json["runs"] = std::move(runs);
    // Without origins: they name the user's folders, and the same experiment has to give the same bytes anywhere.
    Json configuration = Json::array();
    for (const Setting& setting : description.settings) {
        Json entry = {{"path", setting.path}, {"value", setting.value}, {"canonical", setting.canonical}};
        if (!setting.status.empty()) {
            entry["status"] = setting.status;
            if (setting.status != "override") entry["source"] = setting.source;
        }
        configuration.push_back(std::move(entry));
    }
    json["configuration"] = std::move(configuration);
    return json;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    return csv_quoted(text);
}

}  // namespace

std::string render_json(const ExperimentResult& result) {
    Json cases = Json::array();
    for (const CaseResult& each : result.cases) cases.push_back(case_json(each));
    const Json json = {{"schema", json_schema},
                       {"program", fmt::format("gicsim {}", version())},
                       {"experiment", result.name},
                       {"description", result.description},
                       {"interrupted", result.interrupted},
                       {"cases", std::move(cases)}};
    return json.dump(2) + "\n";
}

std::string render_csv(const ExperimentResult& result) {
    std::string text =
        "experiment,case,role,hash,run,seed,total_fs,ns_per_call,calls,ipis,ok,stale,lost,hung,events,end_reason,"
        "interrupted\n";
    for (const CaseResult& each : result.cases) {
        const CallShare call(each.description);
        if (each.interrupted && each.runs.empty()) {
            text += fmt::format("{},{},{},{},,,,,,,,,,,,not run,true\n", csv_field(result.name),
                                csv_field(each.description.name), each.description.role, each.description.hash);
        }
        for (std::size_t k = 0; k < each.runs.size(); ++k) {
            const RunResult& run = each.runs[k];
            text +=
                fmt::format("{},{},{},{},{},{},{},{:.6f},{},{},{},{},{},{},{},{},{}\n", csv_field(result.name),
                            csv_field(each.description.name), each.description.role, each.description.hash, k, run.seed,
                            run.total.in_fs(), run.total.in_ns() / call.calls, run.calls, run.ipis, run.ok, run.stale,
                            run.lost, run.hung, run.events, csv_field(run.end_reason), each.interrupted);
        }
    }
    return text;
}

}  // namespace gicsim
