#ifndef GICSIM_WORKLOAD_RENDEZVOUS_H
#define GICSIM_WORKLOAD_RENDEZVOUS_H

#include <vector>

#include "gicsim/workload/kernel.h"

namespace gicsim {

/// What other CPUs do for the sender between two of its rounds, so that every round starts from the same state of the
/// caches: the sender orders a step of one CPU and waits until it is done. Each CPU has a line for orders and one for
/// its answers, used with store-release and load-acquire.
class Rendezvous {
public:
    enum class Step : std::uint8_t {
        take_lines,  ///< rewrite the remote lines, and so own them
        get_ready,   ///< prepare for the interrupt that is going to come
    };

    explicit Rendezvous(Kernel& kernel);

    /// Sender: has `cpu` do a step; returns when it is done and visible.
    Task<> order(Core& sender, CpuId cpu, Step step);
    /// The other CPU: waits for the next order.
    Task<Step> next(Core& cpu);
    /// The other CPU: its step, and every store before, is done.
    Task<> answer(Core& cpu);

private:
    struct Mailbox {
        Location order;
        Location answer;
        Word ordered = 0;
        Word answered = 0;
    };
    Kernel& kernel_;
    std::vector<Mailbox> mailboxes_;  ///< by CPU
};

}  // namespace gicsim

#endif
