#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gicsim/report/render.h"
#include "gicsim/report/text_table.h"
#include "render_classes.h"

namespace gicsim {

namespace {

std::string share(std::uint64_t part, std::uint64_t whole) {
    if (part == 0 || whole == 0) return fmt::format("{}", part);
    return fmt::format("{} ({:.3g} %)", part, 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

bool hung(const CaseResult& each) {
    for (const RunResult& run : each.runs) {
        if (run.hung) return true;
    }
    return false;
}

std::string verdict_words(const CaseResult& each) {
    if (hung(each)) return "hung";
    const Verdict verdict = verdict_of(each);
    if (!verdict.has_reference) return "";
    if (verdict.inside) return "inside the measured range";
    const double measured = Statistics::of(each.description.reference_ns).mean;
    return fmt::format("missed the measured range by {} ns a run ({:+.2f} %)", grouped(std::abs(verdict.missed_ns), 0),
                       100 * verdict.missed_ns / measured);
}

std::string summary(const ExperimentResult& result) {
    TextTable table(
        {"case", "runs", "total ns", "std ns", "ns a call", "ns an IPI", "stale", "lost", "against measured"});
    for (const CaseResult& each : result.cases) {
        // Whole in number, or "3 of 10".
        const std::string runs = each.interrupted ? fmt::format("{} of {}", each.runs.size(), each.description.runs)
                                                  : fmt::format("{}", each.runs.size());
        if (each.runs.empty()) {
            table.add({each.description.name, runs, "-", "-", "-", "-", "-", "-", "not run"});
            continue;
        }
        const Statistics total = totals_of(each);
        const CallShare call(each.description);
        std::uint64_t ipis = 0;
        std::uint64_t stale = 0;
        std::uint64_t lost = 0;
        for (const RunResult& run : each.runs) {
            ipis += run.ipis;
            stale += run.stale;
            lost += run.lost;
        }
        if (hung(each)) {
            // The time until nothing moved any more is no result.
            table.add({each.description.name, runs, "-", "-", "-", "-", share(stale, ipis), share(lost, ipis), "hung"});
            continue;
        }
        const Verdict verdict = verdict_of(each);
        std::string words = each.interrupted ? "interrupted" : "-";
        if (verdict.has_reference) {
            words = fmt::format("{}: {}", each.description.role, verdict.inside ? "inside" : "missed");
        } else if (each.description.measured_latency && !each.interrupted) {
            words = fmt::format("{}: {}", each.description.role,
                                against_latency(call.per_call(total).mean, *each.description.measured_latency));
        }
        table.add({each.description.name, runs, grouped(total.mean, 0), grouped(total.deviation, 0),
                   grouped(call.per_call(total).mean, 1),
                   call.remote_calls > 0 && ipis > 0 ? grouped(call.per_remote(total).mean, 1) : "-",
                   share(stale, ipis), share(lost, ipis), words});
    }
    return table.to_string();
}

void add_row(TextTable& table, const std::string& name, const Statistics& values, int digits) {
    table.add({name, grouped(values.mean, digits), grouped(values.least, digits), grouped(values.greatest, digits),
               grouped(values.deviation, digits)});
}

std::string against_measurement(const CaseResult& each) {
    const CaseDescription& description = each.description;
    const Statistics simulated = totals_of(each);
    const Statistics measured = Statistics::of(description.reference_ns);
    const CallShare call(description);
    TextTable table({"ns", "mean", "min", "max", "std"});
    add_row(table, "total, simulated", simulated, 0);
    add_row(table, "total, measured", measured, 0);
    add_row(table, "a call, simulated", call.per_call(simulated), 1);
    add_row(table, "a call, measured", call.per_call(measured), 1);
    if (call.remote_calls > 0) {
        add_row(table, "an IPI, simulated", call.per_remote(simulated), 1);
        add_row(table, "an IPI, measured", call.per_remote(measured), 1);
    }
    return fmt::format("\n{} ({}): {}\n  measured: {}, {} runs\n{}", description.name, description.role,
                       verdict_words(each), description.reference_name, measured.count, table.to_string("  "));
}

std::string troubles(const CaseResult& each) {
    std::string text;
    for (std::size_t k = 0; k < each.runs.size(); ++k) {
        const RunResult& run = each.runs[k];
        if (run.hung) {
            text +=
                fmt::format("\n{}, run {} (seed {}) hung: {}\n", each.description.name, k, run.seed, run.end_reason);
            for (const std::string& line : run.waiting) text += fmt::format("  {}\n", line);
        }
        for (const std::string& line : run.warnings) {
            text += fmt::format("\n{}, run {}: warning: {}\n", each.description.name, k, line);
        }
    }
    return text;
}

}  // namespace

std::string render_table(const ExperimentResult& result) {
    std::string text = fmt::format("{}: {}\n", result.name, result.description);
    if (result.interrupted)
        text += "INTERRUPTED: only the runs that were completed; a case that lacks some is not judged\n";
    text += '\n';
    text += summary(result);
    text += render_latencies(result);
    for (const CaseResult& each : result.cases) {
        if (!each.description.reference_ns.empty() && !each.runs.empty() && !each.interrupted)
            text += against_measurement(each);
    }
    for (const CaseResult& each : result.cases) text += troubles(each);
    return text;
}

}  // namespace gicsim
