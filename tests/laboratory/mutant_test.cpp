#include "laboratory/lab_rig.h"

using namespace gicsim;

// Each rule that is broken makes at least one test of the suite fail, and the test passes where it is not.
namespace {

/// Two SGIs of one INTID to a PE that masks interrupts until some time after both have been written.
litmus::LitmusTest two_equal_sgis() {
    return litmus::read_litmus_file(std::string(GICSIM_SOURCE_DIR) +
                                    "/tests/laboratory/data/two-equal-sgis.litmus.toml");
}

Finding finding(Mutant mutant, const litmus::LitmusTest& test) {
    LabRig rig(mutant);
    return rig.run(test).finding;
}

}  // namespace

TEST_CASE("Mutant 1. A DSB that ignores the store buffer shows a stale payload") {
    CHECK(finding(Mutant::dsb_ignores_store_buffer, LabRig::payload_behind("dsb ishst")) == Finding::violation);
}
TEST_CASE("Mutant 1, healthy") {
    CHECK(finding(Mutant::none, LabRig::payload_behind("dsb ishst")) == Finding::ok);
}

TEST_CASE("Mutant 2. With a DMB that orders the SGI the stale payload is never seen") {
    CHECK(finding(Mutant::dmb_orders_sgi, LabRig::payload_behind("dmb ishst")) == Finding::not_seen);
}
TEST_CASE("Mutant 2, healthy") {
    CHECK(finding(Mutant::none, LabRig::payload_behind("dmb ishst")) == Finding::ok);
}

TEST_CASE("Mutant 3. A store-release without order breaks message passing") {
    CHECK(finding(Mutant::release_without_order, LabRig::shipped("classic/MP+popl+poap.litmus")) == Finding::violation);
}
TEST_CASE("Mutant 3, healthy") {
    CHECK(finding(Mutant::none, LabRig::shipped("classic/MP+popl+poap.litmus")) == Finding::ok);
}

TEST_CASE("Mutant 4. An invalidation that is acknowledged before it is done breaks message passing") {
    CHECK(finding(Mutant::early_invalidation_ack, LabRig::shipped("classic/MP+dmb.sys.litmus")) == Finding::violation);
}
TEST_CASE("Mutant 4, healthy") {
    CHECK(finding(Mutant::none, LabRig::shipped("classic/MP+dmb.sys.litmus")) == Finding::ok);
}

TEST_CASE("Mutant 5. Without merging, two equal SGIs always run the handler twice") {
    CHECK(finding(Mutant::no_merge_of_equal_intids, two_equal_sgis()) == Finding::not_seen);
}
TEST_CASE("Mutant 5, healthy") {
    CHECK(finding(Mutant::none, two_equal_sgis()) == Finding::ok);
}
