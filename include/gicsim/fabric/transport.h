#ifndef GICSIM_FABRIC_TRANSPORT_H
#define GICSIM_FABRIC_TRANSPORT_H

#include <cstdint>
#include <stdexcept>
#include <systemc>
#include <vector>

#include "gicsim/fabric/fabric.h"
#include "gicsim/timeline/timeline.h"

namespace gicsim {

/// A place where messages of one kind leave and arrive; numbered by the Transport that it is attached to.
enum class EndpointId : std::uint32_t {};
constexpr std::uint32_t index(EndpointId endpoint) {
    return static_cast<std::uint32_t>(endpoint);
}

/// What an endpoint implements to be delivered to. `from` is the endpoint that sent the message.
template <class Payload>
class MessageSink : public virtual sc_core::sc_interface {
public:
    virtual void receive(EndpointId from, const Payload& payload) = 0;
};

/// Carries payloads of one kind between endpoints over the fabric. Messages between two endpoints never overtake each
/// other when they are sent in the order of their departure times: the head's latency does not depend on the length
/// (critical word first), and links are first come, first served.
template <class Payload>
class Transport : public sc_core::sc_module, public virtual sc_core::sc_interface {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    sc_core::sc_port<Fabric> fabric{"fabric"};
    /// Bind in the order of attach(): sinks[i] is endpoint i.
    sc_core::sc_port<MessageSink<Payload>, 0, sc_core::SC_ZERO_OR_MORE_BOUND> sinks{"sinks"};

    Transport(const sc_core::sc_module_name& name, Traffic traffic) : sc_module(name), traffic_(traffic) {}

    /// Adds an endpoint at a fabric node. Before elaboration ends; the caller binds its sink at once.
    /// @param access time between the endpoint and its node, each way; access_per_byte as for a link.
    EndpointId attach(NodeId node, Time access = Time{}) {
        endpoints_.push_back({node, access});
        return static_cast<EndpointId>(endpoints_.size() - 1);
    }

    /// Moves an endpoint, as part of a reset.
    void place(EndpointId endpoint, NodeId node, Time access) { endpoints_[index(endpoint)] = {node, access}; }

    void reset() {
        free_.clear();
        for (std::uint32_t i = static_cast<std::uint32_t>(slots_.size()); i > 0; --i) free_.push_back(i - 1);
        sent_ = 0;
    }

    /// Sends `payload` so that it leaves `from` at `departure`, not before now.
    void send(EndpointId from, EndpointId to, Time departure, unsigned bytes, const Payload& payload) {
        const std::uint32_t slot = take_slot();
        slots_[slot] = {from, to, endpoints_[index(from)].node, bytes, payload};
        ++sent_;
        const Endpoint& source = endpoints_[index(from)];
        if (fabric->fidelity() == FabricFidelity::latency || source.node == endpoints_[index(to)].node) {
            const Endpoint& target = endpoints_[index(to)];
            const Time arrival =
                departure + source.access + fabric->latency(source.node, target.node, traffic_) + target.access;
            timeline->post<&Transport::deliver>(arrival, this, slot);
        } else {
            timeline->post<&Transport::hop>(departure + source.access, this, slot);
        }
    }

    /// Time of a message's head between two endpoints where nothing contends.
    [[nodiscard]] Time latency(EndpointId from, EndpointId to) const {
        const Endpoint& source = endpoints_[index(from)];
        const Endpoint& target = endpoints_[index(to)];
        return source.access + fabric->latency(source.node, target.node, traffic_) + target.access;
    }

    [[nodiscard]] std::uint64_t messages_sent() const { return sent_; }

private:
    struct Endpoint {
        NodeId node;
        Time access;
    };
    struct Slot {
        EndpointId from;
        EndpointId to;
        NodeId at;
        unsigned bytes;
        Payload payload;
    };

    std::uint32_t take_slot() {
        if (free_.empty()) {
            slots_.emplace_back();
            // So that giving slots back never allocates.
            free_.reserve(slots_.capacity());
            return static_cast<std::uint32_t>(slots_.size() - 1);
        }
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        return slot;
    }

    void deliver(std::uint64_t slot) {
        const Slot message = slots_[slot];
        free_.push_back(static_cast<std::uint32_t>(slot));
        sinks[static_cast<int>(index(message.to))]->receive(message.from, message.payload);
    }

    void hop(std::uint64_t slot) {
        Slot& message = slots_[slot];
        const Endpoint& target = endpoints_[index(message.to)];
        const DirectedLink link = fabric->next_link(message.at, target.node);
        const Time arrival = fabric->enter(link, timeline->now(), message.bytes, traffic_);
        message.at = fabric->end_of(link);
        if (message.at == target.node) {
            timeline->post<&Transport::deliver>(arrival + target.access, this, slot);
        } else {
            timeline->post<&Transport::hop>(arrival, this, slot);
        }
    }

    Traffic traffic_;
    std::vector<Endpoint> endpoints_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;
    std::uint64_t sent_ = 0;
};

}  // namespace gicsim

#endif
