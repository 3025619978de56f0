#ifndef GICSIM_SRC_LITMUS_ISLA_STATE_H
#define GICSIM_SRC_LITMUS_ISLA_STATE_H

#include "gicsim/config/toml_reader.h"
#include "gicsim/litmus/litmus_test.h"

namespace gicsim::litmus {

/// Reads `[thread.N]` init and reset: general registers (X0, R0, W0, SP), system registers and PSTATE fields. The
/// handlers of the thread must be known, for labels.
void read_initial_state(TableReader& values, std::string_view file_text, const LitmusTest& test, Thread& thread);

}  // namespace gicsim::litmus

#endif
