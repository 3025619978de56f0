#ifndef GICSIM_DEVICE_MMIO_BRIDGE_H
#define GICSIM_DEVICE_MMIO_BRIDGE_H

#include <tlm_utils/multi_passthrough_initiator_socket.h>

#include <systemc>
#include <vector>

#include "gicsim/device/mmio.h"
#include "gicsim/gic/register_bus.h"
#include "gicsim/timeline/timeline.h"

namespace gicsim {

/// Where Device accesses leave the fabric: turns each into a TLM-2.0 transaction on the frame its address falls to, and
/// sends the answer back after the latency that the frame annotates.
class MmioBridge : public sc_core::sc_module, public MmioSink {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    sc_core::sc_port<MmioTransport> transport{"transport"};
    /// The register frames, in the order of reset()'s windows.
    tlm_utils::multi_passthrough_initiator_socket<MmioBridge> frames{"frames"};

    /// The addresses of one frame, in bytes.
    struct Window {
        std::uint64_t base = 0;
        std::uint64_t size = 0;
        [[nodiscard]] bool contains(std::uint64_t address) const { return address - base < size; }
    };

    explicit MmioBridge(const sc_core::sc_module_name& name);
    ~MmioBridge() override;
    void reset(EndpointId self, std::vector<Window> windows);
    void receive(EndpointId from, const MmioMessage& message) override;

    /// Accesses to addresses where nothing is.
    [[nodiscard]] std::uint64_t decode_errors() const { return decode_errors_; }

private:
    EndpointId self_{};
    std::vector<Window> windows_;
    SecurityExtension security_;
    tlm::tlm_generic_payload payload_;
    std::uint64_t decode_errors_ = 0;
};

}  // namespace gicsim

#endif
