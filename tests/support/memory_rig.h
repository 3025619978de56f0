#ifndef GICSIM_TESTS_SUPPORT_MEMORY_RIG_H
#define GICSIM_TESTS_SUPPORT_MEMORY_RIG_H

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gicsim/memory/directory.h"
#include "gicsim/memory/private_cache.h"
#include "support/catch.h"

/// Two dies of two caches, one L3 slice and one home agent each, on a three-link fabric with plain figures:
/// cache-node 1 ns, slice and home on the node, die link 10 ns, every look-up 1 ns, DRAM 50 ns.
class MemoryRig {
public:
    static constexpr unsigned dies = 2;
    static constexpr unsigned caches_per_die = 2;

    class Client : public sc_core::sc_module, public gicsim::CacheClient {
    public:
        explicit Client(const sc_core::sc_module_name& name) : sc_module(name) {}
        void line_filled(gicsim::LineId line) override {
            ++fills;
            if (on_fill) on_fill(line);
        }
        void before_snoop(gicsim::LineId) override {}
        void line_snooped(gicsim::LineId, bool invalidated) override { invalidations += invalidated ? 1 : 0; }
        void line_confirmed(gicsim::LineId) override { ++confirmations; }
        unsigned fills = 0;
        unsigned invalidations = 0;
        unsigned confirmations = 0;
        std::function<void(gicsim::LineId)> on_fill;
    };

    /// Makes the client of cache i; the default makes a Client.
    using ClientFactory = std::function<gicsim::CacheClient&(unsigned cache)>;

    explicit MemoryRig(gicsim::FabricFidelity fidelity = gicsim::FabricFidelity::latency,
                       const ClientFactory& factory = {}) {
        using namespace gicsim;
        fabric.reset(graph(fidelity, Time::ps(100)));
        transport.timeline(timeline);
        transport.fabric(fabric);
        for (unsigned die = 0; die < dies; ++die) {
            for (unsigned i = 0; i < caches_per_die; ++i) {
                const std::string n = std::to_string(die * caches_per_die + i);
                if (!factory) clients.push_back(std::make_unique<Client>(("client" + n).c_str()));
                auto cache = std::make_unique<PrivateCache>(("cache" + n).c_str());
                cache->timeline(timeline);
                cache->transport(transport);
                cache->map(map);
                const unsigned number = die * caches_per_die + i;
                cache->client(factory ? factory(number) : *clients.back());
                cache_ids.push_back(transport.attach(node_id(die), Time::ns(1)));
                transport.sinks(*cache);
                caches.push_back(std::move(cache));
            }
        }
        die_of_endpoint = {0, 0, 1, 1};
        for (unsigned die = 0; die < dies; ++die) {
            places[die].l3_slices = {add("slice", die, DirectoryState::Level::inner)};
            places[die].home_agents = {add("home", die, DirectoryState::Level::root)};
        }
        reset_memory();
        // Transports know what their ports are bound to from the end of elaboration on.
        if (!factory) sc_core::sc_start(sc_core::SC_ZERO_TIME);
        timeline.reset();
    }

    /// Everything as after construction, with other links.
    void reset(gicsim::FabricFidelity fidelity, gicsim::Time time_per_byte) {
        timeline.reset();
        fabric.reset(graph(fidelity, time_per_byte));
        transport.reset();
        reset_memory();
    }

    void run_for(gicsim::Time time) {
        timeline.grant_until(timeline.now() + time);
        sc_core::sc_start(timeline.to_systemc(time));
        timeline.catch_up();
        if (auto failure = timeline.take_failure()) std::rethrow_exception(failure);
    }

    gicsim::Timeline timeline{"timeline"};
    gicsim::Fabric fabric{"fabric"};
    gicsim::CoherenceTransport transport{"transport", gicsim::Traffic::coherent};
    gicsim::AddressMap map{"map"};
    std::vector<std::unique_ptr<Client>> clients;
    std::vector<std::unique_ptr<gicsim::PrivateCache>> caches;
    std::vector<std::unique_ptr<gicsim::Directory>> directories;
    std::vector<gicsim::EndpointId> cache_ids;
    std::vector<unsigned> die_of_endpoint;
    std::vector<gicsim::AddressMap::Die> places{dies};

private:
    static gicsim::FabricDescription graph(gicsim::FabricFidelity fidelity, gicsim::Time time_per_byte) {
        using namespace gicsim;
        FabricDescription graph;
        graph.nodes = {"die0", "die1"};
        graph.links = {{"link", node_id(0), node_id(1), Time::ns(10), Time::ns(3), time_per_byte}};
        graph.fidelity = fidelity;
        return graph;
    }

    void reset_memory() {
        using namespace gicsim;
        map.reset(places);
        const MemoryParameters parameters{Time::ns(1), Time::ns(1), Time::ns(1), Time::ns(1),
                                          Time::ns(0), Time::ns(1), Time::ns(50)};
        for (unsigned die = 0; die < dies; ++die) {
            const std::size_t first = std::size_t{die} * caches_per_die;
            for (unsigned i = 0; i < caches_per_die; ++i) {
                caches[first + i]->reset(parameters, cache_ids[first + i], die);
            }
            directories[std::size_t{2} * die]->reset_slice(parameters, places[die].l3_slices[0], cache_ids[first]);
            directories[2 * die + 1]->reset_home(parameters, places[die].home_agents[0], &die_of_endpoint);
        }
    }

    gicsim::EndpointId add(const std::string& what, unsigned die, gicsim::DirectoryState::Level level) {
        auto directory = std::make_unique<gicsim::Directory>((what + std::to_string(die)).c_str(), level);
        directory->timeline(timeline);
        directory->transport(transport);
        directory->map(map);
        const gicsim::EndpointId id = transport.attach(gicsim::node_id(die));
        transport.sinks(*directory);
        directories.push_back(std::move(directory));
        die_of_endpoint.push_back(die);
        return id;
    }
};

#endif
