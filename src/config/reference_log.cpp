#include "gicsim/config/reference_log.h"

#include <fmt/core.h>

#include <regex>
#include <sstream>

#include "gicsim/config/error.h"
#include "gicsim/config/toml_reader.h"

namespace gicsim {

ReferenceLog read_reference_log(const std::filesystem::path& file) {
    // A kernel time stamp may precede the message; nothing may follow the number.
    static const std::regex form(R"((?:\[ *\d+\.\d+\] )?ipi_latency_init ipi from cpu(\d{1,9}) to cpu([0-9,-]+) )"
                                 R"(delta of (\d{1,18})times:(\d{1,15})\s*)");
    ReferenceLog log;
    std::istringstream content(read_text_file(file));
    unsigned number = 0;
    for (std::string line; std::getline(content, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const Origin origin = Origin::in_file(file.string(), number, 1);
        std::smatch match;
        if (!std::regex_match(line, match, form)) {
            throw ConfigError(origin, {}, "is no line of a reference log",
                              "expected 'ipi_latency_init ipi from cpuA to cpuB-C delta of Ntimes:T'");
        }
        ReferenceLog here;
        here.sender = static_cast<unsigned>(std::stoul(match[1].str()));
        here.targets = match[2].str();
        here.rounds = std::stoull(match[3].str());
        if (!log.totals_ns.empty() &&
            (here.sender != log.sender || here.targets != log.targets || here.rounds != log.rounds)) {
            throw ConfigError(origin, {},
                              "is about another sender, other targets or other rounds than the line before");
        }
        here.totals_ns = std::move(log.totals_ns);
        here.totals_ns.push_back(std::stod(match[4].str()));
        log = std::move(here);
    }
    if (log.totals_ns.empty()) throw ConfigError(Origin::in_file(file.string()), {}, "holds no measurement");
    return log;
}

}  // namespace gicsim
