#ifndef GICSIM_FABRIC_TRANSPORT_H
#define GICSIM_FABRIC_TRANSPORT_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "gicsim/fabric/fabric.h"
#include "gicsim/timeline/timeline.h"
#include "gicsim/timeline/variation.h"

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
    /// Offers a message before its `arrival`. A sink that can tell now what it will do then, whatever else happens
    /// until then, does it and returns true; no event is spent on the message. Otherwise it touches nothing.
    virtual bool receive_ahead(EndpointId, const Payload&, Time /*arrival*/) { return false; }
};

/// Carries payloads of one kind between endpoints over the fabric. Messages between two endpoints never overtake each
/// other when they are sent in the order of their departure times: the head's latency does not depend on the length
/// (critical word first), and links are first come, first served.
template <class Payload>
class Transport : public sc_core::sc_module, public virtual sc_core::sc_interface {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    sc_core::sc_port<Fabric> fabric{"fabric"};
    VariationPort variation{"variation"};
    /// Bind in the order of attach(): sinks[i] is endpoint i.
    sc_core::sc_port<MessageSink<Payload>, 0, sc_core::SC_ZERO_OR_MORE_BOUND> sinks{"sinks"};

    /// @param varying what its messages are to the variation; only messages of senders that need no order may vary.
    Transport(const sc_core::sc_module_name& name, Traffic traffic, Varying varying = Varying::coherence_message)
        : sc_module(name), traffic_(traffic), varying_(varying) {}

    /// Adds an endpoint at a fabric node. Before elaboration ends; the caller binds its sink at once.
    /// @param access time between the endpoint and its node, each way; access_per_byte as for a link.
    EndpointId attach(NodeId node, Time access = Time{}, Time access_per_byte = Time{}) {
        endpoints_.push_back({node, access, access_per_byte, Time{}, Time{}});
        return static_cast<EndpointId>(endpoints_.size() - 1);
    }

    /// Moves an endpoint, as part of a reset.
    void place(EndpointId endpoint, NodeId node, Time access, Time access_per_byte = Time{}) {
        endpoints_[index(endpoint)] = {node, access, access_per_byte, Time{}, Time{}};
    }

    /// Forgets what is under way; the Timeline has forgotten its events.
    void reset() {
        free_ = nullptr;
        for (const auto& chunk : chunks_) give_back(*chunk);
        for (Endpoint& endpoint : endpoints_) endpoint.out_free_at = endpoint.in_free_at = Time{};
        sent_ = 0;
        queued_ = fabric->fidelity() == FabricFidelity::queued;
    }

    /// Sends a message so that it leaves `from` at `departure`, not before now. `compose` fills in its payload, which
    /// holds something old. Returns latency(from, to) and what the variation adds to it.
    /// @param ahead offer it to MessageSink::receive_ahead() first, where its arrival is known already.
    template <class Compose>
    Time send(EndpointId from, EndpointId to, Time departure, unsigned bytes, bool ahead, Compose&& compose) {
        Slot& slot = take_slot();
        slot.from = from;
        slot.to = to;
        compose(slot.payload);
        ++sent_;
        Time way = latency(from, to);
        if (variation_ != nullptr && variation_->active()) {
            const Time extra = variation_->delay(varying_);
            way += extra;
            departure += queued_ ? extra : Time{};
        }
        const auto argument = reinterpret_cast<std::uintptr_t>(&slot);
        if (queued_) {
            slot.at = endpoints_[index(from)].node;
            slot.bytes = bytes;
            timeline_->post<&Transport::leave>(departure, this, argument);
        } else if (ahead && sinks_[index(to)]->receive_ahead(from, slot.payload, departure + way)) {
            give_back(slot);
        } else {
            timeline_->post<&Transport::deliver>(departure + way, this, argument);
        }
        return way;
    }

    void send(EndpointId from, EndpointId to, Time departure, unsigned bytes, const Payload& payload) {
        send(from, to, departure, bytes, false, [&payload](Payload& slot) { slot = payload; });
    }

