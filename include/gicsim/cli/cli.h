#ifndef GICSIM_CLI_CLI_H
#define GICSIM_CLI_CLI_H

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "gicsim/explore/runner.h"

namespace gicsim {

/// What gicsim tells the shell.
enum class ExitCode : int {
    ok = 0,
    violation = 1,  ///< the run found a violation or missed its measurement
    usage = 2,      ///< bad value or usage on the command line
    file = 3,       ///< bad file, or input and output
    hung = 4,       ///< a run could make no progress
    internal = 70,
    interrupted = 130,
};

/// Where the command line talks: data to `out`, everything else to `err`.
struct Terminal {
    std::ostream& out;
    std::ostream& err;
    bool err_is_terminal = false;  ///< then a progress bar is shown
    bool colour = false;
};

/// How an experiment is run; tests put something quicker in its place.
using Runner = std::function<ExperimentResult(const ExperimentDescription&, const RunnerOptions&, Progress&)>;

/// The whole command line, without the program's name. Throws nothing.
ExitCode run_cli(const std::vector<std::string>& arguments, const Terminal& terminal, const Runner& runner);

}  // namespace gicsim

#endif
