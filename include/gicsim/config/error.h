#ifndef GICSIM_CONFIG_ERROR_H
#define GICSIM_CONFIG_ERROR_H

#include <stdexcept>
#include <string>

namespace gicsim {

/// Where a value was written: a place in a file, an option of the command line, or gicsim's own default.
struct Origin {
    std::string file;   ///< empty when the value did not come from a file
    unsigned line = 0;  ///< from 1; 0 when the file as a whole is meant
    unsigned column = 0;
    std::string option;  ///< "--set", "--barrier", ...; empty when it did not come from the command line

    static Origin in_file(std::string file, unsigned line = 0, unsigned column = 0) {
        return {std::move(file), line, column, {}};
    }
    static Origin command_line(std::string option) { return {{}, 0, 0, std::move(option)}; }
    static Origin standard() { return {}; }

    /// "file:line:column", the option, or "default".
    [[nodiscard]] std::string to_string() const;
};

/// A configuration that cannot be used. what() is the whole message on one line:
/// "file:line:column: path: message (hint)".
class ConfigError : public std::runtime_error {
public:
    ConfigError(Origin origin, std::string path, std::string message, std::string hint = {});

    [[nodiscard]] const Origin& origin() const { return origin_; }
    [[nodiscard]] const std::string& path() const { return path_; }  ///< of the parameter, "core.dsb"; may be empty
    [[nodiscard]] const std::string& message() const { return message_; }
    [[nodiscard]] const std::string& hint() const { return hint_; }
    /// Whether the user mends it by another command line rather than by another file.
    [[nodiscard]] bool from_command_line() const { return origin_.file.empty(); }

private:
    Origin origin_;
    std::string path_;
    std::string message_;
    std::string hint_;
};

}  // namespace gicsim

#endif
