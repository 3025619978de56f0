#ifndef GICSIM_CONFIG_LOAD_H
#define GICSIM_CONFIG_LOAD_H

#include <string>
#include <vector>

#include "gicsim/config/data_folder.h"
#include "gicsim/config/error.h"
#include "gicsim/config/experiment.h"

namespace gicsim {

/// A change from outside the files: `--set core.dsb="80 cycles"`, `--barrier "dsb sy"`.
struct Override {
    std::string path;  ///< of a parameter, or of an option with or without its "options." or "run."
    std::string value;
    std::string option;  ///< how the user gave it, for messages: "--barrier"
};

/// Load by name ("kunpeng920-96") or by path, with every check that needs no simulation. Throw ConfigError.
ExperimentDescription load_experiment(const std::string& name_or_path, const std::vector<Override>& overrides = {});
MachineDescription load_machine(const std::string& name_or_path, const std::vector<Override>& overrides = {});
SoftwareDescription load_software(const std::string& name_or_path, const std::vector<Override>& overrides = {});

/// Every value of a file and where it came from; an experiment lists one group of settings a case.
struct ResolvedFile {
    ConfigKind kind = ConfigKind::experiment;
    std::string name;
    std::string description;
    struct Group {
        std::string name;  ///< of the case; the file's name otherwise
        std::string hash;
        std::vector<Setting> settings;
    };
    std::vector<Group> groups;
};

/// Loads a file of any kind: what `gicsim check` and `gicsim dump-config` do.
ResolvedFile resolve_file(const std::string& name_or_path, const std::vector<Override>& overrides = {});

}  // namespace gicsim

#endif
