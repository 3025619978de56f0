#ifndef GICSIM_DEVICE_MMIO_H
#define GICSIM_DEVICE_MMIO_H

#include <cstdint>

#include "gicsim/arch/gic.h"
#include "gicsim/fabric/transport.h"

namespace gicsim {

/// A Device-memory access on its way to a register frame, or its answer on the way back.
struct MmioMessage {
    std::uint64_t address = 0;
    std::uint64_t value = 0;
    std::uint8_t size = 4;  ///< bytes: 1, 2, 4 or 8
    bool write = false;
    bool answer = false;
    bool failed = false;  ///< of an answer: the target refused the access (an external abort)
    Security security = Security::non_secure;

    static constexpr unsigned bytes = 16;  ///< on the wire
};

using MmioTransport = Transport<MmioMessage>;
using MmioSink = MessageSink<MmioMessage>;

}  // namespace gicsim

#endif
