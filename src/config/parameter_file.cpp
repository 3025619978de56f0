#include "gicsim/config/parameter_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "gicsim/config/suggestion.h"
#include "gicsim/config/toml_reader.h"

namespace gicsim {

namespace {

const std::vector<std::string>& statuses() {
    static const std::vector<std::string> known = {"measured", "derived", "assumed", "hypothesis"};
    return known;
}

ParameterSetting read_parameter(TableReader& holder, std::string_view key) {
    const toml::node* node = holder.find(key);
    if (!node->is_table()) {
        throw ConfigError(holder.origin_of(*node), holder.path_of(key),
                          "expected { value = ..., source = ..., status = ... }, found a bare value");
    }
    TableReader table = holder.table(key);
    const toml::node* value = table.find("value");
    for (const std::string_view needed : {"value", "source", "status"}) {
        if (!table.has(needed)) {
            table.find("source");
            table.find("status");
            // A misspelt key says more about what went wrong than the missing one.
            table.finish();
            throw ConfigError(table.origin(), table.path(), fmt::format("'{}' is missing", needed),
                              "a parameter is { value = ..., source = ..., status = ... }");
        }
    }
    ParameterSetting setting;
    setting.value = raw_value(*value, table.file(), table.path());
    setting.source = table.line("source");
    setting.status = table.text("status");
    if (std::find(statuses().begin(), statuses().end(), setting.status) == statuses().end()) {
        table.fail("status", fmt::format("unknown status '{}'", setting.status),
                   fmt::format("known: {}", fmt::join(statuses(), ", ")));
    }
    table.finish();
    return setting;
}

/// Reads those of `table`'s keys that are parameters for which `wanted` holds; the names of the others that should be
/// there are added to `missing`.
void read_parameters(TableReader& table,
                     const std::function<std::optional<std::string>(const Parameter&)>& path_if_wanted,
                     ParameterSettings& settings, std::vector<std::string>& missing) {
    for (const Parameter& parameter : parameters()) {
        const auto path = path_if_wanted(parameter);
        if (!path) continue;
        if (table.find(parameter.key()) == nullptr) {
            missing.push_back(*path);
        } else {
            settings.emplace(*path, read_parameter(table, parameter.key()));
        }
    }
}

void refuse_missing(const std::string& file, const std::vector<std::string>& missing) {
    if (missing.empty()) return;
    throw ConfigError(Origin::in_file(file, 1, 1), {},
                      fmt::format("{} missing: {}", missing.size() == 1 ? "a parameter is" : "parameters are",
                                  fmt::join(missing, ", ")));
}

void read_links(TableReader& links, MachineFile& machine, std::vector<std::string>& missing) {
    for (const std::string& name : links.all_keys()) {
        TableReader link = links.table(name);
        MachineFile::LinkKind kind;
        kind.name = name;
        kind.origin = links.origin_of(name);
        const toml::node* ends = link.find("ends");
        if (ends == nullptr) link.fail("ends", "is missing", R"(write ends = [["die0.link0", "die1.link0"]])");
        if (!ends->is_array() || ends->as_array()->empty()) {
            link.fail("ends", "expected an array of pairs of nodes", R"(write ends = [["die0.link0", "die1.link0"]])");
        }
        for (const toml::node& pair : *ends->as_array()) {
            if (!pair.is_array() || pair.as_array()->size() != 2) {
                throw ConfigError(link.origin_of(pair), link.path_of("ends"), "expected a pair of nodes",
                                  R"(write ends = [["die0.link0", "die1.link0"]])");
            }
            const toml::array& two = *pair.as_array();
            kind.ends.emplace_back(raw_value(two[0], link.file(), link.path_of("ends")),
                                   raw_value(two[1], link.file(), link.path_of("ends")));
        }
        read_parameters(
            link,
            [&name](const Parameter& parameter) {
                return parameter.of_link() ? std::optional(link_path(parameter, name)) : std::nullopt;
            },
            machine.parameters, missing);
        link.finish();
        machine.links.push_back(std::move(kind));
    }
}

}  // namespace

MachineFile read_machine_file(const std::filesystem::path& file) {
    TomlFile toml(file, "machine");
    TableReader& root = toml.root();
    MachineFile machine;
    machine.file = toml.name();
    machine.name = root.line("name");
    machine.description = root.line("description");

    std::vector<std::string> missing;
    for (const std::string_view name : {"clock", "core", "memory", "fabric", "gic"}) {
        auto table = root.table_if_there(name);
        const auto wanted = [name](const Parameter& parameter) {
            return parameter.of_machine() && parameter.table() == name ? std::optional(std::string(parameter.path))
                                                                       : std::nullopt;
        };
        if (!table) {
            for (const Parameter& parameter : parameters()) {
                if (auto path = wanted(parameter)) missing.push_back(std::move(*path));
            }
            continue;
        }
        read_parameters(*table, wanted, machine.parameters, missing);
        if (name == "fabric") {
            TableReader die = table->table("die");
            machine.stops_origin = die.origin_of("stops");
            machine.stops = die.texts("stops");
            die.finish();
            if (auto links = table->table_if_there("link")) read_links(*links, machine, missing);
        }
        table->finish();
    }

    TableReader cpus = root.table("cpus");
    const std::string table_name = cpus.text("table");
    machine.cpus_origin = cpus.origin_of("table");
    cpus.finish();
    root.finish();
    refuse_missing(machine.file, missing);

    const std::filesystem::path cpu_file = file.parent_path() / table_name;
    machine.cpu_file = cpu_file.string();
    machine.cpus = read_cpu_table(cpu_file);
    return machine;
}

SoftwareFile read_software_file(const std::filesystem::path& file) {
    TomlFile toml(file, "software");
    TableReader& root = toml.root();
    SoftwareFile software;
    software.file = toml.name();
    software.name = root.line("name");
    software.description = root.line("description");
    std::vector<std::string> missing;
    TableReader table = root.table("software");
    read_parameters(
        table,
        [](const Parameter& parameter) {
            return parameter.of_software() ? std::optional(std::string(parameter.path)) : std::nullopt;
        },
        software.parameters, missing);
    table.finish();
    root.finish();
    refuse_missing(software.file, missing);
    return software;
}

bool override_parameter(ParameterSettings& parameters, const std::string& path, const RawValue& value) {
    const auto found = parameters.find(path);
    if (found == parameters.end()) return false;
    found->second = {value, fmt::format("changed by {}", value.origin.to_string()), "override"};
    return true;
}

}  // namespace gicsim
