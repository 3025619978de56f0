#ifndef GICSIM_SRC_CONFIG_EXPERIMENT_FILE_H
#define GICSIM_SRC_CONFIG_EXPERIMENT_FILE_H

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gicsim/config/quantity.h"

namespace gicsim {

/// Values by path: "options.barrier", "run.rounds", "gic.route".
using RawValues = std::map<std::string, RawValue, std::less<>>;

/// One [[case]], read but not resolved.
struct CaseFile {
    std::string name;
    Origin origin;
    RawValues values;
    std::filesystem::path reference;  ///< empty when there is none
    std::vector<RawValue> measured;   ///< a latency, or its least and greatest value
    Origin reference_origin;          ///< of `reference` or `measured`
    std::string reference_source;
    std::string role;
    std::string swept_from;  ///< the case it was unfolded from; empty when it was not
    Origin swept_at;         ///< of the swept value that tells it from its neighbour
};

/// An experiment file, read but not resolved. Sweeps are already unfolded into cases.
struct ExperimentFile {
    std::filesystem::path file;
    std::string name;
    std::string description;
    RawValue machine;
    RawValue software;
    RawValue workload;
    RawValues base;
    std::vector<CaseFile> cases;  ///< at least one
};

ExperimentFile read_experiment_file(const std::filesystem::path& file);

/// The full path of an option given without its "options." or "run."; other paths stay as they are.
std::string full_path(const std::string& path);
/// A path as it stands in a case's name.
std::string short_path(const std::string& path);

}  // namespace gicsim

#endif
