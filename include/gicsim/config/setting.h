#ifndef GICSIM_CONFIG_SETTING_H
#define GICSIM_CONFIG_SETTING_H

#include <string>
#include <vector>

namespace gicsim {

/// One value of a resolved configuration and where it came from: a line of `gicsim dump-config`.
struct Setting {
    std::string path;       ///< "core.dsb", "options.barrier", "fabric.die.stops"
    std::string value;      ///< as written, normalised: "78 cycles"
    std::string canonical;  ///< what it comes to: "30000000 fs"; equal exactly when the meaning is equal
    std::string source;     ///< of the figure; empty for options, which are choices and no figures
    std::string status;  ///< measured, derived, assumed, hypothesis; "override" when it was changed; empty for options
    std::string origin;  ///< "file:line:column", "--set", "default"
    bool settable = true;  ///< by --set; the shape of a machine and the names of files are not
};

/// 16 hexadecimal digits over paths and canonical values (64-bit FNV-1a). Two configurations with the same hash
/// simulate the same machine, software and workload; seeds and the number of runs are not part of it.
std::string configuration_hash(const std::vector<Setting>& settings);

/// 64-bit FNV-1a of a text.
std::string text_hash(const std::string& text);

}  // namespace gicsim

#endif
