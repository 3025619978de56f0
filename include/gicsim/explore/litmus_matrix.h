#ifndef GICSIM_EXPLORE_LITMUS_MATRIX_H
#define GICSIM_EXPLORE_LITMUS_MATRIX_H

#include <string>
#include <vector>

#include "gicsim/explore/litmus_runner.h"

namespace gicsim {

/// Where the lines of a matrix test are Modified at the start.
struct LinesAt {
    std::string name;  ///< "sender", "other die", "other socket"
    unsigned cpu = 0;
};
/// The sender's own cache, and, as far as the machine has them, that of a CPU of another die of its socket and of one
/// of another socket; none of them is the receiver, CPU 1.
std::vector<LinesAt> matrix_places(const MachineDescription& machine);

/// The barrier matrix: every test of the suite's matrix folder with every order before the SGI (SenderOrder::all()) and
/// its lines at every place. The variant of a job is "<order>, <place>".
std::vector<LitmusJob> matrix_jobs(const MachineDescription& machine);

}  // namespace gicsim

#endif
