#ifndef GICSIM_SRC_CLI_COMMAND_H
#define GICSIM_SRC_CLI_COMMAND_H

#include <boost/program_options.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "gicsim/cli/cli.h"
#include "gicsim/config/load.h"

namespace gicsim {

/// A command line that cannot be understood.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What a subcommand accepts, and its help.
class CommandLine {
public:
    /// @param synopsis "run EXPERIMENT [options]"
    /// @param example a whole command line
    CommandLine(std::string synopsis, std::string summary, std::string example);

    boost::program_options::options_description_easy_init add() { return options_.add_options(); }

    /// Reads the arguments after the name of the subcommand; `positional` gets the words that are no options. Returns
    /// false after printing the help. Throws UsageError.
    bool parse(const std::vector<std::string>& arguments, std::ostream& out, std::vector<std::string>& positional);

    [[nodiscard]] bool has(const std::string& name) const { return values_.count(name) != 0; }
    [[nodiscard]] std::string text(const std::string& name) const { return values_[name].as<std::string>(); }
    [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
    /// The value of an option that takes one of a few words. Throws UsageError.
    [[nodiscard]] std::string one_of(const std::string& name, const std::vector<std::string>& words) const;

private:
    [[nodiscard]] std::string help() const;

    std::string synopsis_;
    std::string summary_;
    std::string example_;
    boost::program_options::options_description options_{"Options", 110};
    boost::program_options::variables_map values_;
};

/// Adds `--set path=value`.
void add_set_option(CommandLine& line);
/// The changes that --set asks for. Throws UsageError on one without '='.
std::vector<Override> set_overrides(const CommandLine& line);

ExitCode command_run(const std::vector<std::string>& arguments, const Terminal& terminal, const Runner& runner);
ExitCode command_check(const std::vector<std::string>& arguments, const Terminal& terminal);
ExitCode command_dump_config(const std::vector<std::string>& arguments, const Terminal& terminal);
ExitCode command_litmus(const std::vector<std::string>& arguments, const Terminal& terminal);
ExitCode command_list(const std::vector<std::string>& arguments, const Terminal& terminal);

}  // namespace gicsim

#endif
