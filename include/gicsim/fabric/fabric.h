#ifndef GICSIM_FABRIC_FABRIC_H
#define GICSIM_FABRIC_FABRIC_H

#include <cstdint>
#include <span>
#include <systemc>
#include <vector>

#include "gicsim/arch/time.h"
#include "gicsim/fabric/fabric_description.h"

namespace gicsim {

/// Device messages (register accesses, GIC packets) pass the named bridges that coherent ones do not.
enum class Traffic : std::uint8_t { coherent, device };

/// One direction of one link; index into the fabric's link states.
enum class DirectedLink : std::uint32_t {};

/// The graph of places and links: shortest routes, their latency, and, at fidelity `queued`, how busy each link is.
/// What travels is no concern of it: Transport<Payload> carries payloads over it.
class Fabric : public sc_core::sc_module, public virtual sc_core::sc_interface {
public:
    explicit Fabric(const sc_core::sc_module_name& name);

    /// Takes a new description and empties all links. Throws std::invalid_argument for a link to nowhere or a graph
    /// that is not connected.
    void reset(const FabricDescription& description);

    [[nodiscard]] FabricFidelity fidelity() const { return fidelity_; }
    [[nodiscard]] std::size_t node_count() const { return node_count_; }

    /// Time of a message's head from one node to another where nothing contends.
    [[nodiscard]] Time latency(NodeId from, NodeId to, Traffic traffic) const {
        const auto& table = traffic == Traffic::coherent ? coherent_latency_ : device_latency_;
        return table[index(from) * node_count_ + index(to)];
    }

    /// The next link on the way, for hop-by-hop transport. `from` and `to` differ.
    [[nodiscard]] DirectedLink next_link(NodeId from, NodeId to) const {
        return next_link_[index(from) * node_count_ + index(to)];
    }
    [[nodiscard]] NodeId end_of(DirectedLink link) const { return links_[static_cast<std::uint32_t>(link)].to; }

    /// Sends a message of `bytes` into a link at time `at`: waits for the link, then keeps it busy for the message's
    /// length. Returns when the head arrives at the far end.
    Time enter(DirectedLink link, Time at, unsigned bytes, Traffic traffic);

    /// Messages that had to wait for a link, and how long in all.
    [[nodiscard]] std::uint64_t waits() const { return waits_; }
    [[nodiscard]] Time waited() const { return waited_; }

private:
    struct LinkState {
        NodeId from;
        NodeId to;
        Time latency;
        Time device_latency;
        Time time_per_byte;
        Time free_at;
    };

    void find_routes_from(NodeId from);

    FabricFidelity fidelity_ = FabricFidelity::latency;
    std::size_t node_count_ = 0;
    std::vector<LinkState> links_;
    std::vector<std::vector<std::uint32_t>> links_of_;  ///< by node: the links that leave it
    std::vector<Time> coherent_latency_;
    std::vector<Time> device_latency_;
    std::vector<DirectedLink> next_link_;
    std::uint64_t waits_ = 0;
    Time waited_;
};

}  // namespace gicsim

#endif
