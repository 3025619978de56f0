#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gicsim/report/render.h"
#include "gicsim/report/text_table.h"

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
        if (each.runs.empty()) {
            table.add({each.description.name, "0", "-", "-", "-", "-", "-", "-", "not run"});
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
            table.add({each.description.name, fmt::format("{}", each.runs.size()), "-", "-", "-", "-",
                       share(stale, ipis), share(lost, ipis), "hung"});
            continue;
        }
        const Verdict verdict = verdict_of(each);
        std::string words = "-";
        if (verdict.has_reference) {
            words = fmt::format("{}: {}", each.description.role, verdict.inside ? "inside" : "missed");
        }
        table.add({each.description.name, fmt::format("{}", each.runs.size()), grouped(total.mean, 0),
                   grouped(total.deviation, 0), grouped(call.per_call(total).mean, 1),
                   call.remote_calls > 0 ? grouped(call.per_remote(total).mean, 1) : "-", share(stale, ipis),
                   share(lost, ipis), words});
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

/// Sums over the runs, class by class and segment by segment; every run has the same ones.
std::vector<ClassSegments> classes_of(const CaseResult& each) {
    std::vector<ClassSegments> sums;
    for (const RunResult& run : each.runs) {
        for (const ClassSegments& part : run.classes) {
            auto found = sums.begin();
            while (found != sums.end() && found->name != part.name) ++found;
            if (found == sums.end()) {
                sums.push_back(part);
                continue;
            }
            found->count += part.count;
            found->total += part.total;
            for (const SegmentSum& segment : part.segments) {
                auto at = found->segments.begin();
                while (at != found->segments.end() && at->name != segment.name) ++at;
                if (at == found->segments.end()) {
                    found->segments.push_back(segment);
                } else {
                    at->sum += segment.sum;
                }
            }
        }
    }
    return sums;
}

double mean_ns(Time sum, std::uint64_t count) {
    return count == 0 ? 0 : sum.in_ns() / static_cast<double>(count);
}

}  // namespace

std::string render_table(const ExperimentResult& result) {
    std::string text = fmt::format("{}: {}\n", result.name, result.description);
    if (result.interrupted) text += "INTERRUPTED: only the runs that were completed\n";
    text += '\n';
    text += summary(result);
    for (const CaseResult& each : result.cases) {
        if (!each.description.reference_ns.empty() && !each.runs.empty()) text += against_measurement(each);
    }
    for (const CaseResult& each : result.cases) text += troubles(each);
    return text;
}

std::string render_segments(const ExperimentResult& result) {
    std::string text;
    for (const CaseResult& each : result.cases) {
        const std::vector<ClassSegments> classes = classes_of(each);
        if (classes.empty()) continue;
        std::vector<std::string> header = {"mean ns of a call"};
        std::vector<std::string> counts = {"calls"};
        std::vector<std::string> names;
        for (const ClassSegments& part : classes) {
            header.push_back(part.name);
            counts.push_back(fmt::format("{}", part.count));
            for (const SegmentSum& segment : part.segments) {
                if (std::find(names.begin(), names.end(), segment.name) == names.end()) names.push_back(segment.name);
            }
        }
        TextTable table(std::move(header));
        for (const std::string& name : names) {
            std::vector<std::string> row = {name};
            for (const ClassSegments& part : classes) {
                const auto found = std::find_if(part.segments.begin(), part.segments.end(),
                                                [&name](const SegmentSum& segment) { return segment.name == name; });
                row.push_back(found == part.segments.end() ? "-" : grouped(mean_ns(found->sum, part.count), 3));
            }
            table.add(std::move(row));
        }
        table.add_rule();
        std::vector<std::string> totals = {"total"};
        bool adds_up = true;
        std::string whole;  // classes that nobody divides, such as those of a latency probe
        for (const ClassSegments& part : classes) {
            totals.push_back(grouped(mean_ns(part.total, part.count), 3));
            adds_up = adds_up && part.adds_up();
            if (part.segments.empty()) whole += fmt::format("{}{}", whole.empty() ? "" : ", ", part.name);
        }
        table.add(std::move(totals));
        table.add(std::move(counts));
        text += fmt::format("\n{}: segments of a call by distance\n{}", each.description.name, table.to_string("  "));
        if (!whole.empty()) text += fmt::format("  Not divided into segments: {}.\n", whole);
        if (!names.empty()) {
            text += adds_up ? "  The segments of each class add up to its total to the femtosecond.\n"
                            : "  ERROR: the segments do not add up to the total.\n";
        }
    }
    if (text.empty()) text = "\nno segments were recorded\n";
    return text;
}

}  // namespace gicsim
