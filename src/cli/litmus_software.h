#ifndef GICSIM_SRC_CLI_LITMUS_SOFTWARE_H
#define GICSIM_SRC_CLI_LITMUS_SOFTWARE_H

#include "command.h"
#include "gicsim/explore/litmus_runner.h"

namespace gicsim {

/// `gicsim litmus --software`: tests the IPI sequences of operating systems and prices their barriers.
ExitCode litmus_software(const CommandLine& line, const MachineDescription& machine,
                         const SoftwareDescription& software, LitmusOptions options, const Terminal& terminal);

}  // namespace gicsim

#endif
