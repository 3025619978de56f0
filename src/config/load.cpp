#include "gicsim/config/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "case_list.h"
#include "experiment_file.h"
#include "gicsim/config/ipi_sequence.h"
#include "gicsim/config/options.h"
#include "gicsim/config/parameter_file.h"
#include "gicsim/config/reference_log.h"
#include "gicsim/config/suggestion.h"
#include "gicsim/config/toml_reader.h"

namespace gicsim {

namespace {

RawValue raw_of(const Override& change) {
    return {RawValue::Type::untyped, change.value, Origin::command_line(change.option)};
}

void refuse_duplicates(const std::vector<Override>& overrides) {
    std::map<std::string, std::string> seen;
    for (const Override& change : overrides) {
        const auto [first, fresh] = seen.emplace(full_path(change.path), change.option);
        if (fresh) continue;
        throw ConfigError(
            Origin::command_line(change.option), first->first,
            first->second == change.option ? "is set twice" : fmt::format("is set by {} as well", first->second));
    }
}

template <typename File>
void apply_all(File& file, const std::vector<Override>& overrides) {
    refuse_duplicates(overrides);
    for (const Override& change : overrides) {
        if (override_parameter(file.parameters, change.path, raw_of(change))) continue;
        std::vector<std::string> known;
        for (const auto& [path, parameter] : file.parameters) known.push_back(path);
        throw ConfigError(Origin::command_line(change.option), change.path, "unknown parameter",
                          did_you_mean_or_list(change.path, known));
    }
}

/// Turns the cases of an experiment file into descriptions.
class CaseResolver {
public:
    explicit CaseResolver(const ExperimentFile& file) : file_(file) {
        const std::filesystem::path folder = file.file.parent_path();
        machine_ = read_machine_file(find_config(ConfigKind::machine, file.machine.text, folder, file.machine.origin));
        software_ =
            read_software_file(find_config(ConfigKind::software, file.software.text, folder, file.software.origin));
        std::vector<std::string> names;
        for (const WorkloadSpec& workload : workload_table()) {
            names.emplace_back(workload.name);
            if (workload.name == file.workload.text) workload_ = &workload;
        }
        if (workload_ == nullptr) {
            throw ConfigError(file.workload.origin, "workload",
                              fmt::format("unknown workload '{}'", file.workload.text),
                              did_you_mean_or_list(file.workload.text, names));
        }
    }

    [[nodiscard]] CaseDescription resolve(const CaseFile& wanted, const std::vector<Override>& overrides) const {
        RawValues values = file_.base;
        for (const auto& [path, value] : wanted.values) values.insert_or_assign(path, value);
        for (const Override& change : overrides) values.insert_or_assign(full_path(change.path), raw_of(change));

        CaseDescription result;
        result.name = wanted.name;
        result.options.workload = file_.workload.text;
        result.settings.push_back(word("machine", machine_.name, file_.machine.origin));
        result.settings.push_back(word("software", software_.name, file_.software.origin));
        result.settings.push_back(word("workload", file_.workload.text, file_.workload.origin));
        MachineFile machine = machine_;
        SoftwareFile software = software_;
        for (const auto& [path, value] : values) {
            if (is_option(path) || override_parameter(machine.parameters, path, value) ||
                override_parameter(software.parameters, path, value)) {
                continue;
            }
            throw ConfigError(value.origin, path, "unknown parameter or option", did_you_mean(path, known_paths()));
        }
        std::vector<Setting> parameters;
        result.machine = build_machine(machine, parameters);
        result.software = build_software(software, parameters);
        set_options(result, values);
        result.settings.insert(result.settings.end(), parameters.begin(), parameters.end());
        result.hash = configuration_hash(result.settings);
        return result;
    }

private:
    static Setting word(std::string path, const std::string& value, const Origin& origin) {
        return {std::move(path), value, value, {}, {}, origin.to_string(), false};
    }
    static bool is_option(const std::string& path) {
        const auto& table = option_table();
        return std::any_of(table.begin(), table.end(), [&path](const OptionSpec& o) { return o.path == path; });
    }

    [[nodiscard]] bool knows(const OptionSpec& option) const {
        const auto& known = workload_->options;
        return option.path.starts_with("run.") || std::find(known.begin(), known.end(), option.key()) != known.end();
    }

    [[nodiscard]] std::vector<std::string> known_paths() const {
        std::vector<std::string> known;
        for (const OptionSpec& option : option_table()) known.emplace_back(option.path);
        for (const auto& [path, parameter] : machine_.parameters) known.push_back(path);
        for (const auto& [path, parameter] : software_.parameters) known.push_back(path);
        return known;
    }

