#ifndef GICSIM_REPORT_OUTPUT_FOLDER_H
#define GICSIM_REPORT_OUTPUT_FOLDER_H

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gicsim {

/// Where results go. Nothing is created before write().
class OutputFolder {
public:
    /// Throws ConfigError when the folder could not be written: asked before a simulation that takes minutes.
    explicit OutputFolder(std::filesystem::path folder);

    /// Writes all files or, on an error, none: each first under another name beside its own, then all renamed.
    /// @param files name and content of each.
    void write(const std::vector<std::pair<std::string, std::string>>& files) const;

private:
    std::filesystem::path folder_;
};

}  // namespace gicsim

#endif
