#include "gicsim/config/error.h"

#include <fmt/core.h>

namespace gicsim {

namespace {

std::string whole_message(const Origin& origin, const std::string& path, const std::string& message,
                          const std::string& hint) {
    std::string text;
    if (!origin.file.empty() || !origin.option.empty()) text += origin.to_string() + ": ";
    if (!path.empty()) text += path + ": ";
    text += message;
    if (!hint.empty()) text += fmt::format(" ({})", hint);
    return text;
}

}  // namespace

std::string Origin::to_string() const {
    if (!option.empty()) return option;
    if (file.empty()) return "default";
    if (line == 0) return file;
    return fmt::format("{}:{}:{}", file, line, column);
}

ConfigError::ConfigError(Origin origin, std::string path, std::string message, std::string hint)
    : std::runtime_error(whole_message(origin, path, message, hint)),
      origin_(std::move(origin)),
      path_(std::move(path)),
      message_(std::move(message)),
      hint_(std::move(hint)) {}

}  // namespace gicsim
