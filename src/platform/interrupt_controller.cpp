#include "gicsim/platform/interrupt_controller.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace gicsim {

// The home Distributor stands where the machine file says; every other socket's at the GIC stop of its first die.
NodeId InterruptController::node_of_chip(const MachineDescription& machine, unsigned chip) {
    if (chip == 0) {
        const auto& nodes = machine.fabric.nodes;
        const auto node = std::find(nodes.begin(), nodes.end(), machine.gic.distributor_node);
        if (node == nodes.end()) {
            throw std::invalid_argument("gic.distributor_node: there is no node '" + machine.gic.distributor_node +
                                        "'");
        }
        return node_id(static_cast<std::size_t>(node - nodes.begin()));
    }
    for (const DiePlace& die : machine.dies) {
        if (die.socket == chip) return die.gic;
    }
    throw std::invalid_argument("platform: socket " + std::to_string(chip) + " has no die");
}

InterruptController::Bridge& InterruptController::add_bridge(const std::string& name, NodeId node, MmioTransport& mmio,
                                                             Timeline& timeline) {
    bridges_.push_back(std::make_unique<Bridge>());
    Bridge& bridge = *bridges_.back();
    bridge.module = std::make_unique<MmioBridge>(name.c_str());
    bridge.module->timeline(timeline);
    bridge.module->transport(mmio);
    bridge.endpoint = mmio.attach(node);
    mmio.sinks(*bridge.module);
    return bridge;
}

InterruptController::InterruptController(const MachineDescription& machine, Timeline& timeline, Fabric& fabric,
                                         MmioTransport& mmio, Probe& probe, Variation& variation)
    : mmio_(mmio) {
    transport_.timeline(timeline);
    transport_.fabric(fabric);
    transport_.variation(variation);
    std::vector<Affinity> affinities;
    std::vector<unsigned> chip_of;
    unsigned chips = 0;
    for (const CpuPlace& cpu : machine.cpus) {
        affinities.push_back(cpu.affinity);
        chip_of.push_back(cpu.socket);
        chips = std::max(chips, cpu.socket + 1);
    }
    for (unsigned chip = 0; chip < chips; ++chip) {
        distributors_.push_back(std::make_unique<Distributor>(("gicd" + std::to_string(chip)).c_str(), machine.gic,
                                                              chip, affinities, chip_of));
        Distributor& distributor = *distributors_.back();
        distributor.timeline(timeline);
        distributor.transport(transport_);
        distributor.probe(probe);
        transport_.add_distributor(distributor, node_of_chip(machine, chip));
    }
    Bridge& home = add_bridge("gicd_bridge", node_of_chip(machine, 0), mmio, timeline);
    home.module->frames.bind(distributors_[0]->registers);
    for (unsigned die = 0; die < machine.dies.size(); ++die) {
        add_bridge("gicr_bridge" + std::to_string(die), machine.dies[die].gic, mmio, timeline);
    }
    for (std::size_t n = 0; n < machine.cpus.size(); ++n) {
        const CpuPlace& place = machine.cpus[n];
        const std::string number = std::to_string(n);
        // Each CPU's frames are a region of their own, as firmware tables with one GICR address a CPU describe them.
        redistributors_.push_back(std::make_unique<Redistributor>(("gicr" + number).c_str(), machine.gic, cpu_id(n),
                                                                  place.affinity, place.socket, true));
        cpu_interfaces_.push_back(std::make_unique<CpuInterface>(("cpuif" + number).c_str(), machine.gic, cpu_id(n)));
        Redistributor& redistributor = *redistributors_.back();
        CpuInterface& cpu_interface = *cpu_interfaces_.back();
        redistributor.timeline(timeline);
        redistributor.variation(variation);
        redistributor.transport(transport_);
        redistributor.probe(probe);
        redistributor.downstream(cpu_interface.downstream);
        cpu_interface.timeline(timeline);
        cpu_interface.variation(variation);
        cpu_interface.probe(probe);
        cpu_interface.upstream(redistributor.upstream);
        transport_.add_redistributor(redistributor, machine.dies[place.die].gic);
        bridges_[1 + place.die]->module->frames.bind(redistributor.registers);
    }
}

void InterruptController::connect(CpuId cpu, Core& core) {
    CpuInterface& cpu_interface = *cpu_interfaces_[index(cpu)];
    core.gic(cpu_interface.core);
    cpu_interface.sink(core);
}

void InterruptController::reset(const MachineDescription& machine) {
    transport_.reset();
    for (unsigned chip = 0; chip < distributors_.size(); ++chip) {
        transport_.place_distributor(chip, node_of_chip(machine, chip));
        distributors_[chip]->reset(machine.gic);
    }
    for (const auto& bridge : bridges_) bridge->windows.clear();
    routes_.clear();
    const auto add_window = [this](Bridge& bridge, std::uint64_t base, std::uint64_t size) {
        bridge.windows.push_back({base, size});
        routes_.push_back({{base, size}, bridge.endpoint});
    };
    add_window(*bridges_[0], machine.gicd_base, distributor_frame_bytes);
    mmio_.place(bridges_[0]->endpoint, node_of_chip(machine, 0), Time{});
    for (std::size_t n = 0; n < machine.cpus.size(); ++n) {
        const CpuPlace& place = machine.cpus[n];
        transport_.place_redistributor(cpu_id(n), machine.dies[place.die].gic);
        redistributors_[n]->reset(machine.gic);
        cpu_interfaces_[n]->reset(machine.gic);
        add_window(*bridges_[1 + place.die], place.gicr_base, redistributor_frame_bytes);
    }
    for (unsigned die = 0; die < machine.dies.size(); ++die) {
        mmio_.place(bridges_[1 + die]->endpoint, machine.dies[die].gic, Time{});
    }
    for (const auto& bridge : bridges_) bridge->module->reset(bridge->endpoint, bridge->windows);
    std::sort(routes_.begin(), routes_.end(),
              [](const Route& a, const Route& b) { return a.window.base < b.window.base; });
}

void InterruptController::save() {
    saved_redistributors_.clear();
    saved_cpu_interfaces_.clear();
    for (const auto& redistributor : redistributors_) saved_redistributors_.push_back(redistributor->state());
    for (const auto& cpu_interface : cpu_interfaces_) saved_cpu_interfaces_.push_back(cpu_interface->state());
}

void InterruptController::restore() {
    for (std::size_t n = 0; n < redistributors_.size(); ++n) {
        redistributors_[n]->set_state(saved_redistributors_[n]);
        cpu_interfaces_[n]->set_state(saved_cpu_interfaces_[n]);
    }
}

EndpointId InterruptController::endpoint_of(std::uint64_t address) const {
    const auto after = std::upper_bound(routes_.begin(), routes_.end(), address,
                                        [](std::uint64_t a, const Route& route) { return a < route.window.base; });
    if (after != routes_.begin() && std::prev(after)->window.contains(address)) return std::prev(after)->endpoint;
    return bridges_[0]->endpoint;
}

}  // namespace gicsim
