#ifndef GICSIM_CONFIG_PARAMETER_FILE_H
#define GICSIM_CONFIG_PARAMETER_FILE_H

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gicsim/config/cpu_table.h"
#include "gicsim/config/parameters.h"
#include "gicsim/config/quantity.h"
#include "gicsim/config/setting.h"

namespace gicsim {

/// A parameter as a file gives it.
struct ParameterSetting {
    RawValue value;
    std::string source;
    std::string status;
};

/// By path. What a file says, with the changes of an experiment or of the command line on top.
using ParameterSettings = std::map<std::string, ParameterSetting, std::less<>>;

/// A machine file, read but not yet resolved: values may still be changed by path.
struct MachineFile {
    struct LinkKind {
        std::string name;
        std::vector<std::pair<RawValue, RawValue>> ends;
        Origin origin;
    };
    std::string file;
    std::string name;
    std::string description;
    std::string cpu_file;
    Origin cpus_origin;
    std::vector<CpuRow> cpus;
    std::vector<RawValue> stops;  ///< of the ring of a die, in order
    Origin stops_origin;
    std::vector<LinkKind> links;
    ParameterSettings parameters;
};

/// A software file, read but not yet resolved.
struct SoftwareFile {
    std::string file;
    std::string name;
    std::string description;
    ParameterSettings parameters;
};

/// Throw ConfigError on anything but a complete file: an unknown key, a parameter without value, source or status, a
/// parameter that is missing.
MachineFile read_machine_file(const std::filesystem::path& file);
SoftwareFile read_software_file(const std::filesystem::path& file);

/// Changes one parameter. Returns false when the file has none of that path.
bool override_parameter(ParameterSettings& parameters, const std::string& path, const RawValue& value);

/// The description, and in `settings` where each value came from. Throw ConfigError on a value that does not fit.
MachineDescription build_machine(const MachineFile& file, std::vector<Setting>& settings);
SoftwareDescription build_software(const SoftwareFile& file, std::vector<Setting>& settings);

}  // namespace gicsim

#endif
