#include "gicsim/platform/platform.h"

#include <stdexcept>

namespace gicsim {
namespace {

/// Simulated time between two looks at the monitor: long enough to cost nothing, short enough for a progress bar.
constexpr Time slice_of_run = Time::us(500);

std::string numbered(const char* what, std::size_t n) {
    return what + std::to_string(n);
}

}  // namespace

const char* distance_class_name(DistanceClass distance) {
    static constexpr const char* names[distance_class_count] = {"self", "same cluster", "same die", "same socket",
                                                                "other socket"};
    return names[static_cast<std::size_t>(distance)];
}

Platform::Platform(const MachineDescription& machine) : machine_(machine) {
    fabric_.reset(machine_.fabric);
    coherence_.timeline(timeline_);
    coherence_.fabric(fabric_);
    coherence_.variation(variation_);
    mmio_.timeline(timeline_);
    mmio_.fabric(fabric_);
    build_memory();
    gic_ = std::make_unique<InterruptController>(machine_, timeline_, fabric_, mmio_, marks_, variation_);
    build_cores();
    // Ports are bound when elaboration ends, which the first start does; a reset uses them.
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    reset(machine);
}

Platform::~Platform() = default;

void Platform::build_memory() {
    const std::size_t cpus = machine_.cpus.size();
    caches_.resize(cpus);
    lsus_.resize(cpus);
    cores_.resize(cpus);
    cache_endpoint_.resize(cpus);
    first_cache_.resize(machine_.dies.size());
    die_endpoints_.resize(machine_.dies.size());
    // The caches of a die get consecutive endpoints: that is how its L3 slices number their children.
    for (unsigned die = 0; die < machine_.dies.size(); ++die) {
        first_cache_[die] = static_cast<EndpointId>(die_of_endpoint_.size());
        for (std::size_t n = 0; n < cpus; ++n) {
            if (machine_.cpus[n].die != die) continue;
            caches_[n] = std::make_unique<PrivateCache>(numbered("cache", n).c_str());
            lsus_[n] = std::make_unique<LoadStoreUnit>(numbered("lsu", n).c_str());
            caches_[n]->timeline(timeline_);
            caches_[n]->transport(coherence_);
            caches_[n]->map(map_);
            caches_[n]->client(*lsus_[n]);
            lsus_[n]->timeline(timeline_);
            lsus_[n]->cache(*caches_[n]);
            lsus_[n]->variation(variation_);
            cache_endpoint_[n] =
                coherence_.attach(machine_.cpus[n].node, machine_.core_link, machine_.core_link_per_byte);
            coherence_.sinks(*caches_[n]);
            die_of_endpoint_.push_back(die);
            directory_at_.push_back(nullptr);
        }
        if (die_of_endpoint_.size() - index(first_cache_[die]) > ChildSet::capacity) {
            throw std::invalid_argument("platform: more than 128 CPUs in one die");
        }
    }
    const auto add = [this](std::vector<std::unique_ptr<Directory>>& list, std::vector<EndpointId>& endpoints,
                            const char* what, NodeId node, unsigned die, DirectoryState::Level level) {
        list.push_back(std::make_unique<Directory>(numbered(what, list.size()).c_str(), level));
        Directory& directory = *list.back();
        directory.timeline(timeline_);
        directory.transport(coherence_);
        directory.map(map_);
        endpoints.push_back(coherence_.attach(node));
        coherence_.sinks(directory);
        die_of_endpoint_.push_back(die);
        directory_at_.push_back(&directory);
    };
    for (unsigned die = 0; die < machine_.dies.size(); ++die) {
        for (const NodeId node : machine_.dies[die].l3_slices) {
            add(slices_, die_endpoints_[die].l3_slices, "l3_slice", node, die, DirectoryState::Level::inner);
        }
        for (const NodeId node : machine_.dies[die].home_agents) {
            add(homes_, die_endpoints_[die].home_agents, "home_agent", node, die, DirectoryState::Level::root);
        }
    }
}

void Platform::build_cores() {
    for (std::size_t n = 0; n < machine_.cpus.size(); ++n) {
        cores_[n] = std::make_unique<Core>(numbered("cpu", n).c_str());
        Core& core = *cores_[n];
        core.timeline(timeline_);
        core.lsu(*lsus_[n]);
        core.cache(*caches_[n]);
        core.mmio(mmio_);
        core.probe(marks_);
        lsus_[n]->client(core);
        gic_->connect(cpu_id(n), core);
        mmio_endpoint_.push_back(mmio_.attach(machine_.cpus[n].node, machine_.core_link, machine_.core_link_per_byte));
        mmio_.sinks(core);
        core.set_address_decoder([this](std::uint64_t address) { return gic_->endpoint_of(address); });
    }
}

void Platform::reset(const MachineDescription& machine) {
    if (machine.cpus.size() != machine_.cpus.size() || machine.dies.size() != machine_.dies.size() ||
        machine.fabric.nodes != machine_.fabric.nodes) {
        throw std::invalid_argument("platform: a reset cannot change the CPUs, dies and nodes of a machine");
    }
    machine_ = machine;
    timeline_.reset();
    fabric_.reset(machine_.fabric);
    coherence_.reset();
    mmio_.reset();
    marks_.reset(cpu_count());
    reset_memory();
    gic_->reset(machine_);
    reset_cores();
}

void Platform::reset_memory() {
    map_.reset(die_endpoints_);
    for (std::size_t n = 0; n < caches_.size(); ++n) {
        coherence_.place(cache_endpoint_[n], machine_.cpus[n].node, machine_.core_link, machine_.core_link_per_byte);
        caches_[n]->reset(machine_.memory, cache_endpoint_[n], machine_.cpus[n].die);
        lsus_[n]->reset(machine_.core);
    }
    std::size_t slice = 0;
    std::size_t home = 0;
    for (unsigned die = 0; die < machine_.dies.size(); ++die) {
        for (const EndpointId endpoint : die_endpoints_[die].l3_slices) {
            slices_[slice++]->reset_slice(machine_.memory, endpoint, first_cache_[die]);
        }
        for (const EndpointId endpoint : die_endpoints_[die].home_agents) {
            homes_[home++]->reset_home(machine_.memory, endpoint, &die_of_endpoint_);
        }
    }
}

void Platform::reset_cores() {
    for (std::size_t n = 0; n < cores_.size(); ++n) {
        mmio_.place(mmio_endpoint_[n], machine_.cpus[n].node, machine_.core_link, machine_.core_link_per_byte);
        cores_[n]->reset(machine_.core, cpu_id(n), mmio_endpoint_[n]);
    }
}

Platform::End Platform::run(Time limit, const Monitor& monitor) {
    timeline_.catch_up();
    const Time end = timeline_.now() + limit;
    while (!timeline_.halted()) {
        if (timeline_.idle()) return End::idle;
        if (timeline_.now() >= end) return End::time_limit;
        if (monitor && !monitor()) return End::interrupted;
        const Time slice = std::min(slice_of_run, end - timeline_.now());
        timeline_.grant_until(timeline_.now() + slice);
        sc_core::sc_start(timeline_.to_systemc(slice));
        if (auto failure = timeline_.take_failure()) std::rethrow_exception(failure);
        if (!timeline_.halted()) timeline_.catch_up();
    }
    return End::done;
}

void Platform::preset(LineId line, const LineData& data, const LinePlace& place) {
    using Mesi = PrivateCacheState::Mesi;
    for (const auto& cache : caches_) cache->preset(line, Mesi::invalid, data);
    DirectoryState::Holders home;
    home.data = data;
    std::vector<DirectoryState::Holders> slices(machine_.dies.size(), home);
    const auto child = [this](CpuId cpu, unsigned die) {
        return index(cache_endpoint_[index(cpu)]) - index(first_cache_[die]);
    };
    if (place.owner) {
        const unsigned die = machine_.cpus[index(*place.owner)].die;
        caches_[index(*place.owner)]->preset(line, Mesi::modified, data);
        slices[die].owner = static_cast<int>(child(*place.owner, die));
        home.owner = static_cast<int>(die);
    } else {
        for (const CpuId cpu : place.sharers) {
            const unsigned die = machine_.cpus[index(cpu)].die;
            caches_[index(cpu)]->preset(line, Mesi::shared, data);
            slices[die].sharers.insert(child(cpu, die));
            slices[die].readable = true;
            home.sharers.insert(die);
        }
    }
    for (unsigned die = 0; die < machine_.dies.size(); ++die) {
        directory_at_[index(map_.slice_of(die, line))]->preset(line, slices[die]);
    }
    directory_at_[index(map_.home_of(line))]->preset(line, home);
}

void Platform::observe(LoadStoreObserver* observer) {
    for (std::size_t n = 0; n < lsus_.size(); ++n) lsus_[n]->observe(observer, cpu_id(n));
}

void Platform::settle_stores() {
    for (const auto& lsu : lsus_) lsu->settle();
}

Word Platform::value(Location location) const {
    for (const auto& cache : caches_) {
        if (cache->readable(location.line)) return cache->read(location);
    }
    const LineData* memory = directory_at_[index(map_.home_of(location.line))]->memory(location.line);
    return memory == nullptr ? 0 : (*memory)[location.word];
}

DistanceClass Platform::distance(CpuId a, CpuId b) const {
    const CpuPlace& p = place(a);
    const CpuPlace& q = place(b);
    if (a == b) return DistanceClass::self;
    if (p.socket != q.socket) return DistanceClass::other_socket;
    if (p.die != q.die) return DistanceClass::same_socket;
    return p.cluster != q.cluster ? DistanceClass::same_die : DistanceClass::same_cluster;
}

std::uint64_t Platform::messages() const {
    return coherence_.messages_sent() + mmio_.messages_sent() + gic_->messages();
}

}  // namespace gicsim
