#include "render_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gicsim/config/options.h"
#include "gicsim/report/render.h"
#include "gicsim/report/text_table.h"

namespace gicsim {

namespace {

constexpr std::string_view no_segments =
    "no segments were recorded: only calls to one CPU that are waited for are divided into segments";

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

bool has_segments(const CaseResult& each) {
    const std::vector<ClassSegments> classes = classes_of(each);
    return std::any_of(classes.begin(), classes.end(),
                       [](const ClassSegments& part) { return !part.segments.empty(); });
}

double mean_ns(Time sum, std::uint64_t count) {
    return count == 0 ? 0 : sum.in_ns() / static_cast<double>(count);
}

std::string range(const MeasuredLatency& measured) {
    if (measured.least == measured.greatest) return grouped(measured.least.in_ns(), 1);
    return fmt::format("{} to {}", grouped(measured.least.in_ns(), 1), grouped(measured.greatest.in_ns(), 1));
}

/// A row a distance, or one for all calls of a case whose calls have one distance; the measurement is of all of them.
void add_latencies(TextTable& table, const CaseResult& each) {
    const CaseDescription& description = each.description;
    const std::vector<ClassSegments> classes = classes_of(each);
    const auto add = [&](const std::string& distance, double mean, std::uint64_t count, bool against) {
        const bool measured = against && description.measured_latency;
        table.add({description.name, distance, fmt::format("{}", count), grouped(mean, 1),
                   measured ? range(*description.measured_latency) : "-",
                   measured ? against_latency(mean, *description.measured_latency) : "-",
                   measured ? description.role : "-"});
    };
    Time total;
    std::uint64_t count = 0;
    for (const ClassSegments& part : classes) {
        total += part.total;
        count += part.count;
        add(part.name, mean_ns(part.total, part.count), part.count, classes.size() == 1);
    }
    if (classes.size() > 1) add("all", mean_ns(total, count), count, true);
}

}  // namespace

std::string against_latency(double simulated_ns, const MeasuredLatency& measured) {
    const double least = measured.least.in_ns();
    const double greatest = measured.greatest.in_ns();
    if (least != greatest && simulated_ns >= least && simulated_ns <= greatest) return "inside";
    const double nearest = simulated_ns > greatest ? greatest : least;
    return fmt::format("{:+.1f} %", 100 * (simulated_ns - nearest) / nearest);
}

std::string render_latencies(const ExperimentResult& result) {
    TextTable table({"latency, ns", "distance", "calls", "simulated", "measured", "difference", "role"}, 2);
    std::set<std::string> sources;
    bool any = false;
    for (const CaseResult& each : result.cases) {
        if (!measures_latency(each.description.options.workload) || each.runs.empty()) continue;
        any = true;
        add_latencies(table, each);
        if (each.description.measured_latency) sources.insert(each.description.reference_name);
    }
    if (!any) return {};
    std::string text = fmt::format("\n{}", table.to_string());
    for (const std::string& source : sources) text += fmt::format("measured: {}\n", source);
    return text;
}

std::vector<std::string> workloads_without_segments(const ExperimentResult& result) {
    std::set<std::string> names;
    for (const CaseResult& each : result.cases) {
        const std::string& workload = each.description.options.workload;
        if (!each.runs.empty() && !measures_latency(workload) && !has_segments(each)) names.insert(workload);
    }
    return {names.begin(), names.end()};
}

std::string render_segments(const ExperimentResult& result) {
    std::string text;
    for (const CaseResult& each : result.cases) {
        if (each.runs.empty() || measures_latency(each.description.options.workload)) continue;
        const std::vector<ClassSegments> classes = classes_of(each);
        if (!has_segments(each)) {
            text += fmt::format("\n{}: {}\n", each.description.name, no_segments);
            if (classes.empty()) continue;
        }
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
        std::string whole;  // classes that nobody divides: the call to oneself
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
    return text;
}

}  // namespace gicsim
