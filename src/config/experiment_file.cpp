#include "experiment_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gicsim/config/options.h"
#include "gicsim/config/suggestion.h"
#include "gicsim/config/toml_reader.h"

namespace gicsim {

namespace {

/// Adds every value of a table, nested tables with dots between.
void flatten(TableReader table, const std::string& prefix, RawValues& values) {
    for (const std::string& key : table.all_keys()) {
        const toml::node& node = *table.find(key);
        const std::string path = prefix.empty() ? key : fmt::format("{}.{}", prefix, key);
        if (node.is_table()) {
            flatten(table.table(key), path, values);
            continue;
        }
        const std::string full = full_path(path);
        if (!values.emplace(full, raw_value(node, table.file(), full)).second) {
            throw ConfigError(table.origin_of(key), full, "is set twice");
        }
    }
}

RawValues read_base(TableReader& root) {
    RawValues base;
    for (const std::string_view name : {"options", "run"}) {
        auto table = root.table_if_there(name);
        if (!table) continue;
        for (const OptionSpec& option : option_table()) {
            if (!option.path.starts_with(name) || option.path[name.size()] != '.') continue;
            if (const toml::node* node = table->find(option.key()); node != nullptr) {
                base.emplace(option.path, raw_value(*node, root.file(), std::string(option.path)));
            }
        }
        table->finish();
    }
    if (auto set = root.table_if_there("set")) {
        RawValues more;
        flatten(*set, {}, more);
        for (auto& [path, value] : more) {
            if (base.contains(path)) throw ConfigError(value.origin, path, "is set twice");
            base.emplace(path, std::move(value));
        }
    }
    return base;
}

/// "34.5 ns", or ["235 ns", "263 ns"].
std::vector<RawValue> read_measured(TableReader& table) {
    const toml::node& node = *table.find("measured");
    if (!node.is_array()) return {raw_value(node, table.file(), table.path_of("measured"))};
    std::vector<RawValue> values = table.texts("measured");
    if (values.size() != 2) {
        table.fail("measured", "expected a latency, or its least and greatest value",
                   R"(write measured = ["235 ns", "263 ns"])");
    }
    return values;
}

CaseFile read_case(TableReader table, const std::string& reference_source) {
    CaseFile read;
    read.origin = table.origin();
    read.name = table.line("name");
    if (auto set = table.table_if_there("set")) flatten(*set, {}, read.values);
    read.reference_source = table.line_or("reference_source", reference_source);
    read.role = table.text_or("role", {});
    const bool has_log = table.find("reference") != nullptr;
    const bool has_latency = table.find("measured") != nullptr;
    if (has_log && has_latency) table.fail("measured", "a case is held against a reference or a latency, not both");
    if (has_log) {
        const std::string reference = table.text("reference");
        read.reference = (std::filesystem::path(table.file()).parent_path() / reference).lexically_normal();
    }
    if (has_latency) read.measured = read_measured(table);
    if (has_log || has_latency) {
        const std::string_view key = has_log ? "reference" : "measured";
        read.reference_origin = table.origin_of(key);
        if (read.reference_source.empty()) {
            table.fail(key, "the measurement has no source", "add reference_source = \"Message-Id ...\"");
        }
        if (read.role.empty()) table.fail(key, "the case has no role", "add role = \"fitted\" or \"predicted\"");
    } else if (!read.role.empty()) {
        table.fail("role", "a case without reference or measured latency has no role");
    }
    if (!read.role.empty() && read.role != "fitted" && read.role != "predicted") {
        table.fail("role", fmt::format("unknown role '{}'", read.role), "known: fitted, predicted");
    }
    table.finish();
    return read;
}

void refuse_duplicates(const toml::array& array, const std::string& path, const TableReader& sweep) {
    std::map<std::string, Origin> seen;
    for (const toml::node& node : array) {
        const RawValue value = raw_value(node, sweep.file(), path);
        const std::string text = spelled(path, value.text);
        const auto [first, fresh] = seen.emplace(text, value.origin);
        if (fresh) continue;
        throw ConfigError(value.origin, sweep.path_of(short_path(path)),
                          fmt::format("'{}' occurs twice, first at {}", text, first->second.to_string()));
    }
}

/// Every case once for each value of the array.
void unfold(std::vector<CaseFile>& cases, const std::string& path, const toml::array& array, const TableReader& sweep) {
    constexpr std::size_t most_cases = 100'000;
    if (array.size() > most_cases / std::max<std::size_t>(cases.size(), 1)) {
        sweep.fail(short_path(path), "the sweep unfolds into more than 100000 cases", "sweep fewer values at a time");
    }
    std::vector<CaseFile> unfolded;
    for (const CaseFile& each : cases) {
        if (!each.reference.empty() || !each.measured.empty()) {
            throw ConfigError(each.reference_origin, each.reference.empty() ? "case.measured" : "case.reference",
                              "a swept case cannot be held against one measurement");
        }
        for (const toml::node& node : array) {
            CaseFile one = each;
            if (one.swept_from.empty()) one.swept_from = fmt::format("case {}", each.name);
            RawValue value = raw_value(node, sweep.file(), path);
            one.name +=
                fmt::format("{}{} {}", one.name.empty() ? "" : ", ", short_path(path), spelled(path, value.text));
            one.swept_at = value.origin;
            one.values[path] = std::move(value);
            unfolded.push_back(std::move(one));
        }
    }
    cases = std::move(unfolded);
}

}  // namespace

std::string full_path(const std::string& path) {
    if (path.find('.') != std::string::npos) return path;
    for (const OptionSpec& option : option_table()) {
        if (option.key() == path) return std::string(option.path);
    }
    return path;
}

std::string short_path(const std::string& path) {
    for (const OptionSpec& option : option_table()) {
        if (option.path == path) return std::string(option.key());
    }
    return path;
}

ExperimentFile read_experiment_file(const std::filesystem::path& file) {
    TomlFile toml(file, "experiment");
    TableReader& root = toml.root();
    ExperimentFile experiment;
    experiment.file = file;
    experiment.name = root.line("name");
    experiment.description = root.line("description");
    const auto named = [&root](std::string_view key) {
        std::string text = root.text(key);
        return RawValue{RawValue::Type::text, std::move(text), root.origin_of(key)};
    };
    experiment.machine = named("machine");
    experiment.software = named("software");
    experiment.workload = named("workload");
    const std::string reference_source = root.line_or("reference_source", {});
    experiment.base = read_base(root);

    std::set<std::string> names;
    if (const toml::node* cases = root.find("case"); cases != nullptr) {
        if (!cases->is_array_of_tables()) root.fail("case", "expected [[case]] tables");
        for (const toml::node& node : *cases->as_array()) {
            CaseFile read = read_case(TableReader(*node.as_table(), root.file(), "case"), reference_source);
            if (!names.insert(read.name).second) {
                throw ConfigError(read.origin, "case.name", fmt::format("a second case is named '{}'", read.name));
            }
            experiment.cases.push_back(std::move(read));
        }
    }
    auto sweep = root.table_if_there("sweep");
    if (experiment.cases.empty()) {
        CaseFile only;
        if (!sweep) only.name = experiment.name;
        only.origin = Origin::in_file(root.file());
        experiment.cases.push_back(std::move(only));
    }
    if (sweep) {
        for (const std::string& key : sweep->all_keys()) {
            const toml::node& node = *sweep->find(key);
            if (!node.is_array() || node.as_array()->empty()) {
                sweep->fail(key, "expected an array of values", "write \"core.dsb\" = [\"20 cycles\", \"40 cycles\"]");
            }
            refuse_duplicates(*node.as_array(), full_path(key), *sweep);
            unfold(experiment.cases, full_path(key), *node.as_array(), *sweep);
        }
    }
    root.finish();
    return experiment;
}

}  // namespace gicsim
