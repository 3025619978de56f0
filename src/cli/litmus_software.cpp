#include "litmus_software.h"

#include <fmt/format.h>

#include <ostream>
#include <set>

#include "gicsim/config/data_folder.h"
#include "gicsim/explore/software_survey.h"
#include "gicsim/report/output_folder.h"
#include "litmus_output.h"
#include "progress_bar.h"

namespace gicsim {
namespace {

std::vector<IpiSequence> sequences_of(const std::string& list) {
    std::vector<IpiSequence> sequences;
    if (list == "all") {
        for (const std::string& name : known_configs(ConfigKind::ipi_sequence)) {
            sequences.push_back(load_ipi_sequence(name));
        }
        return sequences;
    }
    std::set<std::string> names;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        const std::string name = list.substr(at, comma - at);
        if (name.empty()) throw UsageError("--software: a name is empty");
        sequences.push_back(load_ipi_sequence(name));
        if (!names.insert(sequences.back().name).second) {
            throw UsageError(fmt::format("--software: '{}' is there twice", sequences.back().name));
        }
        at = comma + 1;
    }
    return sequences;
}

void write_witnesses(const std::string& folder, SoftwareReport& report) {
    std::vector<std::pair<std::string, std::string>> files;
    for (SoftwareRow& row : report.rows) {
        if (row.witness.empty()) continue;
        files.emplace_back(row.name + ".txt", row.witness);
        row.witness_file = folder + (folder.ends_with('/') ? "" : "/") + row.name + ".txt";
    }
    files.emplace_back("software.json", render_software_json(report));
    OutputFolder(folder).write(files);
}

}  // namespace

ExitCode litmus_software(const CommandLine& line, const MachineDescription& machine,
                         const SoftwareDescription& software, LitmusOptions options, const Terminal& terminal) {
    const std::vector<IpiSequence> sequences = sequences_of(line.text("software"));
    BarrierCost cost{load_machine(line.text("cost-machine")), software};
    cost.seed = options.campaign.seed;

    ProgressBar progress(terminal.err, terminal.err_is_terminal);
    SoftwareReport report = survey_software(machine, software, sequences, cost, options, progress);
    progress.clear();

    const std::string format = line.text("format");
    std::function<void()> write;
    if (line.has("witness")) write = [&] { write_witnesses(line.text("witness"), report); };
    write_and_print(
        terminal, write,
        [&] {
            for (SoftwareRow& row : report.rows) row.witness_file.clear();
        },
        [&] {
            if (format == "table") terminal.out << render_software_table(report);
            if (format == "json") terminal.out << render_software_json(report);
            if (format == "csv") terminal.out << render_software_csv(report);
        });
    if (report.interrupted) return say_interrupted(terminal);
    if (report.violated()) {
        terminal.err << "gicsim: a forbidden state was seen: see the report\n";
        return ExitCode::violation;
    }
    return ExitCode::ok;
}

}  // namespace gicsim
