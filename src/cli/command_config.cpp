#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "command.h"
#include "gicsim/report/text_table.h"

namespace gicsim {

namespace {

std::string one_file(const std::vector<std::string>& positional, std::string_view command) {
    if (positional.size() == 1) return positional[0];
    throw UsageError(positional.empty() ? fmt::format("{}: name a file", command)
                                        : fmt::format("{}: '{}' is one argument too many", command, positional[1]));
}

void add_setting(TextTable& table, const Setting& setting) {
    table.add({setting.path, setting.value, setting.settable ? setting.status : "not settable", setting.origin,
               setting.source});
}

/// Whether every group has this very setting.
bool shared(const ResolvedFile& file, const Setting& setting) {
    return std::all_of(file.groups.begin(), file.groups.end(), [&setting](const ResolvedFile::Group& group) {
        return std::any_of(group.settings.begin(), group.settings.end(), [&setting](const Setting& other) {
            return other.path == setting.path && other.value == setting.value && other.origin == setting.origin;
        });
    });
}

}  // namespace

ExitCode command_check(const std::vector<std::string>& arguments, const Terminal& terminal) {
    CommandLine line("check FILE [options]",
                     "Reads a machine, software, IPI sequence or experiment, by name or by path, with everything it "
                     "refers to, and says\n"
                     "whether it is fine. Nothing is simulated.",
                     "gicsim check configs/experiments/kunpeng920-ipi.toml");
    add_set_option(line);
    std::vector<std::string> positional;
    if (!line.parse(arguments, terminal.out, positional)) return ExitCode::ok;
    const ResolvedFile file = resolve_file(one_file(positional, "check"), set_overrides(line));
    terminal.out << fmt::format("{} {}: fine", name_of(file.kind), file.name);
    if (file.kind == ConfigKind::experiment) terminal.out << fmt::format(", {} cases", file.groups.size());
    terminal.out << "\n";
    return ExitCode::ok;
}

ExitCode command_dump_config(const std::vector<std::string>& arguments, const Terminal& terminal) {
    CommandLine line(
        "dump-config FILE [options]",
        "Prints every value of a machine, software or experiment after all changes: its unit, status, where it\n"
        "was written and what it rests on. A row that says 'not settable' is changed in its file only.",
        "gicsim dump-config kunpeng920-ipi --set core.dsb=\"60 cycles\"");
    add_set_option(line);
    std::vector<std::string> positional;
    if (!line.parse(arguments, terminal.out, positional)) return ExitCode::ok;
    const ResolvedFile file = resolve_file(one_file(positional, "dump-config"), set_overrides(line));
    const std::vector<std::string> header = {"path", "value", "status", "origin", "source"};

    terminal.out << fmt::format("{} {}: {}\n\n", name_of(file.kind), file.name, file.description);
    TextTable common(header, header.size());
    for (const Setting& setting : file.groups.front().settings) {
        if (shared(file, setting)) add_setting(common, setting);
    }
    terminal.out << common.to_string();
    for (const ResolvedFile::Group& group : file.groups) {
        terminal.out << fmt::format("\n{}: hash {}\n", group.name, group.hash);
        if (file.groups.size() == 1) continue;
        TextTable own(header, header.size());
        for (const Setting& setting : group.settings) {
            if (!shared(file, setting)) add_setting(own, setting);
        }
        terminal.out << own.to_string("  ");
    }
    return ExitCode::ok;
}

}  // namespace gicsim
