#include "gicsim/cli/cli.h"

#include <fmt/format.h>

#include <ostream>

#include "command.h"
#include "gicsim/config/suggestion.h"
#include "gicsim/config/version.h"

namespace gicsim {

namespace {

constexpr std::string_view general_help = R"(Usage: gicsim COMMAND [options]

gicsim simulates the interrupt subsystem of ARM64 machines cycle by cycle: what does a barrier before an
inter-processor interrupt cost, and what does it buy, on this machine?

Commands:
  run EXPERIMENT       run an experiment and hold it against its measurement
  litmus [FILE...]     run litmus tests: is this barrier enough?
  check FILE           say whether a machine, software or experiment file is fine
  dump-config FILE     print every value and where it came from
  list WHAT            list barriers, placements, machines, software, workloads, experiments or parameters

Options:
  -h [ --help ]        show this help; each command has its own
  --version            show the version

Example:
  gicsim run kunpeng920-ipi --runs 2 --explain

Exit codes: 0 ok; 1 violation found or measurement missed; 2 bad command line; 3 bad file or I/O; 4 hung;
70 internal error; 130 interrupted.
)";

ExitCode dispatch(const std::vector<std::string>& arguments, const Terminal& terminal, const Runner& runner) {
    if (arguments.empty()) {
        terminal.err << general_help;
        return ExitCode::usage;
    }
    const std::string& first = arguments.front();
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (first == "--help" || first == "-h" || first == "help") {
        terminal.out << general_help;
        return ExitCode::ok;
    }
    if (first == "--version") {
        terminal.out << "gicsim " << version() << "\n";
        return ExitCode::ok;
    }
    if (first == "run") return command_run(rest, terminal, runner);
    if (first == "litmus") return command_litmus(rest, terminal);
    if (first == "check") return command_check(rest, terminal);
    if (first == "dump-config") return command_dump_config(rest, terminal);
    if (first == "list") return command_list(rest, terminal);
    throw UsageError(fmt::format("unknown command '{}'; {}", first,
                                 did_you_mean_or_list(first, {"run", "litmus", "check", "dump-config", "list"})));
}

}  // namespace

ExitCode run_cli(const std::vector<std::string>& arguments, const Terminal& terminal, const Runner& runner) {
    const auto complain = [&terminal](const std::string& message) {
        terminal.err << (terminal.colour ? "\033[1;31merror:\033[0m " : "error: ") << message << "\n";
    };
    try {
        const ExitCode code = dispatch(arguments, terminal, runner);
        terminal.out.flush();
        if (!terminal.out) {
            complain("the output could not be written");
            return ExitCode::file;
        }
        return code;
    } catch (const UsageError& error) {
        complain(error.what());
        return ExitCode::usage;
    } catch (const ConfigError& error) {
        complain(error.what());
        return error.from_command_line() ? ExitCode::usage : ExitCode::file;
    } catch (const std::exception& error) {
        complain(fmt::format("internal: {}", error.what()));
        return ExitCode::internal;
    }
}

}  // namespace gicsim
