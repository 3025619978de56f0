#ifndef GICSIM_CONFIG_DATA_FOLDER_H
#define GICSIM_CONFIG_DATA_FOLDER_H

#include <filesystem>
#include <string>
#include <vector>

#include "gicsim/config/error.h"

namespace gicsim {

enum class ConfigKind : std::uint8_t { machine, software, experiment, ipi_sequence };

/// "machine", "software", "experiment", "ipi-sequence".
std::string_view name_of(ConfigKind kind);

/// The folder that holds machines/, software/ and experiments/: the environment variable GICSIM_DATA, else the
/// configs/ of the source tree gicsim was built from, else the one it was installed with.
std::filesystem::path data_folder();

/// A name ("kunpeng920-96") is looked up in the data folder; what has a '/' or ends in ".toml" is a path.
/// @param base folder that relative paths start from.
/// @param origin where the name was written, for the message.
std::filesystem::path find_config(ConfigKind kind, const std::string& name_or_path, const std::filesystem::path& base,
                                  const Origin& origin);

/// The names find_config() knows, sorted.
std::vector<std::string> known_configs(ConfigKind kind);

}  // namespace gicsim

#endif
