#include "gicsim/config/setting.h"

#include <fmt/core.h>

#include <cstdint>

namespace gicsim {

std::string text_hash(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3;
    }
    return fmt::format("{:016x}", hash);
}

std::string configuration_hash(const std::vector<Setting>& settings) {
    std::string all;
    for (const Setting& setting : settings) {
        if (setting.path == "run.runs" || setting.path == "run.seed") continue;
        all += setting.path + "=" + setting.canonical + "\n";
    }
    return text_hash(all);
}

}  // namespace gicsim
