#ifndef GICSIM_WORKLOAD_CALL_WORKLOAD_H
#define GICSIM_WORKLOAD_CALL_WORKLOAD_H

#include <vector>

#include "gicsim/workload/call_queues.h"
#include "gicsim/workload/remote_lines.h"
#include "gicsim/workload/workload.h"

namespace gicsim {

/// What workloads share in which one CPU has others call a function (kernel/smp.c of Linux 5.17): the call queues, the
/// lines written before a call, and what the other CPUs run. The handler of every CPU empties its queue; the targets
/// idle or are busy, and one CPU may own the remote lines.
class CallWorkload : public Workload {
public:
    explicit CallWorkload(Kernel& kernel);
    void start() override;
    [[nodiscard]] std::uint64_t rounds_done() const override { return rounds_done_; }

protected:
    /// The sender's program; halts the Timeline at its end.
    virtual Task<> sender(Core& cpu) = 0;

    /// Sender, before a call where there are remote lines: lets their owner have them back.
    Task<> give_lines_back(Core& cpu);
    /// Why the sender waits for a csd to be unlocked.
    static Kernel::Reason unlock_by(CpuId target) { return {target, "to unlock the call data (csd) of its call"}; }

    Kernel& kernel_;
    const WorkloadOptions& options_;
    CallQueues queues_;
    std::vector<Location> payload_;  ///< lines the sender writes before each call
    std::uint64_t rounds_done_ = 0;
    std::uint64_t ipis_ = 0;
    Time total_;

private:
    Rendezvous rendezvous_;

protected:
    RemoteLines remote_;

private:
    Core::Program sender_program_;
    Core::Program target_program_;
    Core::Program owner_program_;
    Core::Program handler_program_;
    Kernel::Body body_;
};

}  // namespace gicsim

#endif
