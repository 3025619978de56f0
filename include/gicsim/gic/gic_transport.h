#ifndef GICSIM_GIC_GIC_TRANSPORT_H
#define GICSIM_GIC_GIC_TRANSPORT_H

#include <systemc>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "gicsim/fabric/transport.h"
#include "gicsim/gic/gic_packets.h"

namespace gicsim {

/// Carries messages between Distributors and Redistributors, and knows which endpoint is whose.
class GicTransport : public Transport<GicMessage> {
public:
    /// On the wire: an SGI's fields, its source and a header fit one flit of 128 bits.
    static constexpr unsigned message_bytes = 16;

    explicit GicTransport(const sc_core::sc_module_name& name)
        : Transport(name, Traffic::device, Varying::gic_message) {}

    /// Before elaboration ends: Distributors in the order of their chips, Redistributors in that of their CpuIds.
    void add_distributor(MessageSink<GicMessage>& sink, NodeId node) { distributors_.push_back(add(sink, node)); }
    void add_redistributor(MessageSink<GicMessage>& sink, NodeId node) { redistributors_.push_back(add(sink, node)); }

    /// Moves them, as part of a reset.
    void place_distributor(unsigned chip, NodeId node) { place(distributors_[chip], node, Time{}); }
    void place_redistributor(CpuId cpu, NodeId node) { place(redistributors_[index(cpu)], node, Time{}); }

    [[nodiscard]] EndpointId distributor(unsigned chip) const { return distributors_[chip]; }
    [[nodiscard]] EndpointId redistributor(CpuId cpu) const { return redistributors_[index(cpu)]; }
    [[nodiscard]] std::size_t redistributor_count() const { return redistributors_.size(); }

private:
    EndpointId add(MessageSink<GicMessage>& sink, NodeId node) {
        const EndpointId endpoint = attach(node);
        sinks(sink);
        return endpoint;
    }

    std::vector<EndpointId> distributors_;
    std::vector<EndpointId> redistributors_;
};

}  // namespace gicsim

#endif
