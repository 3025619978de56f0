#include <algorithm>
#include <stdexcept>

#include "fabric/fabric_rig.h"

using namespace gicsim;

TEST_CASE("Fabric 1. A message takes the way of least latency, not of fewest hops") {
    Fabric fabric("fabric");
    FabricDescription graph;
    graph.nodes = {"a", "b", "c"};
    graph.links = {{"long", node_id(0), node_id(2), Time::ns(10), Time{}, Time{}},
                   {"first", node_id(0), node_id(1), Time::ns(4), Time{}, Time{}},
                   {"second", node_id(1), node_id(2), Time::ns(6) - Time::fs(1), Time{}, Time{}}};
    fabric.reset(graph);
    CHECK(fabric.latency(node_id(0), node_id(2), Traffic::coherent) == Time::ns(10) - Time::fs(1));
    CHECK(fabric.end_of(fabric.next_link(node_id(0), node_id(2))) == node_id(1));
    // Among equals, the way with fewer hops.
    graph.links[2].latency = Time::ns(6);
    fabric.reset(graph);
    CHECK(fabric.end_of(fabric.next_link(node_id(0), node_id(2))) == node_id(2));
    CHECK(fabric.end_of(fabric.next_link(node_id(2), node_id(0))) == node_id(0));
}

TEST_CASE("Fabric 2. Latencies are those of an independent all-pairs computation, and the links of a way add up") {
    Fabric fabric("fabric");
    std::mt19937 random(7);
    for (unsigned round = 0; round < 60; ++round) {
        const unsigned n = 2 + random() % 14;
        const FabricDescription graph = FabricRig::random_graph(random, n);
        fabric.reset(graph);
        // Floyd and Warshall's.
        std::vector<std::vector<std::int64_t>> least(n, std::vector<std::int64_t>(n, INT64_MAX / 4));
        for (unsigned i = 0; i < n; ++i) least[i][i] = 0;
        for (const LinkDescription& link : graph.links) {
            std::int64_t& there = least[index(link.a)][index(link.b)];
            there = std::min(there, link.latency.in_fs());
            least[index(link.b)][index(link.a)] = there;
        }
        for (unsigned k = 0; k < n; ++k) {
            for (unsigned i = 0; i < n; ++i) {
                for (unsigned j = 0; j < n; ++j) least[i][j] = std::min(least[i][j], least[i][k] + least[k][j]);
            }
        }
        for (unsigned i = 0; i < n; ++i) {
            for (unsigned j = 0; j < n; ++j) {
                INFO("round " << round << ", " << i << " to " << j);
                CHECK(fabric.latency(node_id(i), node_id(j), Traffic::coherent) == Time::fs(least[i][j]));
                // Each hop brings the goal nearer by what the hop takes; so the way ends, and its links add up.
                if (i == j) continue;
                const NodeId next = fabric.end_of(fabric.next_link(node_id(i), node_id(j)));
                CHECK(fabric.latency(node_id(i), node_id(j), Traffic::coherent) ==
                      fabric.latency(node_id(i), next, Traffic::coherent) +
                          fabric.latency(next, node_id(j), Traffic::coherent));
            }
        }
    }
}

TEST_CASE("Fabric 3. A graph in pieces and a link to nowhere are refused, with the names") {
    Fabric fabric("fabric");
    FabricDescription graph = FabricRig::line(3);
    graph.links.pop_back();
    CHECK_THROWS_WITH(fabric.reset(graph), Catch::Contains("n0") && Catch::Contains("n2"));
    graph = FabricRig::line(3);
    graph.links[1].b = node_id(3);
    CHECK_THROWS_WITH(fabric.reset(graph), Catch::Contains("l2"));
    CHECK_THROWS_AS(fabric.reset(graph), std::invalid_argument);
    // It is usable afterwards.
    fabric.reset(FabricRig::line(3));
    CHECK(fabric.latency(node_id(0), node_id(2), Traffic::coherent) == Time::ns(20));
}

TEST_CASE("Fabric 4. Only device traffic pays for the bridges, and both take the same way") {
    FabricRig rig(3);
    CHECK(rig.fabric.node_count() == 2);
    for (const FabricFidelity fidelity : {FabricFidelity::latency, FabricFidelity::queued}) {
        FabricDescription graph = FabricRig::line(3);
        graph.fidelity = fidelity;
        // A short cut for device traffic would be the two cheap bridges; ways are chosen by coherent latency.
        graph.links.push_back({"direct", node_id(0), node_id(2), Time::ns(19), Time::ns(100), Time::ns(1)});
        rig.reset(graph);
        rig.coherent.send(FabricRig::endpoint(0), FabricRig::endpoint(2), rig.start, 1, 1);
        rig.run_to(Time::us(1));
        CHECK(rig.when(1) == Time::ns(19));
        rig.reset(graph);
        rig.device.send(FabricRig::endpoint(0), FabricRig::endpoint(2), rig.start, 1, 2);
        rig.run_to(Time::us(1));
        CHECK(rig.when(2) == Time::ns(119));
        CHECK(rig.device.latency(FabricRig::endpoint(0), FabricRig::endpoint(2)) == Time::ns(119));
        CHECK(rig.device.latency(FabricRig::endpoint(0), FabricRig::endpoint(1)) == Time::ns(13));
        CHECK(rig.coherent.latency(FabricRig::endpoint(0), FabricRig::endpoint(1)) == Time::ns(10));
    }
}

TEST_CASE("Fabric 5. For one message between any two endpoints both rungs of the fidelity ladder agree") {
    FabricRig rig(12);
    std::mt19937 random(11);
    for (unsigned round = 0; round < 60; ++round) {
        const unsigned n = 2 + random() % 11;
        FabricDescription graph = FabricRig::random_graph(random, n);
        const unsigned from = random() % n;
        const unsigned to = random() % n;
        const Time departure = Time::fs(static_cast<std::int64_t>(random()) % 5000);
        const unsigned bytes = random() % 200;
        const Time access = Time::fs(static_cast<std::int64_t>(random()) % 3000);
        std::vector<Time> arrival;
        for (const bool device : {false, true}) {
            for (const FabricFidelity fidelity : {FabricFidelity::latency, FabricFidelity::queued}) {
                graph.fidelity = fidelity;
                rig.reset(graph, access);
                auto& transport = device ? rig.device : rig.coherent;
                transport.send(FabricRig::endpoint(from), FabricRig::endpoint(to), rig.start + departure, bytes, 1);
                rig.run_to(Time::us(10));
                REQUIRE(rig.arrivals.size() == 1);
                CHECK(rig.arrivals[0].from == from);
                CHECK(rig.arrivals[0].to == to);
                CHECK(rig.when(1) - departure == transport.latency(FabricRig::endpoint(from), FabricRig::endpoint(to)));
                CHECK(transport.messages_sent() == 1);
                arrival.push_back(rig.when(1));
            }
        }
        CHECK(arrival[0] == arrival[1]);
        CHECK(arrival[2] == arrival[3]);
        CHECK(arrival[0] <= arrival[2]);
        CHECK(rig.fabric.waits() == 0);
    }
}
