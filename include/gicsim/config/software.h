#ifndef GICSIM_CONFIG_SOFTWARE_H
#define GICSIM_CONFIG_SOFTWARE_H

#include <string>

#include "gicsim/arch/time.h"

namespace gicsim {

/// What the steps of a kernel's IPI path cost beside the memory, barrier and system-register operations that the
/// workload performs one by one. Step names S1-S9, R1-R15 are those of docs/timing-model.md.
struct SoftwareDescription {
    std::string name;
    Cycles call_entry;         ///< S1, S3: smp_call_function_single up to the first csd store
    Cycles send_lookup;        ///< S6a: ipi_desc, irq chip, cpu_logical_map
    Cycles wait_loop;          ///< one turn of the csd_lock_wait loop beside its load and WFE
    Cycles call_return;        ///< S9
    Cycles local_call;         ///< the call to oneself: no IPI
    Cycles irq_entry;          ///< R1-R3: vector, register save, irq_enter, idle and tick exit
    Cycles irq_dispatch;       ///< R6, R7: domain and descriptor look-up, accounting
    Cycles flush_queue;        ///< R9, R10: list reversal beside its memory operations
    Cycles function;           ///< R11: the called function itself
    Cycles irq_exit;           ///< R14, R15
    bool eoi_mode_1 = true;    ///< EOImode: priority drop and deactivation split
    unsigned saved_lines = 0;  ///< cache lines of the stack written by the register save
};

}  // namespace gicsim

#endif
