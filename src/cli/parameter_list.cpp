#include "gicsim/cli/parameter_list.h"

#include <fmt/format.h>

#include "gicsim/config/parameters.h"
#include "gicsim/report/text_table.h"

namespace gicsim {

namespace {

/// Settings of the files that a parameter stands for: one, or one for each kind of link.
std::vector<const Setting*> settings_of(const Parameter& parameter, const std::vector<ResolvedFile>& files) {
    std::vector<const Setting*> found;
    constexpr std::string_view links = "fabric.link.";
    for (const ResolvedFile& file : files) {
        for (const ResolvedFile::Group& group : file.groups) {
            for (const Setting& setting : group.settings) {
                const bool same = setting.path == parameter.path;
                const bool same_link = parameter.of_link() && setting.path.starts_with(links) &&
                                       setting.path.ends_with(fmt::format(".{}", parameter.key()));
                if (same || same_link) found.push_back(&setting);
            }
        }
    }
    return found;
}

std::string escaped(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
    return text;
}

}  // namespace

std::string list_parameters_as_table(const std::vector<ResolvedFile>& files) {
    std::vector<std::string> header = {"parameter", "unit", "bounds"};
    if (!files.empty()) header.insert(header.end(), {"value", "status", "source"});
    header.emplace_back("meaning");
    TextTable table(header, header.size());
    for (const Parameter& parameter : parameters()) {
        const std::vector<std::string> facts = {std::string(parameter.path), describe_units(parameter.rule),
                                                describe_bounds(parameter.rule)};
        if (files.empty()) {
            auto row = facts;
            row.emplace_back(parameter.meaning);
            table.add(std::move(row));
            continue;
        }
        for (const Setting* setting : settings_of(parameter, files)) {
            table.add({setting->path, facts[1], facts[2], setting->value, setting->status, setting->source,
                       std::string(parameter.meaning)});
        }
    }
    return table.to_string();
}

std::string list_parameters_as_markdown(const std::vector<ResolvedFile>& files) {
    std::string text;
    std::string_view table;
    for (const Parameter& parameter : parameters()) {
        if (parameter.table() != table) {
            table = parameter.table();
            text += fmt::format("{}### {}\n\n", text.empty() ? "" : "\n", table);
            text += files.empty() ? "| parameter | meaning | unit | bounds |\n|---|---|---|---|\n"
                                  : "| parameter | meaning | unit | bounds | value | status | source |\n"
                                    "|---|---|---|---|---|---|---|\n";
        }
        const std::string facts =
            fmt::format("`{}` | {} | {} | {}", parameter.path, escaped(std::string(parameter.meaning)),
                        describe_units(parameter.rule), describe_bounds(parameter.rule));
        if (files.empty()) {
            text += fmt::format("| {} |\n", facts);
            continue;
        }
        for (const Setting* setting : settings_of(parameter, files)) {
            const std::string value =
                parameter.of_link() ? fmt::format("{} (`{}`)", setting->value, setting->path) : setting->value;
            text += fmt::format("| {} | {} | {} | {} |\n", facts, value, setting->status, escaped(setting->source));
        }
    }
    return text;
}

}  // namespace gicsim
