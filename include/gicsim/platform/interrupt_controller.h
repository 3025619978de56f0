#ifndef GICSIM_PLATFORM_INTERRUPT_CONTROLLER_H
#define GICSIM_PLATFORM_INTERRUPT_CONTROLLER_H

#include <memory>
#include <vector>

#include "gicsim/config/machine.h"
#include "gicsim/core/core.h"
#include "gicsim/device/mmio_bridge.h"
#include "gicsim/gic/cpu_interface.h"
#include "gicsim/gic/distributor.h"
#include "gicsim/gic/redistributor.h"

namespace gicsim {

/// The GIC of a platform: a Distributor for each socket ("chip"), a Redistributor and a CPU interface for each CPU,
/// joined by stream links, and the bridges through which cores reach the register frames.
class InterruptController {
public:
    InterruptController(const MachineDescription& machine, Timeline& timeline, Fabric& fabric, MmioTransport& mmio,
                        Probe& probe, Variation& variation);

    /// Joins a CPU's interface to its core; once for each CPU, before the simulation starts.
    void connect(CpuId cpu, Core& core);
    void reset(const MachineDescription& machine);

    /// The bridge behind which an address lies; the Distributor's where nothing is, which answers with an error.
    [[nodiscard]] EndpointId endpoint_of(std::uint64_t address) const;

    [[nodiscard]] const Distributor& distributor(unsigned chip) const { return *distributors_[chip]; }
    [[nodiscard]] const Redistributor& redistributor(CpuId cpu) const { return *redistributors_[index(cpu)]; }
    [[nodiscard]] const CpuInterface& cpu_interface(CpuId cpu) const { return *cpu_interfaces_[index(cpu)]; }
    /// Every Redistributor's and CPU interface's state as it is now, and back to it; nothing is under way either time.
    void save();
    void restore();
    [[nodiscard]] std::uint64_t messages() const { return transport_.messages_sent(); }

private:
    struct Bridge {
        std::unique_ptr<MmioBridge> module;
        EndpointId endpoint{};
        std::vector<MmioBridge::Window> windows;
    };
    struct Route {
        MmioBridge::Window window;
        EndpointId endpoint;
    };

    [[nodiscard]] static NodeId node_of_chip(const MachineDescription& machine, unsigned chip);
    Bridge& add_bridge(const std::string& name, NodeId node, MmioTransport& mmio, Timeline& timeline);

    MmioTransport& mmio_;
    GicTransport transport_{"gic_transport"};
    std::vector<std::unique_ptr<Distributor>> distributors_;
    std::vector<std::unique_ptr<Redistributor>> redistributors_;
    std::vector<std::unique_ptr<CpuInterface>> cpu_interfaces_;
    std::vector<std::unique_ptr<Bridge>> bridges_;  ///< the Distributor's, then one a die
    std::vector<Route> routes_;                     ///< by address
    std::vector<RedistributorState> saved_redistributors_;
    std::vector<CpuInterfaceState> saved_cpu_interfaces_;
};

}  // namespace gicsim

#endif
