#ifndef GICSIM_SRC_CONFIG_REGISTER_FRAMES_H
#define GICSIM_SRC_CONFIG_REGISTER_FRAMES_H

#include <cstdint>

#include "gicsim/config/parameter_file.h"

namespace gicsim {

/// Throws ConfigError when the Distributor's frame is not aligned, or two register frames of the machine overlap: an
/// access would reach the wrong one.
void check_register_frames(const MachineFile& file, std::uint64_t gicd_base);

}  // namespace gicsim

#endif
