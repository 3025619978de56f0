#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "command.h"
#include "gicsim/config/suggestion.h"

namespace gicsim {

namespace po = boost::program_options;

CommandLine::CommandLine(std::string synopsis, std::string summary, std::string example)
    : synopsis_(std::move(synopsis)), summary_(std::move(summary)), example_(std::move(example)) {
    options_.add_options()("help,h", "show this help");
}

bool CommandLine::parse(const std::vector<std::string>& arguments, std::ostream& out,
                        std::vector<std::string>& positional) {
    // Abbreviated options would change their meaning when a new option comes.
    constexpr int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    try {
        const po::parsed_options parsed =
            po::command_line_parser(arguments).options(options_).style(style).allow_unregistered().run();
        for (const auto& option : parsed.options) {
            if (option.unregistered) {
                std::vector<std::string> known;
                for (const auto& each : options_.options()) known.push_back("--" + each->long_name());
                const std::string name =
                    option.original_tokens.front().substr(0, option.original_tokens.front().find('='));
                throw UsageError(fmt::format("unknown option '{}'; {}", name, did_you_mean_or_list(name, known)));
            }
            if (option.position_key >= 0) positional.insert(positional.end(), option.value.begin(), option.value.end());
        }
        po::store(parsed, values_);
        po::notify(values_);
    } catch (const po::error& error) {
        throw UsageError(error.what());
    }
    if (!has("help")) return true;
    out << help();
    return false;
}

std::vector<std::string> CommandLine::texts(const std::string& name) const {
    return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::string CommandLine::one_of(const std::string& name, const std::vector<std::string>& words) const {
    std::string word = text(name);
    if (std::find(words.begin(), words.end(), word) != words.end()) return word;
    throw UsageError(fmt::format("--{}: unknown choice '{}' (known: {})", name, word, fmt::join(words, ", ")));
}

std::string CommandLine::help() const {
    std::ostringstream text;
    text << "Usage: gicsim " << synopsis_ << "\n\n"
         << summary_ << "\n\n"
         << options_ << "\nExample:\n  " << example_ << "\n";
    return text.str();
}

void add_set_option(CommandLine& line) {
    line.add()("set", po::value<std::vector<std::string>>()->composing()->value_name("PATH=VALUE"),
               "change a parameter or option by its path; may be repeated");
}

std::vector<Override> set_overrides(const CommandLine& line) {
    std::vector<Override> overrides;
    for (const std::string& text : line.texts("set")) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw UsageError(fmt::format("--set: '{}' is not PATH=VALUE, such as core.dsb=\"80 cycles\"", text));
        }
        overrides.push_back({text.substr(0, equals), text.substr(equals + 1), "--set"});
    }
    return overrides;
}

}  // namespace gicsim
