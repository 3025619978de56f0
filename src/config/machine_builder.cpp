#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "gicsim/config/parameter_file.h"
#include "gicsim/config/suggestion.h"
#include "gicsim/memory/directory_state.h"
#include "register_frames.h"

namespace gicsim {

namespace {

/// Reads the parameters of a file one by one and records each as a setting.
class ParameterReader {
public:
    ParameterReader(const ParameterSettings& values, ClockDomain clock, std::vector<Setting>& settings)
        : values_(values), clock_(clock), settings_(settings) {}

    Quantity read(const Parameter& parameter, const std::string& path) {
        const ParameterSetting& given = values_.at(path);
        Quantity quantity = read_quantity(given.value, parameter.rule, path, clock_);
        settings_.push_back(
            {path, quantity.text, quantity.canonical, given.source, given.status, given.value.origin.to_string()});
        return quantity;
    }

private:
    const ParameterSettings& values_;
    ClockDomain clock_;
    std::vector<Setting>& settings_;
};

/// Numbers labels 0, 1, 2, ... in their order.
template <typename Label>
class Ranks {
public:
    void add(const Label& label) { ranks_.emplace(label, 0); }
    void close() {
        unsigned next = 0;
        for (auto& [label, rank] : ranks_) rank = next++;
    }
    [[nodiscard]] unsigned of(const Label& label) const { return ranks_.at(label); }
    [[nodiscard]] std::size_t size() const { return ranks_.size(); }

private:
    std::map<Label, unsigned> ranks_;
};

class MachineBuilder {
public:
    MachineBuilder(const MachineFile& file, std::vector<Setting>& settings) : file_(file), settings_(settings) {}

    MachineDescription build() {
        MachineDescription& machine = draft_.machine;
        machine.name = file_.name;
        read_parameters();
        check_register_frames(file_, machine.gicd_base);
        place_cpus();
        check_sizes();
        check_stops();
        lay_rings();
        lay_links();
        check_connected();
        if (const std::string& name = machine.gic.distributor_node; !nodes_.contains(name)) {
            throw ConfigError(file_.parameters.at("gic.distributor_node").value.origin, "gic.distributor_node",
                              fmt::format("the machine has no fabric node '{}'", name),
                              did_you_mean(name, machine.fabric.nodes));
        }
        record_shape();
        return std::move(draft_.machine);
    }

private:
    void read_parameters() {
        const Parameter& clock = parameters().front();  // what the cycles of all others are counted in
        ParameterReader first(file_.parameters, ClockDomain(1), settings_);
        const Quantity frequency = first.read(clock, std::string(clock.path));
        clock_ = ClockDomain(frequency.amount);
        ParameterReader reader(file_.parameters, clock_, settings_);
        using Set = void (*)(MachineDraft&, const Quantity&);
        std::get<Set>(clock.set)(draft_, frequency);
        for (const Parameter& parameter : parameters()) {
            if (!parameter.of_machine() || &parameter == &clock) continue;
            std::get<Set>(parameter.set)(draft_, reader.read(parameter, std::string(parameter.path)));
        }
    }

    void place_cpus() {
        Ranks<unsigned> packages;
        Ranks<std::pair<unsigned, unsigned>> dies;
        for (const CpuRow& row : file_.cpus) {
            packages.add(row.package);
            dies.add({row.package, row.die});
        }
        packages.close();
        dies.close();
        std::vector<Ranks<unsigned>> clusters(dies.size());
        for (const CpuRow& row : file_.cpus) clusters[dies.of({row.package, row.die})].add(row.cluster);
        for (auto& ranks : clusters) ranks.close();

        draft_.machine.dies.resize(dies.size());
        for (const CpuRow& row : file_.cpus) {
            CpuPlace cpu;
            cpu.affinity = Affinity::from_mpidr(row.mpidr);
            cpu.gicr_base = row.gicr_base;
            cpu.socket = packages.of(row.package);
            cpu.die = dies.of({row.package, row.die});
            cpu.cluster = clusters[cpu.die].of(row.cluster);
            cpu.core = row.core;
            cpu.thread = row.thread;
            draft_.machine.dies[cpu.die].socket = cpu.socket;
            draft_.machine.cpus.push_back(cpu);
        }
    }

    [[nodiscard]] std::size_t first_cpu_of(std::size_t die) const {
        const auto& cpus = draft_.machine.cpus;
        const auto found =
            std::find_if(cpus.begin(), cpus.end(), [die](const CpuPlace& cpu) { return cpu.die == die; });
        return static_cast<std::size_t>(found - cpus.begin());
    }

