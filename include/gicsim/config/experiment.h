#ifndef GICSIM_CONFIG_EXPERIMENT_H
#define GICSIM_CONFIG_EXPERIMENT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "gicsim/arch/barrier.h"
#include "gicsim/config/machine.h"
#include "gicsim/config/setting.h"
#include "gicsim/config/software.h"

namespace gicsim {

/// Where the barrier stands in the sender's sequence.
enum class Placement : std::uint8_t { none, before_group, before_each, after };

/// The sequence around the SGI register writes. Workloads hand `barrier` to the core unread.
struct SendPolicy {
    Barrier barrier;
    Placement placement = Placement::before_group;
    bool isb_before = false;
    bool isb_after = true;
};

/// What a workload is told. Options that a workload does not know are refused when the file is read.
struct WorkloadOptions {
    std::string workload;  ///< "ipi-call", "ipi-broadcast", "ipi-resched", "message-passing", probes
    SendPolicy send;
    CpuId sender{};
    std::vector<CpuId> targets;
    std::uint64_t rounds = 1;
    unsigned payload_lines = 0;         ///< lines owned by the sender, written just before each call
    unsigned remote_lines = 0;          ///< lines owned elsewhere, stored before the payload with a DMB between
    CpuId remote_owner{};               ///< who owns them
    bool wait = true;                   ///< smp_call_function_single(wait)
    bool irm = false;                   ///< ipi-broadcast: one write with IRM = 1
    bool receiver_running = false;      ///< targets spin instead of waiting in WFI
    std::string csd_home = "sender";    ///< "sender", "target", or a die: "die0"
    std::string queue_home = "target";  ///< likewise, of the per-CPU call queues
    bool page_draw = true;              ///< draw the physical pages anew for each run
};

/// A latency as it was measured: one value, or the least and the greatest.
struct MeasuredLatency {
    Time least;
    Time greatest;
};

/// One row of an experiment: the base with some values changed, and what it is held against.
struct CaseDescription {
    std::string name;
    MachineDescription machine;
    SoftwareDescription software;
    WorkloadOptions options;
    unsigned runs = 1;
    std::uint64_t seed = 1;            ///< of run 0; run k has seed + k
    std::vector<double> reference_ns;  ///< measured totals of the reference, ns a run; empty when there is none
    std::optional<MeasuredLatency> measured_latency;  ///< of one call of a latency probe
    std::string reference_name;                       ///< where the measurement is from: file, Message-ID, ...
    std::string role;                                 ///< "fitted", "predicted" or empty
    std::vector<Setting> settings;                    ///< every value and where it came from
    std::string hash;                                 ///< configuration_hash() of the settings
};

struct ExperimentDescription {
    std::string name;
    std::string description;
    std::vector<CaseDescription> cases;  ///< at least one
};

}  // namespace gicsim

#endif
