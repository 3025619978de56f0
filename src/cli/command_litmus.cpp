#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>
#include <set>
#include <thread>

#include "command.h"
#include "gicsim/config/data_folder.h"
#include "gicsim/explore/litmus_matrix.h"
#include "gicsim/explore/litmus_runner.h"
#include "gicsim/laboratory/variants.h"
#include "gicsim/litmus/litmus_file.h"
#include "gicsim/report/output_folder.h"
#include "litmus_output.h"
#include "litmus_software.h"
#include "progress_bar.h"

namespace gicsim {

namespace po = boost::program_options;

namespace {

std::uint64_t count_option(const CommandLine& line, const std::string& name, std::uint64_t least,
                           std::uint64_t greatest) {
    const std::string text = line.text(name);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > greatest) {
        throw UsageError(fmt::format("--{}: '{}' is no whole number from {} to {}", name, text, least, greatest));
    }
    return value;
}

double seconds_option(const CommandLine& line, const std::string& name) {
    std::string text = line.text(name);
    double unit = 1;
    if (text.ends_with("min")) {
        unit = 60;
        text.resize(text.size() - 3);
    } else if (text.ends_with('s')) {
        text.pop_back();
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value)) {
        throw UsageError(fmt::format("--{}: '{}' is no time such as 90s or 5min", name, line.text(name)));
    }
    return value * unit;
}

std::vector<LitmusJob> jobs_of(const std::vector<std::string>& files) {
    std::vector<std::filesystem::path> paths;
    if (files.empty()) {
        paths = litmus::find_litmus_files(data_folder() / "litmus");
    } else {
        for (const std::string& file : files) {
            const auto found = litmus::find_litmus_files(file);
            if (found.empty()) {
                throw ConfigError(Origin::in_file(file), {}, "no litmus test is in this folder",
                                  "*.litmus for herd's format, *.litmus.toml for isla's");
            }
            paths.insert(paths.end(), found.begin(), found.end());
        }
    }
    std::vector<LitmusJob> jobs;
    jobs.reserve(paths.size());
    for (const std::filesystem::path& path : paths) jobs.push_back({litmus::read_litmus_file(path), {}});
    return jobs;
}

/// Each test with each order before its SGI register writes.
std::vector<LitmusJob> crossed(const std::vector<LitmusJob>& jobs, const std::string& names) {
    std::vector<SenderOrder> orders;
    bool all = false;
    for (std::size_t begin = 0; begin <= names.size();) {
        const std::size_t end = std::min(names.find(',', begin), names.size());
        const std::string name = names.substr(begin, end - begin);
        begin = end + 1;
        if (name == "all") {
            orders = SenderOrder::all();
            all = true;
        } else if (const auto order = SenderOrder::parse(name)) {
            if (std::find(orders.begin(), orders.end(), *order) == orders.end()) orders.push_back(*order);
        } else {
            throw UsageError(
                fmt::format("--barrier: '{}' is none of none, isb, stlr, casal, a barrier (see gicsim list "
                            "barriers), any of them with \" + isb\", or all",
                            name));
        }
    }
    std::vector<LitmusJob> list;
    for (const LitmusJob& job : jobs) {
        for (const SenderOrder& order : orders) {
            if (all && !can_have(job.test, order)) continue;
            list.push_back({with_sender_order(job.test, order), order.name()});
        }
    }
    return list;
}

/// A name for the files of a test, which no other test has: names in files need not differ, nor be short or printable.
std::string file_name(const LitmusResult& result, std::set<std::string>& taken) {
    std::string name = result.variant.empty() ? result.name : result.name + "+" + result.variant;
    for (char& c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                           c == '+' || c == '-' || c == '_';
        if (!plain) c = '_';
    }
    name.resize(std::min<std::size_t>(name.size(), 150));
    std::string unique = name;
    for (unsigned n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}.{}", name, n);
    return unique;
}

void write_witnesses(const std::string& folder, const LitmusReport& report) {
    std::vector<std::pair<std::string, std::string>> files;
    std::set<std::string> taken;
    for (const LitmusResult& result : report.results) {
        const std::string name = file_name(result, taken);
        for (std::size_t i = 0; i < result.states.size(); ++i) {
            const LitmusState& state = result.states[i];
            if (state.witness.empty()) continue;
            files.emplace_back(fmt::format("{}.state{}.txt", name, i + 1),
                               fmt::format("{}{}{}\n{}\nstate {}{}\n\n{}", result.name,
                                           result.variant.empty() ? "" : " with ", result.variant, result.condition,
                                           state.text, state.asked_for ? " (asked for)" : "", state.witness));
        }
    }
    files.emplace_back("witnesses.json", render_litmus_json(report));
    OutputFolder(folder).write(files);
}

