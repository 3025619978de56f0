#ifndef GICSIM_WORKLOAD_HANG_REPORT_H
#define GICSIM_WORKLOAD_HANG_REPORT_H

#include <string>
#include <vector>

#include "gicsim/workload/kernel.h"

namespace gicsim {

/// Who waits for what when a run does not get on: "cpu0 waits for an event (wfe), and for cpu3 to unlock the call data
/// (csd) of its call", "cpu3 waits for an interrupt (wfi); SGI 1 is pending". CPUs of which the same is to be said
/// share a line; those that neither wait nor have an SGI have none.
std::vector<std::string> who_waits_for_what(Kernel& kernel);

}  // namespace gicsim

#endif
