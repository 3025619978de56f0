#ifndef GICSIM_WORKLOAD_REMOTE_LINES_H
#define GICSIM_WORKLOAD_REMOTE_LINES_H

#include <vector>

#include "gicsim/workload/rendezvous.h"

namespace gicsim {

/// Lines that another CPU owns and the sender stores to just before what it publishes, with a DMB between: the store
/// buffer has to wait for them, and all that follows in it waits behind. None of it waits when there are no lines.
class RemoteLines {
public:
    RemoteLines(Kernel& kernel, Rendezvous& rendezvous);

    [[nodiscard]] bool any() const { return !lines_.empty(); }
    /// Who owns them when a round starts. The sender itself when it was named: its lines are then remote to nobody.
    [[nodiscard]] CpuId owner() const { return owner_; }

    /// Sender: has the owner rewrite the lines.
    Task<> give_back(Core& sender);
    /// Sender: stores to all of them; stores that come later stay behind.
    Task<> store_all(Core& sender, Word value);
    /// Owner: the step Rendezvous::Step::take_lines.
    Task<> rewrite(Core& cpu);
    /// The main program of an owner that does nothing else and takes interrupts meanwhile. For ever.
    Task<> own(Core& cpu);

private:
    Rendezvous& rendezvous_;
    CpuId owner_;
    std::vector<Location> lines_;
    Word rewritten_ = 0;
};

}  // namespace gicsim

#endif
