#include <fmt/format.h>

#include <ostream>

#include "command.h"
#include "gicsim/cli/parameter_list.h"
#include "gicsim/config/options.h"
#include "gicsim/config/suggestion.h"
#include "gicsim/report/text_table.h"

namespace gicsim {

namespace po = boost::program_options;

namespace {

const std::vector<std::string>& subjects() {
    static const std::vector<std::string> known = {"barriers",  "placements",  "machines",  "software",
                                                   "workloads", "experiments", "parameters"};
    return known;
}

std::string barriers() {
    std::string text;
    for (const Barrier& barrier : Barrier::all()) text += barrier.name() + "\n";
    return text;
}

std::string placements() {
    TextTable table({"placement", "meaning"}, 2);
    const std::vector<std::string> meanings = {"no barrier", "once, before the SGI writes of one call",
                                               "before each SGI write", "after the SGI writes"};
    for (std::size_t i = 0; i < meanings.size(); ++i) table.add({std::string(placement_names()[i]), meanings[i]});
    return table.to_string();
}

std::string workloads() {
    TextTable table({"workload", "meaning"}, 2);
    for (const WorkloadSpec& workload : workload_table()) {
        table.add({std::string(workload.name), std::string(workload.meaning)});
    }
    std::string text = table.to_string() + "\n";
    TextTable options({"option", "unit", "default", "meaning", "workloads"}, 5);
    for (const OptionSpec& option : option_table()) {
        std::vector<std::string_view> knowing;
        for (const WorkloadSpec& workload : workload_table()) {
            for (const std::string_view key : workload.options) {
                if (key == option.key()) knowing.push_back(workload.name);
            }
        }
        const bool all = knowing.size() == workload_table().size() || option.path.starts_with("run.");
        options.add({std::string(option.path), describe_units(option.rule), std::string(option.standard),
                     std::string(option.meaning), all ? "all" : fmt::format("{}", fmt::join(knowing, ", "))});
    }
    return text + options.to_string();
}

std::string files(ConfigKind kind) {
    TextTable table({std::string(name_of(kind)), "description"}, 2);
    for (const std::string& name : known_configs(kind)) {
        // One broken file must not hide the others.
        std::string description;
        try {
            description = resolve_file(find_config(kind, name, {}, {}).string()).description;
        } catch (const ConfigError& error) {
            description = fmt::format("BROKEN: {}", error.what());
        }
        table.add({name, description});
    }
    return table.to_string();
}

}  // namespace

ExitCode command_list(const std::vector<std::string>& arguments, const Terminal& terminal) {
    CommandLine line(fmt::format("list {} [options]", fmt::join(subjects(), "|")),
                     "Lists what there is. `list parameters MACHINE SOFTWARE` adds what these files say.",
                     "gicsim list parameters kunpeng920-96 linux-5.17");
    line.add()("format", po::value<std::string>()->default_value("table")->value_name("FORMAT"),
               "of parameters: table or markdown");
    std::vector<std::string> positional;
    if (!line.parse(arguments, terminal.out, positional)) return ExitCode::ok;
    const std::string known = fmt::format("known: {}", fmt::join(subjects(), ", "));
    if (positional.empty()) throw UsageError(fmt::format("list: say what ({})", known));
    const std::string& what = positional[0];
    const std::string format = line.one_of("format", {"table", "markdown"});
    if (what != "parameters") {
        if (positional.size() > 1) throw UsageError(fmt::format("list: '{}' is one argument too many", positional[1]));
        if (format != "table") throw UsageError("--format markdown: only parameters are listed so");
    }
    if (what == "barriers") {
        terminal.out << barriers();
    } else if (what == "placements") {
        terminal.out << placements();
    } else if (what == "workloads") {
        terminal.out << workloads();
    } else if (what == "machines") {
        terminal.out << files(ConfigKind::machine);
    } else if (what == "software") {
        terminal.out << files(ConfigKind::software) << "\n" << files(ConfigKind::ipi_sequence);
    } else if (what == "experiments") {
        terminal.out << files(ConfigKind::experiment);
    } else if (what == "parameters") {
        std::vector<ResolvedFile> named;
        for (std::size_t i = 1; i < positional.size(); ++i) {
            named.push_back(resolve_file(positional[i]));
            if (named.back().kind == ConfigKind::experiment) {
                throw UsageError(fmt::format("list: '{}' is an experiment; name a machine or software", positional[i]));
            }
        }
        terminal.out << (format == "table" ? list_parameters_as_table(named) : list_parameters_as_markdown(named));
    } else {
        throw UsageError(fmt::format("list: unknown '{}' ({})", what, did_you_mean_or_list(what, subjects())));
    }
    return ExitCode::ok;
}

}  // namespace gicsim
