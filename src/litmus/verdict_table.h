#ifndef GICSIM_SRC_LITMUS_VERDICT_TABLE_H
#define GICSIM_SRC_LITMUS_VERDICT_TABLE_H

#include "gicsim/config/toml_reader.h"
#include "gicsim/litmus/litmus_test.h"

namespace gicsim::litmus {

/// { verdict = "allowed", source = "why" }
Expected read_verdict(TableReader& table);

}  // namespace gicsim::litmus

#endif
