#ifndef GICSIM_MEMORY_MEMORY_PARAMETERS_H
#define GICSIM_MEMORY_MEMORY_PARAMETERS_H

#include "gicsim/arch/mutant.h"
#include "gicsim/arch/time.h"

namespace gicsim {

/// The physical quantities of caches, directories and memory. Coherence works on lines of 64 bytes.
struct MemoryParameters {
    Time miss_detect;  ///< private cache look-up that finds nothing, until the request leaves the core
    Time snoop;        ///< private cache look-up for a snoop, until the answer leaves the core
    Time fill;         ///< arrival of a line at the core until the waiting instruction has it
    Time l3_lookup;    ///< tag look-up of an L3 slice, for a request, a snoop or an answer that needs a decision
    Time l3_data;      ///< data array of an L3 slice, when the slice itself supplies the line
    Time home_lookup;  ///< directory look-up of a home agent
    Time dram;         ///< DRAM access, from home agent to home agent
    Mutant mutant = Mutant::none;
};

}  // namespace gicsim

#endif
