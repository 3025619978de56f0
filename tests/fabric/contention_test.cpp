#include <algorithm>
#include <map>

#include "fabric/allocation_count.h"
#include "fabric/fabric_rig.h"

using namespace gicsim;

namespace {

/// One message of the calculation below.
struct Journey {
    std::uint32_t message;
    std::vector<unsigned> nodes;  ///< the way, both ends included
    Time at;                      ///< when its head is at nodes[hop]
    unsigned bytes;
    std::size_t hop = 0;
};

/// By hand, hop by hop: always the message whose head is first at a link goes next; the link is its own until the last
/// byte is in. Written against the description of the links alone.
std::map<std::uint32_t, Time> arrivals_by_hand(const FabricDescription& graph, std::vector<Journey> journeys) {
    std::map<std::pair<unsigned, unsigned>, Time> free_at;
    std::map<std::uint32_t, Time> arrived;
    while (!journeys.empty()) {
        const auto first = std::min_element(journeys.begin(), journeys.end(),
                                            [](const Journey& a, const Journey& b) { return a.at < b.at; });
        if (first->hop + 1 == first->nodes.size()) {
            arrived[first->message] = first->at;
            journeys.erase(first);
            continue;
        }
        const unsigned a = first->nodes[first->hop];
        const unsigned b = first->nodes[first->hop + 1];
        const auto link = std::find_if(graph.links.begin(), graph.links.end(), [&](const LinkDescription& l) {
            return std::minmax(index(l.a), index(l.b)) == std::minmax(a, b);
        });
        const Time enters = std::max(first->at, free_at[{a, b}]);
        free_at[{a, b}] = enters + link->time_per_byte * first->bytes;
        first->at = enters + link->latency;
        ++first->hop;
    }
    return arrived;
}

/// On a line of nodes there is one way only.
std::vector<unsigned> way_on_line(unsigned from, unsigned to) {
    std::vector<unsigned> nodes = {from};
    while (nodes.back() != to) nodes.push_back(nodes.back() + (to > from ? 1 : -1));
    return nodes;
}

}  // namespace

TEST_CASE("Contention 1. The second message waits until the last byte of the first is in: not 1 fs earlier") {
    // Both want link 1-2: the first from 10 ns, when its head is at node 1; 64 bytes keep the link until 74 ns. The
    // second is there at 20 ns, enters at 74 ns and arrives 10 ns later.
    FabricRig rig(4);
    rig.reset(FabricRig::line(3));
    rig.send(0, 2, Time{}, 64, 1);
    rig.send(1, 2, Time::ns(20), 16, 2);
    rig.run_to(Time::ns(20) - Time::fs(1));
    CHECK(rig.arrivals.empty());
    rig.run_to(Time::ns(20));
    CHECK(rig.arrivals == std::vector<FabricRig::Arrival>{{1, 0, 2, Time::ns(20)}});
    rig.run_to(Time::ns(84) - Time::fs(1));
    CHECK(rig.arrivals.size() == 1);
    rig.run_to(Time::ns(84));
    REQUIRE(rig.arrivals.size() == 2);
    CHECK(rig.arrivals[1] == FabricRig::Arrival{2, 1, 2, Time::ns(84)});
    CHECK(rig.fabric.waits() == 1);
    CHECK(rig.fabric.waited() == Time::ns(54));
}

TEST_CASE("Contention 2. A link is free again when the last byte is in: a message that comes then does not wait") {
    FabricRig rig(4);
    for (const bool early : {true, false}) {
        rig.reset(FabricRig::line(2));
        rig.send(0, 1, Time{}, 64, 1);
        rig.send(0, 1, early ? Time::ns(64) - Time::fs(1) : Time::ns(64), 16, 2);
        rig.run_to(Time::us(1));
        CHECK(rig.when(2) == Time::ns(74));
        CHECK(rig.fabric.waits() == (early ? 1 : 0));
    }
}

TEST_CASE("Contention 3. The two directions of a link do not disturb each other") {
    FabricRig rig(4);
    rig.reset(FabricRig::line(2));
    rig.send(0, 1, Time{}, 64, 1);
    rig.send(1, 0, Time::ns(1), 64, 2);
    rig.run_to(Time::us(1));
    CHECK(rig.when(1) == Time::ns(10));
    CHECK(rig.when(2) == Time::ns(11));
}

