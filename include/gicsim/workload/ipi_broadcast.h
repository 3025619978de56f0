#ifndef GICSIM_WORKLOAD_IPI_BROADCAST_H
#define GICSIM_WORKLOAD_IPI_BROADCAST_H

#include <vector>

#include "gicsim/workload/call_queues.h"
#include "gicsim/workload/remote_lines.h"
#include "gicsim/workload/workload.h"

namespace gicsim {

/// "ipi-broadcast": smp_call_function_many_cond() of Linux 5.17 (kernel/smp.c). A csd for each target is locked, filled
/// and queued, then the doorbells are rung together, by one ICC_SGI1R_EL1 write for each Aff3.Aff2.Aff1 and sixteen
/// Aff0, or by one with IRM = 1; then the csds are waited for in turn. The sender is left out of its own mask.
class IpiBroadcast : public Workload {
public:
    explicit IpiBroadcast(Kernel& kernel);
    void start() override;
    void finish(RunResult& result) override;
    [[nodiscard]] std::uint64_t rounds_done() const override { return rounds_done_; }

private:
    Task<> sender(Core& cpu);
    Task<> call_many(Core& cpu);
    Task<> lock_and_queue(Core& cpu, std::size_t i);
    Task<> ring_doorbells(Core& cpu);
    [[nodiscard]] std::vector<std::uint64_t> sgi_values(std::span<const CpuId> targets) const;

    Kernel& kernel_;
    const WorkloadOptions& options_;
    CallQueues queues_;
    Rendezvous rendezvous_;
    RemoteLines remote_;
    std::vector<CpuId> targets_;
    std::vector<CallData> csds_;             ///< by position in targets_
    std::vector<CpuId> to_ring_;             ///< whose queue was empty: cfd->cpumask_ipi
    std::vector<std::uint64_t> all_values_;  ///< the SGI writes that reach all targets
    std::vector<Location> payload_;
    std::uint64_t rounds_done_ = 0;
    std::uint64_t ipis_ = 0;
    std::uint64_t sgi_writes_ = 0;
    Time total_;
    Core::Program sender_program_;
    Core::Program target_program_;
    Core::Program owner_program_;
    Core::Program handler_program_;
    Kernel::Body body_;
};

}  // namespace gicsim

#endif
