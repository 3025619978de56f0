#ifndef GICSIM_RECORD_PROBE_H
#define GICSIM_RECORD_PROBE_H

#include <cstdint>
#include <systemc>

#include "gicsim/arch/affinity.h"
#include "gicsim/arch/time.h"

namespace gicsim {

/// Moments in the life of an inter-processor interrupt, in the order in which they come.
/// `cpu` of a mark is the sender for the points of the sender, the target for all others.
enum class Point : std::uint8_t {
    call_start,       ///< sender: before the first store of the call
    queued,           ///< sender: the work is enqueued (its read-modify-write is done)
    barrier_done,     ///< sender: the barrier before the SGI write has retired
    sgi_written,      ///< sender: the SGI register write has left the core
    sgi_routed,       ///< distributor: the request has arrived where it is routed
    sgi_pending,      ///< redistributor of the target: the SGI is pending
    irq_asserted,     ///< CPU interface of the target: the interrupt line went high
    irq_taken,        ///< target: exception entry begins (a wait for interrupt has ended)
    acknowledged,     ///< target: ICC_IAR has returned the INTID
    dequeued,         ///< target: the handler has its work
    function_called,  ///< target: the called function runs
    unlocked,         ///< target: the completion flag has been stored
    seen,             ///< sender: it has seen the completion flag
    call_end,         ///< sender: the call returns
};
constexpr std::size_t point_count = 14;

/// What models report to, without knowing who listens.
class Probe : public virtual sc_core::sc_interface {
public:
    virtual void mark(Point point, CpuId cpu, Time at) = 0;
};

}  // namespace gicsim

#endif