TEST_CASE("Contention 4. On the rung without queues nothing ever waits") {
    FabricRig rig(4);
    FabricDescription graph = FabricRig::line(2);
    graph.fidelity = FabricFidelity::latency;
    rig.reset(graph);
    for (unsigned i = 0; i < 5; ++i) rig.send(0, 1, Time{}, 64, i);
    rig.run_to(Time::us(1));
    REQUIRE(rig.arrivals.size() == 5);
    for (unsigned i = 0; i < 5; ++i) CHECK(rig.arrivals[i] == FabricRig::Arrival{i, 0, 1, Time::ns(10)});
    CHECK(rig.fabric.waits() == 0);
}

TEST_CASE("Contention 5. Many messages over shared links arrive when a calculation hop by hop says") {
    constexpr unsigned nodes = 6;
    FabricRig rig(nodes);
    std::mt19937 random(3);
    std::uint64_t waits = 0;
    for (unsigned round = 0; round < 40; ++round) {
        FabricDescription graph = FabricRig::line(nodes);
        for (LinkDescription& link : graph.links) {
            link.latency = Time::fs(1000 + static_cast<std::int64_t>(random() % 9000));
            link.time_per_byte = Time::fs(1 + static_cast<std::int64_t>(random() % 97));
        }
        rig.reset(graph);
        std::vector<Journey> journeys;
        for (std::uint32_t message = 0; message < 60; ++message) {
            const unsigned from = random() % nodes;
            const unsigned to = (from + 1 + random() % (nodes - 1)) % nodes;
            const Time departure = Time::fs(static_cast<std::int64_t>(random() % 40'000));
            const unsigned bytes = random() % 2 == 0 ? 16 : 80;
            journeys.push_back({message, way_on_line(from, to), departure, bytes});
            rig.send(from, to, departure, bytes, message);
        }
        rig.run_to(Time::us(10));
        REQUIRE(rig.arrivals.size() == journeys.size());
        for (const auto& [message, at] : arrivals_by_hand(graph, journeys)) {
            INFO("round " << round << ", message " << message);
            CHECK(rig.when(message) == at);
        }
        waits += rig.fabric.waits();
    }
    CHECK(waits > 500);
}

TEST_CASE("Contention 6. Messages between two endpoints never overtake each other") {
    FabricRig rig(12);
    std::mt19937 random(5);
    for (unsigned round = 0; round < 40; ++round) {
        const unsigned n = 3 + random() % 10;
        FabricDescription graph = FabricRig::random_graph(random, n);
        graph.fidelity = round % 4 == 0 ? FabricFidelity::latency : FabricFidelity::queued;
        rig.reset(graph);
        Time departure;
        for (std::uint32_t message = 0; message < 150; ++message) {
            // Half of them leave together with the one before.
            if (random() % 2 == 0) departure += Time::fs(static_cast<std::int64_t>(random() % 900));
            const unsigned from = random() % n;
            rig.send(from, random() % n, departure, random() % 2 == 0 ? 16 : 80, message);
        }
        rig.run_to(Time::us(10));
        REQUIRE(rig.arrivals.size() == 150);
        std::map<std::pair<unsigned, unsigned>, std::uint32_t> newest;
        for (const FabricRig::Arrival& arrival : rig.arrivals) {
            std::uint32_t& before = newest[{arrival.from, arrival.to}];
            INFO("round " << round << ", message " << arrival.message);
            CHECK(before <= arrival.message);
            before = arrival.message;
        }
    }
}

TEST_CASE("Contention 7. Slots are used again: after the first messages nothing is allocated any more") {
    FabricRig rig(4);
    for (const FabricFidelity fidelity : {FabricFidelity::latency, FabricFidelity::queued}) {
        FabricDescription graph = FabricRig::line(4);
        graph.fidelity = fidelity;
        rig.reset(graph);
        std::uint64_t after_first = 0;
        rig.arrivals.reserve(100'000);
        for (unsigned round = 0; round < 500; ++round) {
            const Time base = Time::us(round);
            for (std::uint32_t i = 0; i < 40; ++i) rig.send(i % 4, (i + 1) % 4, base, 16, i);
            rig.run_to(base + Time::ns(999));
            if (round == 0) after_first = allocations();
        }
        CHECK(rig.arrivals.size() == 20'000);
        CHECK(allocations() == after_first);
    }
}
