#ifndef GICSIM_SRC_CLI_LITMUS_OUTPUT_H
#define GICSIM_SRC_CLI_LITMUS_OUTPUT_H

#include <functional>

#include "command.h"

namespace gicsim {

/// Writes witnesses and prints a report. When the witnesses cannot be written the report is printed all the same, and
/// the error is thrown only then.
/// @param write_witnesses empty when there are none to write
/// @param forget_witnesses takes their files' names out of the report when they could not be written
void write_and_print(const Terminal& terminal, const std::function<void()>& write_witnesses,
                     const std::function<void()>& forget_witnesses, const std::function<void()>& print);

/// Says that a report is of what had been executed when the user interrupted it.
ExitCode say_interrupted(const Terminal& terminal);

}  // namespace gicsim

#endif
