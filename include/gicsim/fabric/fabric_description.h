#ifndef GICSIM_FABRIC_FABRIC_DESCRIPTION_H
#define GICSIM_FABRIC_FABRIC_DESCRIPTION_H

#include <cstdint>
#include <string>
#include <vector>

#include "gicsim/arch/time.h"

namespace gicsim {

/// Index of a node (a ring stop, a crossing) in FabricDescription::nodes.
enum class NodeId : std::uint32_t {};
constexpr std::uint32_t index(NodeId node) {
    return static_cast<std::uint32_t>(node);
}
constexpr NodeId node_id(std::size_t n) {
    return static_cast<NodeId>(n);
}

/// How links treat messages: `latency` never queues; `queued` makes each link busy while a message passes.
enum class FabricFidelity : std::uint8_t { latency, queued };

/// One link, usable in both directions, each direction with a queue of its own.
struct LinkDescription {
    std::string name;
    NodeId a{};
    NodeId b{};
    Time latency;        ///< one way, head of the message
    Time device_extra;   ///< further time of a device or GIC message: the named bridge it passes and coherent traffic
                         ///< does not
    Time time_per_byte;  ///< inverse of the width; how long one byte keeps the link busy
};

/// Graph of places and links. Routes are shortest paths by latency.
struct FabricDescription {
    std::vector<std::string> nodes;  ///< "die0.ccl3", "die1.hha0", ...
    std::vector<LinkDescription> links;
    FabricFidelity fidelity = FabricFidelity::latency;
};

}  // namespace gicsim

#endif