    /// What the hardware models have room for.
    void check_sizes() const {
        std::vector<std::size_t> cpus_of_die(draft_.machine.dies.size(), 0);
        for (std::size_t n = 0; n < file_.cpus.size(); ++n) {
            const CpuPlace& cpu = draft_.machine.cpus[n];
            if (++cpus_of_die[cpu.die] > ChildSet::capacity) {
                throw ConfigError(origin_of(file_.cpus[n], CpuColumn::die, file_.cpu_file), {},
                                  fmt::format("die_or_node: more than {} CPUs in one die", ChildSet::capacity));
            }
            if (cpu.socket >= most_distributors) {
                throw ConfigError(origin_of(file_.cpus[n], CpuColumn::package, file_.cpu_file), {},
                                  fmt::format("package: more than {} packages", most_distributors));
            }
        }
    }

    void check_stops() const {
        std::set<std::string> seen;
        const auto count = [this](std::string_view prefix) {
            return std::count_if(file_.stops.begin(), file_.stops.end(),
                                 [prefix](const RawValue& stop) { return stop.text.starts_with(prefix); });
        };
        for (const RawValue& stop : file_.stops) {
            const bool valid = !stop.text.empty() && stop.text.find_first_not_of(
                                                         "abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
            if (!valid) {
                throw ConfigError(stop.origin, stops_path_, fmt::format("'{}' is no name of a stop", stop.text),
                                  "lower case letters, digits and '_'");
            }
            if (!seen.insert(stop.text).second) {
                throw ConfigError(stop.origin, stops_path_, fmt::format("stop '{}' occurs twice", stop.text));
            }
        }
        if (count("l3_") == 0) throw ConfigError(file_.stops_origin, stops_path_, "there is no L3 slice, a stop l3_0");
        if (count("hha") == 0)
            throw ConfigError(file_.stops_origin, stops_path_, "there is no home agent, a stop hha0");
        if (!seen.contains("gic")) throw ConfigError(file_.stops_origin, stops_path_, "there is no stop 'gic'");
        for (const CpuPlace& cpu : draft_.machine.cpus) {
            if (seen.contains(fmt::format("ccl{}", cpu.cluster))) continue;
            const auto n = static_cast<std::size_t>(&cpu - draft_.machine.cpus.data());
            throw ConfigError(origin_of(file_.cpus[n], CpuColumn::cluster, file_.cpu_file), {},
                              fmt::format("cluster: die {} has a cluster {}, but the ring has no stop ccl{}", cpu.die,
                                          cpu.cluster, cpu.cluster),
                              fmt::format("{} is at {}", stops_path_, file_.stops_origin.to_string()));
        }
    }

    void lay_rings() {
        MachineDescription& machine = draft_.machine;
        const std::size_t stops = file_.stops.size();
        for (std::size_t d = 0; d < machine.dies.size(); ++d) {
            DiePlace& die = machine.dies[d];
            const std::size_t first = machine.fabric.nodes.size();
            for (const RawValue& stop : file_.stops) {
                const NodeId node = node_id(machine.fabric.nodes.size());
                const std::string name = fmt::format("die{}.{}", d, stop.text);
                nodes_.emplace(name, node);
                machine.fabric.nodes.push_back(name);
                if (stop.text.starts_with("l3_")) die.l3_slices.push_back(node);
                if (stop.text.starts_with("hha")) die.home_agents.push_back(node);
                if (stop.text == "gic") die.gic = node;
            }
            // Two stops are neighbours once, not twice.
            for (std::size_t i = 0; i < stops && (stops > 2 || i + 1 < stops); ++i) {
                const std::size_t next = (i + 1) % stops;
                machine.fabric.links.push_back(
                    {fmt::format("die{}.{}-{}", d, file_.stops[i].text, file_.stops[next].text), node_id(first + i),
                     node_id(first + next), draft_.hop, Time(), draft_.hop_per_byte});
            }
        }
        for (CpuPlace& cpu : machine.cpus) cpu.node = nodes_.at(fmt::format("die{}.ccl{}", cpu.die, cpu.cluster));
    }

    [[nodiscard]] NodeId end(const RawValue& value, const std::string& path) const {
        const auto found = nodes_.find(value.text);
        if (found == nodes_.end()) {
            throw ConfigError(value.origin, path, fmt::format("the machine has no fabric node '{}'", value.text),
                              did_you_mean(value.text, draft_.machine.fabric.nodes));
        }
        return found->second;
    }

    void lay_links() {
        ParameterReader reader(file_.parameters, clock_, settings_);
        std::set<std::pair<NodeId, NodeId>> seen;
        for (const MachineFile::LinkKind& kind : file_.links) {
            LinkDescription link;
            for (const Parameter& parameter : parameters()) {
                if (!parameter.of_link()) continue;
                using Set = void (*)(LinkDescription&, const Quantity&);
                std::get<Set>(parameter.set)(link, reader.read(parameter, link_path(parameter, kind.name)));
            }
            const std::string path = fmt::format("fabric.link.{}.ends", kind.name);
            std::string canonical;
            for (const auto& [a, b] : kind.ends) {
                link.a = end(a, path);
                link.b = end(b, path);
                if (link.a == link.b) throw ConfigError(a.origin, path, "a link needs two different ends");
                if (!seen.insert(std::minmax(link.a, link.b)).second) {
                    throw ConfigError(a.origin, path, fmt::format("a second link joins {} and {}", a.text, b.text));
                }
                link.name = fmt::format("{}:{}-{}", kind.name, a.text, b.text);
                draft_.machine.fabric.links.push_back(link);
                canonical += fmt::format("{}{}-{}", canonical.empty() ? "" : ", ", a.text, b.text);
            }
            settings_.push_back({path, canonical, canonical, {}, {}, kind.origin.to_string(), false});
        }
    }

    void check_connected() const {
        const FabricDescription& fabric = draft_.machine.fabric;
        std::vector<bool> reached(fabric.nodes.size(), false);
        reached[0] = true;
        for (bool changed = true; changed;) {
            changed = false;
            for (const LinkDescription& link : fabric.links) {
                if (reached[index(link.a)] == reached[index(link.b)]) continue;
                reached[index(link.a)] = reached[index(link.b)] = true;
                changed = true;
            }
        }
        const auto lost = std::find(reached.begin(), reached.end(), false);
        if (lost == reached.end()) return;
        // A die more than the links join comes from the CPU table: its first CPU says which.
        const auto node = static_cast<std::size_t>(lost - reached.begin());
        const CpuRow& row = file_.cpus[first_cpu_of(node / file_.stops.size())];
        throw ConfigError(
            origin_of(row, CpuColumn::die, file_.cpu_file), {},
            fmt::format("die_or_node: {} cannot be reached from {}", fabric.nodes[node], fabric.nodes[0]),
            fmt::format("package {}, die_or_node {} is a die of its own, and no fabric.link of {} joins it",
                        row.package, row.die, file_.file));
    }

    void record_shape() {
        std::vector<std::string> stops;
        stops.reserve(file_.stops.size());
        for (const RawValue& stop : file_.stops) stops.push_back(stop.text);
        const std::string ring = fmt::format("{}", fmt::join(stops, ", "));
        settings_.push_back({stops_path_, ring, ring, {}, {}, file_.stops_origin.to_string(), false});
        std::string rows;
        for (const CpuPlace& cpu : draft_.machine.cpus) {
            rows += fmt::format("{:#x} {:#x} {} {} {} {} {}\n", cpu.affinity.mpidr(), cpu.gicr_base, cpu.socket,
                                cpu.die, cpu.cluster, cpu.core, cpu.thread);
        }
        settings_.push_back({"cpus.table",
                             fmt::format("{} CPUs", draft_.machine.cpus.size()),
                             text_hash(rows),
                             {},
                             {},
                             file_.cpu_file,
                             false});
    }

    const std::string stops_path_ = "fabric.die.stops";
    const MachineFile& file_;
    std::vector<Setting>& settings_;
    MachineDraft draft_;
    ClockDomain clock_{1};
    std::map<std::string, NodeId, std::less<>> nodes_;
};

}  // namespace

MachineDescription build_machine(const MachineFile& file, std::vector<Setting>& settings) {
    return MachineBuilder(file, settings).build();
}

SoftwareDescription build_software(const SoftwareFile& file, std::vector<Setting>& settings) {
    SoftwareDescription software;
    software.name = file.name;
    // Software counts cycles, so no clock is consulted.
    ParameterReader reader(file.parameters, ClockDomain(1), settings);
    for (const Parameter& parameter : parameters()) {
        if (!parameter.of_software()) continue;
        using Set = void (*)(SoftwareDescription&, const Quantity&);
        std::get<Set>(parameter.set)(software, reader.read(parameter, std::string(parameter.path)));
    }
    return software;
}

}  // namespace gicsim
