#ifndef GICSIM_TESTS_FABRIC_FABRIC_RIG_H
#define GICSIM_TESTS_FABRIC_FABRIC_RIG_H

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gicsim/fabric/transport.h"
#include "support/catch.h"

/// A fabric with one endpoint a node for each kind of traffic, and a log of what arrives. The graph changes with every
/// reset; nodes that it lacks have endpoints that nobody uses.
class FabricRig {
public:
    using Number = std::uint32_t;
    struct Arrival {
        Number message;
        unsigned from;
        unsigned to;
        gicsim::Time at;
        bool operator==(const Arrival&) const = default;
    };

    explicit FabricRig(unsigned nodes) {
        for (gicsim::Transport<Number>* const transport : {&coherent, &device}) {
            transport->timeline(timeline);
            transport->fabric(fabric);
            for (unsigned i = 0; i < nodes; ++i) {
                transport->attach(gicsim::node_id(0));
                inboxes_.push_back(std::make_unique<Inbox>(*this, i));
                transport->sinks(*inboxes_.back());
            }
        }
        // Ports are bound when elaboration ends.
        fabric.reset(line(2));
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    /// Starts afresh on another graph: endpoint i sits at node i.
    void reset(const gicsim::FabricDescription& graph, gicsim::Time access = gicsim::Time{}) {
        timeline.reset();
        fabric.reset(graph);
        for (gicsim::Transport<Number>* const transport : {&coherent, &device}) {
            transport->reset();
            for (unsigned i = 0; i < graph.nodes.size(); ++i) transport->place(endpoint(i), gicsim::node_id(i), access);
        }
        arrivals.clear();
        start = timeline.now();
    }
    /// @param departure counted from the reset.
    void send(unsigned from, unsigned to, gicsim::Time departure, unsigned bytes, Number message) {
        coherent.send(endpoint(from), endpoint(to), start + departure, bytes, message);
    }
    /// Runs up to `at` inclusive, counted from the reset.
    void run_to(gicsim::Time at) {
        const gicsim::Time end = start + at + gicsim::Time::fs(1);
        timeline.catch_up();
        timeline.grant_until(end);
        sc_core::sc_start(timeline.to_systemc(end) - sc_core::sc_time_stamp());
        if (const auto failure = timeline.take_failure()) std::rethrow_exception(failure);
    }
    [[nodiscard]] gicsim::Time when(Number message) const {
        for (const Arrival& arrival : arrivals) {
            if (arrival.message == message) return arrival.at;
        }
        return gicsim::Time::max();
    }
    static gicsim::EndpointId endpoint(unsigned i) { return static_cast<gicsim::EndpointId>(i); }

    /// Nodes in a row: 10 ns a link, 1 ns a byte, 3 ns more for device traffic.
    static gicsim::FabricDescription line(unsigned nodes) {
        using gicsim::Time;
        gicsim::FabricDescription graph;
        graph.fidelity = gicsim::FabricFidelity::queued;
        for (unsigned i = 0; i < nodes; ++i) {
            graph.nodes.push_back(std::string(1, 'n').append(std::to_string(i)));
            if (i > 0) {
                graph.links.push_back({std::string(1, 'l').append(std::to_string(i)), gicsim::node_id(i - 1),
                                       gicsim::node_id(i), Time::ns(10), Time::ns(3), Time::ns(1)});
            }
        }
        return graph;
    }
    /// A connected graph: a random tree and some links more. Every latency is another one.
    static gicsim::FabricDescription random_graph(std::mt19937& random, unsigned nodes) {
        using gicsim::Time;
        gicsim::FabricDescription graph;
        const auto below = [&random](std::int64_t end) { return Time::fs(static_cast<std::int64_t>(random()) % end); };
        const auto add = [&](unsigned a, unsigned b) {
            graph.links.push_back(
                {"l", gicsim::node_id(a), gicsim::node_id(b), Time::fs(1000) + below(20'000), below(5000), below(90)});
        };
        for (unsigned i = 0; i < nodes; ++i) {
            graph.nodes.push_back(std::string(1, 'n').append(std::to_string(i)));
            if (i > 0) add(random() % i, i);
        }
        for (unsigned i = 0; i < nodes / 2; ++i) {
            const unsigned a = random() % nodes;
            const unsigned b = random() % nodes;
            if (a != b) add(a, b);
        }
        return graph;
    }

    gicsim::Timeline timeline{"timeline"};
    gicsim::Fabric fabric{"fabric"};
    gicsim::Transport<Number> coherent{"coherent", gicsim::Traffic::coherent};
    gicsim::Transport<Number> device{"device", gicsim::Traffic::device};
    std::vector<Arrival> arrivals;
    gicsim::Time start;

private:
    struct Inbox : gicsim::MessageSink<Number> {
        Inbox(FabricRig& r, unsigned i) : rig(r), self(i) {}
        void receive(gicsim::EndpointId from, const Number& message) override {
            rig.arrivals.push_back({message, index(from), self, rig.timeline.now() - rig.start});
        }
        FabricRig& rig;
        unsigned self;
    };
    std::vector<std::unique_ptr<Inbox>> inboxes_;
};

#endif
