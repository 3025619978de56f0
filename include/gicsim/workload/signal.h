#ifndef GICSIM_WORKLOAD_SIGNAL_H
#define GICSIM_WORKLOAD_SIGNAL_H

#include <vector>

#include "gicsim/workload/remote_lines.h"
#include "gicsim/workload/segment_book.h"
#include "gicsim/workload/workload.h"

namespace gicsim {

/// What workloads share in which the sender publishes something by plain stores, announces it by an SGI, and the
/// handler looks for it: one SGI at a time, to each target in turn, each from the same state of the caches. The sender
/// itself, if it is among the targets, is left out.
class Signal : public Workload {
public:
    Signal(Kernel& kernel, Intid ipi);
    void start() override;
    void finish(RunResult& result) override;
    [[nodiscard]] std::uint64_t rounds_done() const override { return rounds_done_; }

protected:
    /// Target, before each SGI: brings its caches into the state in which every round starts.
    virtual Task<> get_ready(Core& cpu) = 0;
    /// Sender: what the SGI announces. `number` counts the SGIs of the run from 1.
    virtual Task<> publish(Core& cpu, CpuId target, Word number) = 0;
    /// Target: looks for it, between acknowledgement and deactivation of the interrupt.
    virtual Task<> look(Core& cpu) = 0;
    /// Target: the whole interrupt, with what its kernel does before and after.
    virtual Task<> handle(Core& cpu);

    /// Target, after its last look: tells the sender that this interrupt has been handled.
    Task<> report_handled(Core& cpu);
    /// How many interrupts a target has handled: it counts them.
    [[nodiscard]] std::uint64_t handled(CpuId cpu) const { return targets_[index(cpu)].handled; }
    /// The targets without the sender, in their order.
    [[nodiscard]] const std::vector<CpuId>& receivers() const { return receivers_; }

    Kernel& kernel_;
    const WorkloadOptions& options_;

private:
    struct Target {
        Location done;  ///< the number of interrupts handled
        std::uint64_t sgi_value = 0;
        std::uint64_t sent = 0;
        std::uint64_t expected = 0;
        std::uint64_t handled = 0;
    };

    Task<> sender(Core& cpu);
    Task<> signal(Core& cpu, CpuId target);
    Task<> partner(Core& cpu);
    Task<> await_interrupt(Core& cpu);

    SegmentBook segments_;
    Rendezvous rendezvous_;
    RemoteLines remote_;
    std::vector<CpuId> receivers_;
    std::vector<Target> targets_;  ///< by CPU
    std::uint64_t rounds_done_ = 0;
    std::uint64_t ipis_ = 0;
    Time total_;
    Core::Program sender_program_;
    Core::Program partner_program_;
    Core::Program handler_program_;
    Kernel::Body body_;
};

}  // namespace gicsim

#endif
