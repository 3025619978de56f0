#ifndef GICSIM_GIC_STREAM_LINK_H
#define GICSIM_GIC_STREAM_LINK_H

#include <boost/circular_buffer.hpp>
#include <systemc>
#include <vector>

#include "gicsim/arch/time.h"
#include "gicsim/gic/gic_packets.h"
#include "gicsim/gic/gic_parameters.h"
#include "gicsim/timeline/timeline.h"
#include "gicsim/timeline/variation.h"

namespace gicsim {

/// The receiving end of a stream link.
class StreamReceiver : public virtual sc_core::sc_interface {
public:
    virtual void receive(const StreamPacket& packet) = 0;
};

/// One direction of the link between a Redistributor and its CPU interface: keeps order, one packet at a time, its
/// beats never interleaved with another's, and a limited number of packets in flight (IHI 0069, Appendix A).
///
/// A packet arrives `stream_latency` after its last beat has left, or later when the link varies; its credit is free
/// again when it has arrived.
class StreamLink : public sc_core::sc_module {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    sc_core::sc_port<StreamReceiver> receiver{"receiver"};
    VariationPort variation{"variation"};

    explicit StreamLink(const sc_core::sc_module_name& name);
    void reset(const GicParameters& parameters);

    /// @param ready when the packet is ready to leave, not before now and not before that of the packet before.
    void send(const StreamPacket& packet, Time ready);
    [[nodiscard]] std::uint64_t packets_sent() const { return sent_; }

private:
    void deliver();

    Time latency_;
    Time beat_;
    Time last_arrival_;
    Time free_at_;                ///< when the last beat of the packet before has left
    std::vector<Time> arrivals_;  ///< of the last `stream_credits` packets, the oldest at next_credit_
    std::size_t next_credit_ = 0;
    boost::circular_buffer<StreamPacket> in_flight_;
    std::uint64_t sent_ = 0;
};

}  // namespace gicsim

#endif
