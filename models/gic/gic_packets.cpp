#include "gicsim/gic/gic_packets.h"

namespace gicsim {

std::string_view name(PacketKind kind) {
    static constexpr std::string_view names[] = {
        "Set",
        "Clear",
        "Quiesce",
        "Downstream Control",
        "Activate Acknowledge",
        "Deactivate Acknowledge",
        "Generate SGI Acknowledge",
        "Upstream Control Acknowledge",
        "Activate",
        "Release",
        "Deactivate",
        "Generate SGI",
        "Upstream Control",
        "Clear Acknowledge",
        "Quiesce Acknowledge",
        "Downstream Control Acknowledge",
    };
    static_assert(sizeof(names) / sizeof(names[0]) == static_cast<unsigned>(PacketKind::downstream_control_ack) + 1);
    return names[static_cast<unsigned>(kind)];
}

}  // namespace gicsim
