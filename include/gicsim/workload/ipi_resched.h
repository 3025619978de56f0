#ifndef GICSIM_WORKLOAD_IPI_RESCHED_H
#define GICSIM_WORKLOAD_IPI_RESCHED_H

#include "gicsim/workload/signal.h"

namespace gicsim {

/// "ipi-resched": resched_curr() of Linux 5.17 (kernel/sched/core.c) for a task on another CPU. need_resched is set by
/// a STSET, whose result nobody waits for, then the SGI is sent; its handler does next to nothing, and the way out of
/// the interrupt looks at the flag. A flag that is not there yet is a wake-up lost: nothing else will make the CPU
/// look.
class IpiResched : public Signal {
public:
    explicit IpiResched(Kernel& kernel);
    void finish(RunResult& result) override;

protected:
    Task<> get_ready(Core& cpu) override;
    Task<> publish(Core& cpu, CpuId target, Word number) override;
    Task<> look(Core& cpu) override;
    Task<> handle(Core& cpu) override;

private:
    /// The thread_info of the task that a CPU runs (arch/arm64/include/asm/thread_info.h).
    struct ThreadInfo {
        Location flags;
        Location preempt_count;
        bool ipi = false;  ///< the interrupt that is being handled is an IPI
    };

    std::vector<ThreadInfo> threads_;  ///< by CPU
    std::uint64_t rescheduled_ = 0;
    std::uint64_t lost_ = 0;
};

}  // namespace gicsim

#endif
