#include "gicsim/config/data_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "gicsim/config/suggestion.h"

namespace gicsim {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(ConfigKind kind) {
    switch (kind) {
        case ConfigKind::machine: return data_folder() / "machines";
        case ConfigKind::software: return data_folder() / "software";
        case ConfigKind::ipi_sequence: return data_folder() / "software" / "ipi";
        case ConfigKind::experiment: break;
    }
    return data_folder() / "experiments";
}

/// Relative to the current folder when it is below it: shorter in messages.
fs::path shortened(const fs::path& file) {
    std::error_code error;
    const fs::path current = fs::current_path(error);
    if (error) return file;
    const fs::path relative = file.lexically_relative(current);
    return relative.empty() || *relative.begin() == ".." ? file : relative;
}

}  // namespace

std::string_view name_of(ConfigKind kind) {
    switch (kind) {
        case ConfigKind::machine: return "machine";
        case ConfigKind::software: return "software";
        case ConfigKind::ipi_sequence: return "ipi-sequence";
        case ConfigKind::experiment: break;
    }
    return "experiment";
}

fs::path data_folder() {
    if (const char* named = std::getenv("GICSIM_DATA"); named != nullptr && *named != '\0') return named;
    std::error_code ignored;
    const fs::path source = GICSIM_SOURCE_CONFIGS;
    return fs::is_directory(source, ignored) ? source : fs::path(GICSIM_INSTALLED_CONFIGS);
}

fs::path find_config(ConfigKind kind, const std::string& name_or_path, const fs::path& base, const Origin& origin) {
    std::error_code ignored;
    if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml")) {
        fs::path file = (base / name_or_path).lexically_normal();
        if (!fs::exists(file, ignored)) {
            const bool named_in_file = !origin.file.empty();
            throw ConfigError(
                named_in_file ? origin : Origin::in_file(file.string()), {},
                named_in_file ? fmt::format("there is no file {}", file.string()) : "there is no such file");
        }
        return file;
    }
    fs::path file = folder_of(kind) / (name_or_path + ".toml");
    if (!fs::exists(file, ignored)) {
        throw ConfigError(origin, {}, fmt::format("unknown {} '{}'", name_of(kind), name_or_path),
                          did_you_mean_or_list(name_or_path, known_configs(kind)));
    }
    return shortened(file);
}

std::vector<std::string> known_configs(ConfigKind kind) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_of(kind), error)) {
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace gicsim