/// What the shell is told of a report that is complete.
ExitCode verdict_on(const LitmusReport& report, const Terminal& terminal) {
    if (report.count("VIOLATION") > 0) {
        terminal.err << "gicsim: a forbidden state was seen: see the report\n";
        return ExitCode::violation;
    }
    if (report.count("no target") > 0) {
        terminal.err << "gicsim: a test sends SGIs to CPUs that it does not have on this machine: see the report\n";
        return ExitCode::file;
    }
    if (report.count("unfinished") > 0) {
        terminal.err << "gicsim: a test came to no end: see the report\n";
        return ExitCode::hung;
    }
    return ExitCode::ok;
}

}  // namespace

ExitCode command_litmus(const std::vector<std::string>& arguments, const Terminal& terminal) {
    CommandLine line(
        "litmus [FILE...] [options]",
        "Runs litmus tests on the simulated cores and holds what they show against the architecture. Without\n"
        "files: the built-in suite. A FILE is a test in herd's format (*.litmus) or in isla's\n"
        "(*.litmus.toml), or a folder of them.",
        "gicsim litmus MP.litmus --iterations 100000 --witness witnesses");
    line.add()("iterations", po::value<std::string>()->default_value("10000")->value_name("N"),
               "executions of each test")("systematic",
                                          po::value<std::string>()->default_value("4000")->value_name("N"),
                                          "at most so many of them by systematic search; the others at random")(
        "seed", po::value<std::string>()->default_value("1")->value_name("N"), "seed of the random executions")(
        "barrier", po::value<std::string>()->value_name("NAMES"),
        "put this before each SGI register write, in handlers too, in place of what is there: names separated by "
        "commas, or all that the test has room for")(
        "matrix",
        "the built-in matrix: payload and list work, behind every order of the sender, with the lines near and far")(
        "time-limit", po::value<std::string>()->value_name("TIME"),
        "stop after this time: 90s, 5min; what has been executed is reported")(
        "jobs", po::value<std::string>()->value_name("N"), "worker processes; as many as there are processors")(
        "machine", po::value<std::string>()->default_value("litmus-8")->value_name("MACHINE"),
        "where they run; thread N on CPU N")("states", "show every final state of every test")(
        "witness", po::value<std::string>()->value_name("DIR"), "write the shortest timeline of every state there")(
        "software", po::value<std::string>()->value_name("all|NAME[,NAME]"),
        "instead of files: are the IPI sequences of operating systems safe, and what do their barriers cost?")(
        "cost-machine", po::value<std::string>()->default_value("kunpeng920-96")->value_name("MACHINE"),
        "with --software: where the cost of the barriers is measured")(
        "format", po::value<std::string>()->default_value("table")->value_name("FORMAT"),
        "what stdout gets: table, json or csv");
    add_set_option(line);
    std::vector<std::string> positional;
    if (!line.parse(arguments, terminal.out, positional)) return ExitCode::ok;
    const std::string format = line.one_of("format", {"table", "json", "csv"});

    LitmusOptions options;
    options.campaign.iterations = count_option(line, "iterations", 1, 1'000'000'000);
    options.campaign.systematic = count_option(line, "systematic", 0, 1'000'000'000);
    options.campaign.seed = count_option(line, "seed", 0, UINT64_MAX);
    options.jobs = line.has("jobs") ? static_cast<unsigned>(count_option(line, "jobs", 1, 1024))
                                    : std::max(1U, std::thread::hardware_concurrency());
    if (line.has("time-limit")) options.time_limit_s = seconds_option(line, "time-limit");
    options.witnesses = line.has("witness");

    const MachineDescription machine = load_machine(line.text("machine"), set_overrides(line));
    const SoftwareDescription software = load_software("linux-5.17");
    if (line.has("software")) {
        if (!positional.empty() || line.has("matrix") || line.has("barrier")) {
            throw UsageError("--software: makes its own tests; leave files, --matrix and --barrier out");
        }
        return litmus_software(line, machine, software, options, terminal);
    }
    if (line.has("matrix") && (!positional.empty() || line.has("barrier"))) {
        throw UsageError("--matrix: has its own tests and barriers; leave files and --barrier out");
    }
    std::vector<LitmusJob> jobs = line.has("matrix") ? matrix_jobs(machine) : jobs_of(positional);
    if (line.has("barrier")) jobs = crossed(jobs, line.text("barrier"));
    options.jobs = static_cast<unsigned>(std::min<std::size_t>(options.jobs, std::max<std::size_t>(jobs.size(), 1)));

    ProgressBar progress(terminal.err, terminal.err_is_terminal);
    const LitmusReport report = run_litmus(machine, software, jobs, options, progress);
    progress.clear();

    std::function<void()> write;
    if (line.has("witness")) write = [&] { write_witnesses(line.text("witness"), report); };
    write_and_print(
        terminal, write, [] {},
        [&] {
            if (format == "table") terminal.out << render_litmus_table(report, line.has("states"));
            if (format == "json") terminal.out << render_litmus_json(report);
            if (format == "csv") terminal.out << render_litmus_csv(report);
        });
    if (report.interrupted) return say_interrupted(terminal);
    return verdict_on(report, terminal);
}

}  // namespace gicsim
