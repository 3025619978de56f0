#ifndef GICSIM_WORKLOAD_IPI_CALL_H
#define GICSIM_WORKLOAD_IPI_CALL_H

#include <vector>

#include "gicsim/workload/call_workload.h"
#include "gicsim/workload/segment_book.h"

namespace gicsim {

/// smp_call_function_single() as Linux 5.17 performs it (kernel/smp.c), from one sender to each target in turn, as the
/// published IPI benchmark does: steps S1 to S9 on the sender, R1 to R15 on the target (docs/timing-model.md).
class IpiCall : public CallWorkload {
public:
    explicit IpiCall(Kernel& kernel);
    void finish(RunResult& result) override;

protected:
    Task<> sender(Core& cpu) override;

private:
    Task<> call(Core& cpu, CpuId target);

    SegmentBook segments_;
    CallData csd_{};                        ///< wait: on the sender's stack; else its per-CPU csd_data
    CpuId csd_user_{};                      ///< target of the last call
    std::vector<std::uint64_t> sgi_value_;  ///< by CPU
    std::uint64_t calls_ = 0;
    std::uint64_t local_calls_ = 0;
    Time between_calls_;  ///< spent on giving the remote lines back, no part of the total
};

}  // namespace gicsim

#endif