    void set_options(CaseDescription& result, const RawValues& values) const {
        for (const OptionSpec& option : option_table()) {
            const std::string path(option.path);
            const auto found = values.find(path);
            if (!knows(option)) {
                if (found == values.end()) continue;
                throw ConfigError(found->second.origin, path,
                                  fmt::format("workload {} knows no such option", workload_->name),
                                  fmt::format("it knows {}", fmt::join(workload_->options, ", ")));
            }
            const RawValue standard{RawValue::Type::untyped, std::string(option.standard), Origin::standard()};
            const RawValue& value = found == values.end() ? standard : found->second;
            const Quantity quantity = read_quantity(value, option.rule, path, ClockDomain(1));
            std::string canonical = option.set(result, quantity, value);
            result.settings.push_back(
                {path, spelled(path, quantity.text), std::move(canonical), {}, {}, value.origin.to_string()});
        }
        check_options(*workload_, result, [&values](const std::string& path) {
            const auto found = values.find(path);
            return found == values.end() ? Origin::standard() : found->second.origin;
        });
    }

    const ExperimentFile& file_;
    MachineFile machine_;
    SoftwareFile software_;
    const WorkloadSpec* workload_ = nullptr;
};

void attach_latency(CaseDescription& result, const CaseFile& wanted) {
    const std::string path = "case.measured";
    if (!measures_latency(result.options.workload)) {
        throw ConfigError(wanted.reference_origin, path,
                          fmt::format("workload {} is no latency probe", result.options.workload),
                          "reference = \"FILE\" names the log of a benchmark");
    }
    constexpr std::int64_t second = 1'000'000'000'000'000;
    const auto read = [&](const RawValue& value) {
        return read_quantity(value, {UnitKind::time, {}, 1, second, {}}, path, result.machine.core.clock).time();
    };
    const MeasuredLatency latency{read(wanted.measured.front()), read(wanted.measured.back())};
    if (latency.greatest < latency.least) {
        throw ConfigError(wanted.measured.back().origin, path, "the greatest value is less than the least");
    }
    result.measured_latency = latency;
    result.reference_name = wanted.reference_source;
    result.role = wanted.role;
}

/// The measurement a case is held against, checked to be about the same thing.
void attach_reference(CaseDescription& result, const CaseFile& wanted) {
    if (!wanted.measured.empty()) attach_latency(result, wanted);
    if (wanted.reference.empty()) return;
    const ReferenceLog log = read_reference_log(wanted.reference);
    const auto differs = [&](const std::string& what) {
        throw ConfigError(
            wanted.reference_origin, "case.reference",
            fmt::format("{} measured {}, which is not what this case does", wanted.reference.string(), what));
    };
    if (log.sender != index(result.options.sender)) differs(fmt::format("sender {}", log.sender));
    if (log.rounds != result.options.rounds) differs(fmt::format("{} rounds", log.rounds));
    const RawValue targets{RawValue::Type::text, log.targets, Origin::in_file(wanted.reference.string(), 1, 1)};
    if (read_cpu_list(targets, {}, result.machine.cpus.size()) != result.options.targets) {
        differs(fmt::format("targets {}", log.targets));
    }
    result.reference_ns = log.totals_ns;
    result.reference_name = fmt::format("{}, {}", wanted.reference.filename().string(), wanted.reference_source);
    result.role = wanted.role;
}

/// Swept values that are written differently and mean the same would run one case twice.
class SweepCheck {
public:
    void add(const CaseFile& file, const CaseDescription& resolved) {
        if (file.swept_from.empty()) return;
        const auto [first, fresh] =
            seen_.emplace(std::tuple{file.swept_from, resolved.hash, resolved.runs, resolved.seed}, file.name);
        if (fresh) return;
        throw ConfigError(file.swept_at, "sweep",
                          fmt::format("'{}' and '{}' are the same case", first->second, file.name));
    }

private:
    std::map<std::tuple<std::string, std::string, unsigned, std::uint64_t>, std::string> seen_;
};

ExperimentDescription load_experiment_file(const std::filesystem::path& path, const std::vector<Override>& overrides) {
    const ExperimentFile file = read_experiment_file(path);
    const CaseResolver resolver(file);
    refuse_duplicates(overrides);
    ExperimentDescription experiment;
    experiment.name = file.name;
    experiment.description = file.description;
    CaseList cases;
    SweepCheck sweep;
    for (const CaseFile& each : file.cases) {
        CaseDescription as_written = resolver.resolve(each, {});
        sweep.add(each, as_written);
        if (overrides.empty()) {
            attach_reference(as_written, each);
            cases.add(std::move(as_written));
            continue;
        }
        CaseDescription result = resolver.resolve(each, overrides);
        if (result.hash == as_written.hash) {
            attach_reference(result, each);
            cases.add(std::move(result));
        } else {
            // The measurement was of something else.
            cases.add_changed(as_written, std::move(result));
        }
    }
    experiment.cases = cases.take();
    return experiment;
}

MachineFile machine_with(const std::filesystem::path& path, const std::vector<Override>& overrides) {
    MachineFile file = read_machine_file(path);
    apply_all(file, overrides);
    return file;
}

SoftwareFile software_with(const std::filesystem::path& path, const std::vector<Override>& overrides) {
    SoftwareFile file = read_software_file(path);
    apply_all(file, overrides);
    return file;
}

std::vector<Setting> settings_of(const IpiSequence& sequence, const std::string& file) {
    std::vector<Setting> settings;
    const auto add = [&](const char* path, const std::string& value) {
        settings.push_back({path, value, value, sequence.source, {}, file});
    };
    const auto truth = [](bool value) { return std::string(value ? "true" : "false"); };
    add("version", sequence.version);
    add("path", sequence.path);
    add("send.mechanism", std::string(name_of(sequence.send.mechanism)));
    add("send.before", sequence.send.before.name());
    add("send.isb_before", truth(sequence.send.isb_before));
    add("send.isb_after", truth(sequence.send.isb_after));
    add("send.publish", std::string(name_of(sequence.send.publish)));
    add("receive.after_iar", sequence.receive.after_iar.name());
    add("receive.isb_after_acknowledge", truth(sequence.receive.isb_after_acknowledge));
    add("receive.eoi_mode", std::to_string(sequence.receive.eoi_mode));
    add("receive.isb_after_eoi", truth(sequence.receive.isb_after_eoi));
    return settings;
}

/// A name may be of any kind: experiments first, which is what users name most.
std::filesystem::path find_any(const std::string& name_or_path) {
    std::vector<std::string> known;
    for (const ConfigKind kind :
         {ConfigKind::experiment, ConfigKind::machine, ConfigKind::software, ConfigKind::ipi_sequence}) {
        for (std::string& name : known_configs(kind)) {
            if (name == name_or_path) return find_config(kind, name, {}, {});
            known.push_back(std::move(name));
        }
    }
    if (name_or_path.find('/') == std::string::npos && !name_or_path.ends_with(".toml")) {
        throw ConfigError({}, {}, fmt::format("unknown file or name '{}'", name_or_path),
                          did_you_mean_or_list(name_or_path, known));
    }
    return find_config(ConfigKind::experiment, name_or_path, {}, {});
}

}  // namespace

ExperimentDescription load_experiment(const std::string& name_or_path, const std::vector<Override>& overrides) {
    return load_experiment_file(find_config(ConfigKind::experiment, name_or_path, {}, {}), overrides);
}

MachineDescription load_machine(const std::string& name_or_path, const std::vector<Override>& overrides) {
    std::vector<Setting> settings;
    return build_machine(machine_with(find_config(ConfigKind::machine, name_or_path, {}, {}), overrides), settings);
}

SoftwareDescription load_software(const std::string& name_or_path, const std::vector<Override>& overrides) {
    std::vector<Setting> settings;
    return build_software(software_with(find_config(ConfigKind::software, name_or_path, {}, {}), overrides), settings);
}

ResolvedFile resolve_file(const std::string& name_or_path, const std::vector<Override>& overrides) {
    const std::filesystem::path path = find_any(name_or_path);
    const std::string kind = kind_of_file(path);
    ResolvedFile resolved;
    ResolvedFile::Group group;
    if (kind == "machine") {
        const MachineFile file = machine_with(path, overrides);
        build_machine(file, group.settings);
        resolved = {ConfigKind::machine, file.name, file.description, {}};
    } else if (kind == "software") {
        const SoftwareFile file = software_with(path, overrides);
        build_software(file, group.settings);
        resolved = {ConfigKind::software, file.name, file.description, {}};
    } else if (kind == "ipi-sequence") {
        const IpiSequence sequence = read_ipi_sequence_file(path);
        if (!overrides.empty()) {
            throw ConfigError(Origin::command_line(overrides.front().option), overrides.front().path,
                              "an ipi-sequence has no parameters");
        }
        group.settings = settings_of(sequence, path.string());
        resolved = {ConfigKind::ipi_sequence, sequence.name, sequence.description, {}};
    } else {
        ExperimentDescription experiment = load_experiment_file(path, overrides);
        resolved = {ConfigKind::experiment, experiment.name, experiment.description, {}};
        for (CaseDescription& each : experiment.cases) {
            resolved.groups.push_back({each.name, each.hash, std::move(each.settings)});
        }
        return resolved;
    }
    group.name = resolved.name;
    group.hash = configuration_hash(group.settings);
    resolved.groups.push_back(std::move(group));
    return resolved;
}

}  // namespace gicsim
