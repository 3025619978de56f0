#include <fmt/format.h>

#include <optional>
#include <ostream>

#include "command.h"
#include "gicsim/report/output_folder.h"
#include "gicsim/report/render.h"
#include "progress_bar.h"

namespace gicsim {

namespace po = boost::program_options;

namespace {

/// An option of `run` that sets one value of every case.
struct Shortcut {
    const char* option;
    const char* path;
    const char* value_name;
    const char* meaning;
};

constexpr Shortcut shortcuts[] = {
    {"barrier", "options.barrier", "NAME", "barrier of the sender: see gicsim list barriers"},
    {"placement", "options.placement", "WHERE", "where it stands: see gicsim list placements"},
    {"sender", "options.sender", "CPU", "the CPU that sends"},
    {"targets", "options.targets", "CPUS", "the CPUs it sends to: 0-3,7 or all"},
    {"payload-lines", "options.payload_lines", "N", "lines written just before each call"},
    {"rounds", "run.rounds", "N", "passes over all targets in one run"},
    {"runs", "run.runs", "N", "runs of each case"},
    {"seed", "run.seed", "N", "seed of run 0; run k has this plus k"},
};

std::vector<Override> overrides_of(const CommandLine& line) {
    std::vector<Override> overrides;
    for (const Shortcut& shortcut : shortcuts) {
        if (!line.has(shortcut.option)) continue;
        overrides.push_back({shortcut.path, line.text(shortcut.option), fmt::format("--{}", shortcut.option)});
    }
    if (line.has("isb")) {
        const std::string where = line.one_of("isb", {"none", "before", "after", "both"});
        overrides.push_back({"options.isb_before", where == "before" || where == "both" ? "true" : "false", "--isb"});
        overrides.push_back({"options.isb_after", where == "after" || where == "both" ? "true" : "false", "--isb"});
    }
    for (Override& change : set_overrides(line)) overrides.push_back(std::move(change));
    return overrides;
}

ExitCode exit_code(Outcome outcome, std::ostream& err) {
    switch (outcome) {
        case Outcome::fine: return ExitCode::ok;
        case Outcome::violation:
            err << "gicsim: a violation was found or a measurement was missed: see the report\n";
            return ExitCode::violation;
        case Outcome::hung: err << "gicsim: a run hung: see the report for who waits for what\n"; return ExitCode::hung;
        case Outcome::interrupted:
            err << "gicsim: interrupted; what had been finished is in the report\n";
            return ExitCode::interrupted;
    }
    return ExitCode::internal;
}

}  // namespace

ExitCode command_run(const std::vector<std::string>& arguments, const Terminal& terminal, const Runner& runner) {
    CommandLine line("run EXPERIMENT [options]",
                     "Runs an experiment, by name or by path, and holds it against its measurement. A case that the\n"
                     "options change loses its measurement, and cases that become equal are run once.",
                     "gicsim run kunpeng920-ipi --barrier \"dsb sy\" --sender 48 --runs 2 --explain");
    for (const Shortcut& shortcut : shortcuts) {
        line.add()(shortcut.option, po::value<std::string>()->value_name(shortcut.value_name), shortcut.meaning);
    }
    line.add()("isb", po::value<std::string>()->value_name("WHERE"),
               "ISB around the SGI writes: none, before, after, both");
    add_set_option(line);
    line.add()("format", po::value<std::string>()->default_value("table")->value_name("FORMAT"),
               "what stdout gets: table, json or csv")("out", po::value<std::string>()->value_name("DIR"),
                                                       "write result.json, runs.csv and report.txt there as well")(
        "explain", "show the mean time of every segment of a call for each distance")(
        "strict", "make architecturally UNPREDICTABLE behaviour of a program an error");
    std::vector<std::string> positional;
    if (!line.parse(arguments, terminal.out, positional)) return ExitCode::ok;
    if (positional.size() != 1) {
        throw UsageError(positional.empty() ? fmt::format("run: name an experiment (known: {})",
                                                          fmt::join(known_configs(ConfigKind::experiment), ", "))
                                            : fmt::format("run: '{}' is one argument too many", positional[1]));
    }
    const std::string format = line.one_of("format", {"table", "json", "csv"});
    const RunnerOptions options{line.has("strict"), line.has("explain")};
    if (options.explain && format == "csv") throw UsageError("--explain: a csv has one row a run and no segments");

    const ExperimentDescription experiment = load_experiment(positional[0], overrides_of(line));
    std::optional<OutputFolder> folder;
    if (line.has("out")) folder.emplace(line.text("out"));

    ProgressBar progress(terminal.err, terminal.err_is_terminal);
    const ExperimentResult result = runner(experiment, options, progress);
    progress.clear();

    std::string report = render_table(result);
    if (options.explain) {
        report += render_segments(result);
        for (const std::string& workload : workloads_without_segments(result)) {
            terminal.err << fmt::format("gicsim: --explain: some calls of workload {} have no segments to show\n",
                                        workload);
        }
    }
    if (folder) {
        folder->write({{"result.json", render_json(result)}, {"runs.csv", render_csv(result)}, {"report.txt", report}});
    }
    if (format == "table") terminal.out << report;
    if (format == "json") terminal.out << render_json(result);
    if (format == "csv") terminal.out << render_csv(result);
    return exit_code(outcome_of(result), terminal.err);
}

}  // namespace gicsim
