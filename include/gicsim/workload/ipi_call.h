#ifndef GICSIM_WORKLOAD_IPI_CALL_H
#define GICSIM_WORKLOAD_IPI_CALL_H

#include <vector>

#include "gicsim/workload/call_queues.h"
#include "gicsim/workload/remote_lines.h"
#include "gicsim/workload/segment_book.h"
#include "gicsim/workload/workload.h"

namespace gicsim {

/// smp_call_function_single() as Linux 5.17 performs it (kernel/smp.c), from one sender to each target in turn, as the
/// published IPI benchmark does: steps S1 to S9 on the sender, R1 to R15 on the target (docs/timing-model.md).
class IpiCall : public Workload {
public:
    explicit IpiCall(Kernel& kernel);
    void start() override;
    void finish(RunResult& result) override;
    [[nodiscard]] std::uint64_t rounds_done() const override { return rounds_done_; }

private:
    Task<> sender(Core& cpu);
    Task<> call(Core& cpu, CpuId target);
    Task<> give_lines_back(Core& cpu);

    Kernel& kernel_;
    const WorkloadOptions& options_;
    SegmentBook segments_;
    CallData csd_{};  ///< wait: on the sender's stack; else its per-CPU csd_data
    CallQueues queues_;
    Rendezvous rendezvous_;
    RemoteLines remote_;
    std::vector<Location> payload_;         ///< lines the sender writes before each call
    std::vector<std::uint64_t> sgi_value_;  ///< by CPU
    std::uint64_t rounds_done_ = 0;
    std::uint64_t calls_ = 0;
    std::uint64_t ipis_ = 0;
    std::uint64_t local_calls_ = 0;
    Time total_;
    Time between_calls_;  ///< spent on giving the remote lines back, no part of the total
    Core::Program sender_program_;
    Core::Program target_program_;
    Core::Program owner_program_;
    Core::Program handler_program_;
    Kernel::Body body_;
};

}  // namespace gicsim

#endif
