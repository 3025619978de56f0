#include "gicsim/fabric/fabric.h"

#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace gicsim {

Fabric::Fabric(const sc_core::sc_module_name& name) : sc_module(name) {}

void Fabric::reset(const FabricDescription& description) {
    fidelity_ = description.fidelity;
    node_count_ = description.nodes.size();
    links_.clear();
    links_of_.assign(node_count_, {});
    waits_ = 0;
    waited_ = Time{};
    for (const LinkDescription& link : description.links) {
        if (index(link.a) >= node_count_ || index(link.b) >= node_count_) {
            throw std::invalid_argument("fabric: link '" + link.name + "' ends at a node that does not exist");
        }
        for (const auto& [from, to] : {std::pair(link.a, link.b), std::pair(link.b, link.a)}) {
            links_of_[index(from)].push_back(static_cast<std::uint32_t>(links_.size()));
            links_.push_back({from, to, link.latency, link.latency + link.device_extra, link.time_per_byte, Time{}});
        }
    }
    coherent_latency_.assign(node_count_ * node_count_, Time::max());
    device_latency_.assign(node_count_ * node_count_, Time::max());
    next_link_.assign(node_count_ * node_count_, DirectedLink{});
    for (std::size_t node = 0; node < node_count_; ++node) find_routes_from(node_id(node));
    for (std::size_t to = 0; to < node_count_; ++to) {
        if (coherent_latency_[to] == Time::max()) {
            throw std::invalid_argument("fabric: no way leads from '" + description.nodes[0] + "' to '" +
                                        description.nodes[to] + "'");
        }
    }
}

// Dijkstra by coherent latency; both kinds of traffic take the same way. Equal ways: fewer hops, then the lower node
// number, so that routes never depend on the order of a heap.
void Fabric::find_routes_from(NodeId from) {
    struct Reach {
        Time latency = Time::max();
        unsigned hops = 0;
        Time device;
        std::uint32_t first_link = 0;
        bool settled = false;
    };
    std::vector<Reach> reach(node_count_);
    using Entry = std::tuple<Time, unsigned, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> frontier;
    reach[index(from)].latency = Time{};
    frontier.emplace(Time{}, 0, index(from));
    while (!frontier.empty()) {
        const std::uint32_t node = std::get<2>(frontier.top());
        frontier.pop();
        if (std::exchange(reach[node].settled, true)) continue;
        for (const std::uint32_t link : links_of_[node]) {
            const std::uint32_t next = index(links_[link].to);
            const Time latency = reach[node].latency + links_[link].latency;
            const unsigned hops = reach[node].hops + 1;
            if (std::tie(latency, hops) >= std::tie(reach[next].latency, reach[next].hops)) continue;
            reach[next] = {latency, hops, reach[node].device + links_[link].device_latency,
                           node == index(from) ? link : reach[node].first_link, false};
            frontier.emplace(latency, hops, next);
        }
    }
    for (std::size_t to = 0; to < node_count_; ++to) {
        const std::size_t slot = index(from) * node_count_ + to;
        coherent_latency_[slot] = reach[to].latency;
        device_latency_[slot] = reach[to].device;
        next_link_[slot] = static_cast<DirectedLink>(reach[to].first_link);
    }
}

Time Fabric::enter(DirectedLink link, Time at, unsigned bytes, Traffic traffic) {
    LinkState& state = links_[static_cast<std::uint32_t>(link)];
    Time start = at;
    if (state.free_at > at) {
        start = state.free_at;
        ++waits_;
        waited_ += start - at;
    }
    state.free_at = start + state.time_per_byte * bytes;
    return start + (traffic == Traffic::coherent ? state.latency : state.device_latency);
}

}  // namespace gicsim
