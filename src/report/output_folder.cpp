#include "gicsim/report/output_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "gicsim/config/error.h"

namespace gicsim {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const std::string& message) {
    throw ConfigError(Origin::in_file(path.string()), {}, message);
}

/// Makes a folder and those above it that are missing, and takes them away again unless it is told to keep them.
class NewFolders {
public:
    explicit NewFolders(const fs::path& folder) {
        std::error_code error;
        for (fs::path each = fs::absolute(folder); !fs::exists(each, error) && each.has_relative_path();
             each = each.parent_path()) {
            made_.push_back(each);
        }
        fs::create_directories(folder, error);
        if (!error) return;
        const std::string reason = error.message();
        remove();
        fail(folder, fmt::format("the output folder cannot be made: {}", reason));
    }
    ~NewFolders() { remove(); }
    NewFolders(const NewFolders&) = delete;
    NewFolders& operator=(const NewFolders&) = delete;
    void keep() { made_.clear(); }

private:
    /// Innermost first; one that holds anything stays.
    void remove() const {
        std::error_code ignored;
        for (const fs::path& each : made_) fs::remove(each, ignored);
    }
    std::vector<fs::path> made_;
};

}  // namespace

OutputFolder::OutputFolder(fs::path folder) : folder_(std::move(folder)) {
    if (folder_.empty()) throw ConfigError(Origin::command_line("--out"), {}, "the output folder has no name");
    // What is not there yet can be made if the nearest folder that is there can be written.
    std::error_code error;
    fs::path nearest = fs::absolute(folder_);
    while (!fs::exists(nearest, error) && nearest.has_relative_path()) nearest = nearest.parent_path();
    if (!fs::is_directory(nearest, error)) fail(folder_, fmt::format("{} is not a folder", nearest.string()));
    if (access(nearest.c_str(), W_OK | X_OK) != 0) {
        fail(folder_, fmt::format("the output folder is not writable: {}", std::strerror(errno)));
    }
}

void OutputFolder::write(const std::vector<std::pair<std::string, std::string>>& files) const {
    std::error_code error;
    NewFolders made(folder_);
    const std::string suffix = fmt::format(".{}.tmp", getpid());
    const auto drop_temporaries = [&] {
        for (const auto& [name, content] : files) fs::remove(folder_ / (name + suffix), error);
    };
    for (const auto& [name, content] : files) {
        const fs::path temporary = folder_ / (name + suffix);
        errno = 0;
        std::ofstream stream(temporary, std::ios::binary);
        stream << content;
        stream.close();
        if (!stream) {
            const std::string reason = std::strerror(errno);
            drop_temporaries();
            fail(folder_ / name, fmt::format("cannot be written: {}", reason));
        }
    }
    for (const auto& [name, content] : files) {
        fs::rename(folder_ / (name + suffix), folder_ / name, error);
        if (error) {
            const std::string reason = error.message();
            drop_temporaries();
            fail(folder_ / name, fmt::format("cannot be written: {}", reason));
        }
    }
    made.keep();
}

}  // namespace gicsim
