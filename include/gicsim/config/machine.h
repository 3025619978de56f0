#ifndef GICSIM_CONFIG_MACHINE_H
#define GICSIM_CONFIG_MACHINE_H

#include <string>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "gicsim/core/core_parameters.h"
#include "gicsim/fabric/fabric_description.h"
#include "gicsim/gic/gic_parameters.h"
#include "gicsim/memory/memory_parameters.h"

namespace gicsim {

/// Where one CPU is and what it is called.
struct CpuPlace {
    Affinity affinity;
    std::uint64_t gicr_base = 0;  ///< physical address of its RD_base frame
    unsigned socket = 0;
    unsigned die = 0;      ///< counted over the whole machine
    unsigned cluster = 0;  ///< counted within the die
    unsigned core = 0;     ///< counted within the cluster
    unsigned thread = 0;
    NodeId node{};  ///< the fabric node its core link ends at
};

/// One die: where its shared parts sit in the fabric. A die is also the NUMA node of its memory.
struct DiePlace {
    unsigned socket = 0;
    std::vector<NodeId> l3_slices;    ///< at least one
    std::vector<NodeId> home_agents;  ///< at least one
    NodeId gic{};                     ///< its redistributors, and its distributor where a chip has one
};

/// A machine, resolved: every number is a time, a count or a place.
struct MachineDescription {
    std::string name;
    std::vector<CpuPlace> cpus;  ///< by CpuId
    std::vector<DiePlace> dies;
    Time core_link;           ///< core to the node of its cluster, one way
    Time core_link_per_byte;  ///< how long one byte keeps that link busy
    CoreParameters core;
    MemoryParameters memory;
    FabricDescription fabric;
    GicParameters gic;
    std::uint64_t gicd_base = 0;
};

}  // namespace gicsim

#endif
