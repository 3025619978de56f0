#include "gic/gic_rig.h"
#include "support/catch.h"

using namespace gicsim;
using namespace gicsim::test;

namespace {

StreamPacket release(unsigned n) {
    return StreamPacket::about(PacketKind::release, intid(n));
}

}  // namespace

TEST_CASE("Stream link 1. A packet arrives its beats and the latency after it is ready") {
    GicRig& rig = GicRig::fresh();
    rig.at(Time::ns(1), [&] { rig.link.send(release(1), rig.timeline.now() + Time::ns(2)); });
    rig.run_to(Time::ns(13) - Time::fs(1));
    CHECK(rig.link_end.arrived.empty());
    rig.run_to(Time::ns(13));
    REQUIRE(rig.link_end.arrived.size() == 1);
    CHECK(rig.link_end.arrived[0].first == release(1));
}

TEST_CASE("Stream link 2. Packets keep their order and wait for the last beat of the one before") {
    GicParameters parameters = GicRig::figures();
    parameters.stream_credits = 100;
    GicRig& rig = GicRig::fresh(parameters);
    rig.at(Time{}, [&] {
        rig.link.send(StreamPacket::generate_sgi({}), rig.timeline.now());
        for (unsigned n = 0; n < 40; ++n) rig.link.send(release(n), rig.timeline.now());
    });
    rig.run_to(Time::us(1));
    REQUIRE(rig.link_end.arrived.size() == 41);
    CHECK(rig.link_end.arrived[0].second - rig.start == Time::ns(4 + 8));
    for (unsigned n = 0; n < 40; ++n) {
        CHECK(rig.link_end.arrived[n + 1].first == release(n));
        CHECK(rig.link_end.arrived[n + 1].second - rig.start == Time::ns(4 + 8 + 2 * (n + 1)));
    }
    CHECK(rig.link.packets_sent() == 41);
}

TEST_CASE("Stream link 3. No more packets are in flight than there are credits") {
    // Two credits, 2 beats, 8 ns: arrivals at 10, 12; the third leaves at 10 and the fourth at 12.
    GicRig& rig = GicRig::fresh();
    rig.at(Time{}, [&] {
        for (unsigned n = 0; n < 4; ++n) rig.link.send(release(n), rig.timeline.now());
    });
    rig.run_to(Time::us(1));
    REQUIRE(rig.link_end.arrived.size() == 4);
    const std::int64_t expected[] = {10, 12, 20, 22};
    for (unsigned n = 0; n < 4; ++n) CHECK(rig.link_end.arrived[n].second - rig.start == Time::ns(expected[n]));
}

TEST_CASE("Stream link 4. A link without credits is refused") {
    GicParameters parameters = GicRig::figures();
    parameters.stream_credits = 0;
    CHECK_THROWS_AS(GicRig::fresh(parameters), std::invalid_argument);
}
