#ifndef GICSIM_TESTS_CONFIG_CONFIG_FIXTURE_H
#define GICSIM_TESTS_CONFIG_CONFIG_FIXTURE_H

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include "gicsim/config/load.h"
#include "support/catch.h"

namespace gicsim {

inline std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A private copy of the shipped configurations, to be spoilt by one edit a test.
class ConfigCopy {
public:
    ConfigCopy() : folder_(std::filesystem::temp_directory_path() / ("gicsim-config-" + std::to_string(getpid()))) {
        std::filesystem::remove_all(folder_);
        std::filesystem::copy(std::filesystem::path(GICSIM_SOURCE_DIR) / "configs", folder_,
                              std::filesystem::copy_options::recursive);
        setenv("GICSIM_DATA", folder_.c_str(), 1);
    }
    ~ConfigCopy() {
        unsetenv("GICSIM_DATA");
        std::filesystem::remove_all(folder_);
    }
    ConfigCopy(const ConfigCopy&) = delete;
    ConfigCopy& operator=(const ConfigCopy&) = delete;

    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

    void write(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
    }
    /// Replaces the first occurrence of `old`, which must be there.
    void replace(const std::string& name, const std::string& old, const std::string& fresh) const {
        std::string content = content_of(folder_ / name);
        const auto at = content.find(old);
        if (at == std::string::npos) throw std::logic_error("'" + old + "' is not in " + name);
        write(name, content.replace(at, old.size(), fresh));
    }
    /// "file:line:column" of the first occurrence of `text`.
    [[nodiscard]] std::string position(const std::string& name, const std::string& text) const {
        const std::string content = content_of(folder_ / name);
        const auto at = content.find(text);
        if (at == std::string::npos) throw std::logic_error("'" + text + "' is not in " + name);
        const std::string before = content.substr(0, at);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const auto column = at - (before.rfind('\n') + 1) + 1;
        return (folder_ / name).string() + ":" + std::to_string(line) + ":" + std::to_string(column);
    }

private:
    std::filesystem::path folder_;
};

/// What the ConfigError thrown by `action` says.
inline std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace gicsim

#endif
