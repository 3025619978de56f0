#ifndef GICSIM_GIC_GIC_PARAMETERS_H
#define GICSIM_GIC_GIC_PARAMETERS_H

#include <string>

#include "gicsim/arch/mutant.h"
#include "gicsim/arch/time.h"

namespace gicsim {

/// Chips, each with a Distributor of its own, that a machine may have.
constexpr unsigned most_distributors = 64;

/// The physical quantities and options of a GICv3.
struct GicParameters {
    bool single_security = false;  ///< GICD_CTLR.DS fixed to 1: one Security state
    unsigned priority_bits = 5;
    unsigned spis = 0;                 ///< INTIDs from 32 on, 0 to 988
    unsigned extended_spis = 0;        ///< INTIDs from 4096 on, 0 to 1024 in steps of 32
    unsigned extended_ppis = 0;        ///< INTIDs from 1056 on, 0, 32 or 64 for each PE
    bool non_maskable = false;         ///< FEAT_GICv3_NMI: GICD_INMIR<n>, GICR_INMIR<n>, ICC_NMIAR1_EL1
    bool one_of_n = false;             ///< SPIs for any one PE that participates: GICD_TYPER.No1N = 0, GICR_CTLR.DPG*
    std::string sgi_routing = "home";  ///< name of an SGI routing policy
    std::string distributor_node;      ///< fabric node of GICD, and of the home distributor of policy "home"
    Time route;                        ///< distributor: SGI packet in to SGI packet out
    Time redistributor;                ///< redistributor: packet in to packet out
    Time stream_latency;               ///< redistributor <-> CPU interface, one way
    Time stream_beat;                  ///< one 16-bit beat of that link
    unsigned stream_credits = 2;       ///< packets in flight on that link, each way
    Mutant mutant = Mutant::none;
    Time register_access;         ///< GICD or GICR frame: access in to answer out
    Time register_write_pending;  ///< GICD_CTLR.RWP, GICR_CTLR.RWP: how long a change takes to be seen everywhere
    Time sleep;                   ///< GICR_WAKER: ProcessorSleep change to its effect, besides the Quiesce exchange
};

}  // namespace gicsim

#endif
