#ifndef GICSIM_CONFIG_OPTIONS_H
#define GICSIM_CONFIG_OPTIONS_H

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gicsim/config/experiment.h"
#include "gicsim/config/quantity.h"

namespace gicsim {

/// One choice an experiment makes: what the workload does, and how often.
struct OptionSpec {
    std::string_view path;  ///< "options.barrier", "run.rounds"
    ValueRule rule;
    std::string_view standard;  ///< the value when nobody sets it
    std::string_view meaning;
    /// Writes the option into a case whose machine is already there; `value` is for the position in errors.
    /// Returns the canonical text.
    std::string (*set)(CaseDescription& target, const Quantity& quantity, const RawValue& value);
    /// How reports write a value of it: one spelling a meaning. A text that is no value stays as it is; nullptr: so
    /// does every text.
    std::string (*spell)(const std::string& text) = nullptr;

    [[nodiscard]] std::string_view key() const { return path.substr(path.find('.') + 1); }
};

/// Every option, in the order of the documentation.
const std::vector<OptionSpec>& option_table();

/// A program that experiments can run.
struct WorkloadSpec {
    std::string_view name;
    std::string_view meaning;
    std::vector<std::string_view> options;  ///< keys it knows beside those of `run`
    bool needs_other_target = false;        ///< with the sender as its only target it would do nothing
    bool measures_latency = false;          ///< a probe: the mean time of its calls is what it is for
};

const std::vector<WorkloadSpec>& workload_table();
/// Whether the workload of that name is a latency probe.
bool measures_latency(std::string_view workload);

/// Names of the placements, in the order of enum Placement.
const std::vector<std::string_view>& placement_names();

/// A value of the option `path` as reports write it; values of anything else stay as they are.
std::string spelled(std::string_view path, const std::string& text);

/// Throws ConfigError when the options of a case contradict each other.
/// @param origin_of the place where an option's value was written, by path.
void check_options(const WorkloadSpec& workload, const CaseDescription& target,
                   const std::function<Origin(const std::string& path)>& origin_of);

/// "0-3,7": CPUs in their order, runs of consecutive ones as a range.
std::string cpu_list_text(const std::vector<CpuId>& cpus);

/// Reads a CPU list as Linux prints it ("0-3,7"), or "all". Throws ConfigError at `value.origin`.
std::vector<CpuId> read_cpu_list(const RawValue& value, const std::string& path, std::size_t cpus);

}  // namespace gicsim

#endif