    /// Time of a message's head between two endpoints where nothing contends.
    [[nodiscard]] Time latency(EndpointId from, EndpointId to) const {
        const Endpoint& source = endpoints_[index(from)];
        const Endpoint& target = endpoints_[index(to)];
        return source.access + fabric_->latency(source.node, target.node, traffic_) + target.access;
    }

    [[nodiscard]] std::uint64_t messages_sent() const { return sent_; }

private:
    struct Endpoint {
        NodeId node;
        Time access;
        Time access_per_byte;
        // At fidelity `queued`: until when the endpoint's own link is busy, each way.
        Time out_free_at;
        Time in_free_at;
    };
    struct Slot {
        EndpointId from;
        EndpointId to;
        NodeId at;
        unsigned bytes;
        Slot* next_free;
        Payload payload;
    };
    /// Slots never move: the events of messages under way point to them.
    using Chunk = std::array<Slot, 64>;

    void give_back(Chunk& chunk) {
        for (Slot& slot : chunk) give_back(slot);
    }
    void give_back(Slot& slot) {
        slot.next_free = free_;
        free_ = &slot;
    }

    [[gnu::noinline]] void add_chunk() {
        chunks_.push_back(std::make_unique<Chunk>());
        give_back(*chunks_.back());
    }

    Slot& take_slot() {
        if (free_ == nullptr) add_chunk();
        return *std::exchange(free_, free_->next_free);
    }

    void deliver(std::uint64_t argument) {
        Slot& slot = slot_of(argument);
        sinks_[index(slot.to)]->receive(slot.from, slot.payload);
        give_back(slot);
    }

    /// An event carries one integer; here it is the address of the slot.
    static Slot& slot_of(std::uint64_t argument) {
        return *reinterpret_cast<Slot*>(argument);  // NOLINT(performance-no-int-to-ptr)
    }

    /// Passes an endpoint's own link, which is busy for the length of the message. Returns when the head is through.
    Time pass(Time& free_at, const Endpoint& endpoint, unsigned bytes) {
        const Time start = std::max(free_at, timeline->now());
        free_at = start + endpoint.access_per_byte * bytes;
        return start + endpoint.access;
    }

    void leave(std::uint64_t argument) {
        Slot& slot = slot_of(argument);
        Endpoint& source = endpoints_[index(slot.from)];
        timeline->post<&Transport::hop>(pass(source.out_free_at, source, slot.bytes), this, argument);
    }

    void hop(std::uint64_t argument) {
        Slot& slot = slot_of(argument);
        Endpoint& target = endpoints_[index(slot.to)];
        if (slot.at == target.node) {
            timeline->post<&Transport::deliver>(pass(target.in_free_at, target, slot.bytes), this, argument);
            return;
        }
        const DirectedLink link = fabric->next_link(slot.at, target.node);
        const Time arrival = fabric->enter(link, timeline->now(), slot.bytes, traffic_);
        slot.at = fabric->end_of(link);
        timeline->post<&Transport::hop>(arrival, this, argument);
    }

    void end_of_elaboration() override {
        timeline_ = timeline.operator->();
        fabric_ = fabric.operator->();
        if (variation.size() > 0) variation_ = variation.operator->();
        for (int i = 0; i < sinks.size(); ++i) sinks_.push_back(sinks[i]);
    }

    Traffic traffic_;
    Varying varying_;
    Variation* variation_ = nullptr;
    std::vector<Endpoint> endpoints_;
    // What the ports are bound to, without the look-up.
    Timeline* timeline_ = nullptr;
    Fabric* fabric_ = nullptr;
    std::vector<MessageSink<Payload>*> sinks_;
    bool queued_ = false;
    std::vector<std::unique_ptr<Chunk>> chunks_;
    Slot* free_ = nullptr;
    std::uint64_t sent_ = 0;
};

}  // namespace gicsim

#endif
