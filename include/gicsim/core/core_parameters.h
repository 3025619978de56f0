#ifndef GICSIM_CORE_CORE_PARAMETERS_H
#define GICSIM_CORE_CORE_PARAMETERS_H

#include <cstdint>

#include "gicsim/arch/mutant.h"
#include "gicsim/arch/time.h"

namespace gicsim {

/// Which DSBs wait until the GIC has acknowledged the PE's earlier upstream commands (IHI 0069, 4.1.1 asks for it of
/// the DSB after an ICC_IAR read; whether every access type does so is implementation defined).
enum class DsbGicAck : std::uint8_t { all_types, full_only };

/// The physical quantities of one core. Lengths given in cycles in a machine file arrive here as times of its clock.
struct CoreParameters {
    ClockDomain clock{1'000'000'000};
    Time load_to_use;    ///< load that hits the private caches
    Time store_forward;  ///< load served by the core's own store buffer
    unsigned store_buffer_entries = 1;
    unsigned load_queue_entries = 1;  ///< loads under way that the program does not wait for
    Time store_drain_interval;        ///< least time between two stores that the buffer hands to the cache
    unsigned ownership_requests = 1;  ///< stores waiting for ownership of different lines at one time
    Time atomic;                      ///< read-modify-write of a line that is owned
    Time dsb;                         ///< DSB with nothing outstanding
    Time isb;                         ///< pipeline flush and refetch
    Time system_register_read;        ///< ICC_* read
    Time system_register_write;       ///< ICC_* write, to the moment its packet leaves
    Time wfi_wake;                    ///< wake-up event to first instruction
    Time wfe_wake;                    ///< event to first instruction
    Time exception_entry;
    Time exception_return;
    Time device_access;  ///< core's own share of a Device load or store, each way
    DsbGicAck dsb_gic_ack = DsbGicAck::all_types;
    /// Hypothesis, off by default: a DSB of full-system domain that covers stores first has the home confirm each line
    /// that was written on an already owned copy since the last such barrier.
    bool dsb_confirms_owned_writes = false;
    Mutant mutant = Mutant::none;
    Time dsb_confirm_interval;  ///< least time between two such confirmations leaving the core
};

}  // namespace gicsim

#endif
