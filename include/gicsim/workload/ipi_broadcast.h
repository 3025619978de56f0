#ifndef GICSIM_WORKLOAD_IPI_BROADCAST_H
#define GICSIM_WORKLOAD_IPI_BROADCAST_H

#include <vector>

#include "gicsim/workload/call_workload.h"

namespace gicsim {

/// "ipi-broadcast": smp_call_function_many_cond() of Linux 5.17 (kernel/smp.c). A csd for each target is locked, filled
/// and queued, then the doorbells are rung together, by one ICC_SGI1R_EL1 write for each Aff3.Aff2.Aff1 and sixteen
/// Aff0, or by one with IRM = 1; then the csds are waited for in turn. The sender is left out of its own mask.
class IpiBroadcast : public CallWorkload {
public:
    explicit IpiBroadcast(Kernel& kernel);
    void finish(RunResult& result) override;

protected:
    Task<> sender(Core& cpu) override;

private:
    Task<> call_many(Core& cpu);
    Task<> lock_and_queue(Core& cpu, std::size_t i);
    Task<> ring_doorbells(Core& cpu);
    Task<> wait_for_all(Core& cpu);
    [[nodiscard]] std::vector<std::uint64_t> sgi_values(std::span<const CpuId> targets) const;

    std::vector<CpuId> targets_;
    std::vector<CallData> csds_;             ///< by position in targets_
    std::vector<CpuId> to_ring_;             ///< whose queue was empty: cfd->cpumask_ipi
    std::vector<std::uint64_t> all_values_;  ///< the SGI writes that reach all targets
    std::uint64_t sgi_writes_ = 0;
};

}  // namespace gicsim

#endif
