#include "gicsim/gic/distributor_state.h"

#include <vector>

#include "support/catch.h"

using namespace gicsim;

namespace {

constexpr auto secure = Security::secure;
constexpr auto non_secure = Security::non_secure;

struct Fixture {
    explicit Fixture(bool single_security) : state(parameters(single_security), affinities) {}

    static GicParameters parameters(bool single_security) {
        GicParameters result;
        result.single_security = single_security;
        return result;
    }
    DistributorEffects write(std::uint64_t value, Security security) {
        DistributorEffects effects;
        CHECK(state.write(0, value, 4, security, effects) == AccessStatus::ok);
        return effects;
    }
    std::uint64_t read(Security security) { return state.read(0, 4, security).value; }
    std::uint64_t typer(Security security) { return state.read(4, 4, security).value; }

    std::vector<Affinity> affinities{{0, 0, 0, 0}, {0, 0, 1, 0}};
    DistributorState state;
};

constexpr std::uint64_t rwp = 1ULL << 31;

}  // namespace

TEST_CASE("Distributor 1. GICD_CTLR's Secure view has three enables and two ARE bits that are always set") {
    Fixture gicd(false);
    CHECK(gicd.read(secure) == 0x30);
    const auto effects = gicd.write(0b111, secure);
    CHECK(effects.enables_changed);
    CHECK_FALSE(effects.write_started);
    CHECK(gicd.read(secure) == 0x37);
    CHECK(gicd.state.group_enables() == GroupSet::all());
}

TEST_CASE("Distributor 2. GICD_CTLR's Non-secure view has EnableGrp1A at bit 1 and ARE_NS at bit 4") {
    Fixture gicd(false);
    gicd.write(0x13, non_secure);
    CHECK(gicd.read(non_secure) == 0x12);
    CHECK(gicd.read(secure) == 0x32);
    CHECK(gicd.state.group_enables() == GroupSet::of(Group::g1ns));
    gicd.write(0b111, secure);
    gicd.write(0, non_secure);
    gicd.state.write_done();
    CHECK(gicd.read(secure) == 0x35);
}

TEST_CASE("Distributor 3. GICD_CTLR with one Security state has two enables, ARE and DS read as one") {
    Fixture gicd(true);
    CHECK(gicd.read(non_secure) == 0x50);
    gicd.write(0x3, non_secure);
    CHECK(gicd.read(non_secure) == 0x53);
    CHECK(gicd.read(secure) == 0x53);
    CHECK(gicd.state.group_enables().contains(Group::g0));
    CHECK(gicd.state.group_enables().contains(Group::g1ns));
    gicd.write(0x2 | 1U << 8, secure);
    CHECK((gicd.read(secure) & 1U << 8) == 0);
}

TEST_CASE("Distributor 4. RWP is set when an enable goes from 1 to 0, and once for each such write until it is done") {
    Fixture gicd(true);
    CHECK_FALSE(gicd.write(0x3, secure).write_started);
    CHECK((gicd.read(secure) & rwp) == 0);
    CHECK(gicd.write(0x2, secure).write_started);
    CHECK((gicd.read(secure) & rwp) != 0);
    CHECK(gicd.write(0x0, secure).write_started);
    gicd.state.write_done();
    CHECK((gicd.read(secure) & rwp) != 0);
    gicd.state.write_done();
    CHECK((gicd.read(secure) & rwp) == 0);
    const auto nothing = gicd.write(0x0, secure);
    CHECK_FALSE(nothing.write_started);
    CHECK_FALSE(nothing.enables_changed);
}

TEST_CASE("Distributor 5. DS can be set by Secure software, not by Non-secure, and not cleared again") {
    Fixture gicd(false);
    gicd.write(1U << 6, non_secure);
    CHECK_FALSE(gicd.state.single_security());
    const auto effects = gicd.write(1U << 6, secure);
    CHECK(effects.enables_changed);
    CHECK(effects.write_started);
    CHECK(gicd.state.single_security());
    gicd.write(0, secure);
    CHECK(gicd.state.single_security());
    gicd.state.reset(Fixture::parameters(false));
    CHECK_FALSE(gicd.state.single_security());
    CHECK(gicd.read(secure) == 0x30);
}

TEST_CASE("Distributor 6. GICD_TYPER says what there is, and SecurityExtn is zero with DS = 1") {
    Fixture two(false);
    Fixture one(true);
    CHECK(two.typer(secure) == 0x0778'0400);
    CHECK(one.typer(secure) == 0x0778'0000);
    CHECK(two.state.read(0xFFE8, 4, non_secure).value >> 4 == 3);
    for (const std::uint32_t offset : {0x8U, 0xCU, 0x10U}) CHECK(two.state.read(offset, 4, secure).value == 0);
    CHECK(two.state.unimplemented_accesses() == 0);
}

TEST_CASE("Distributor 7. Word 0 of the arrays by INTID is RES0, and so are the words of SPIs that are not there") {
    Fixture gicd(true);
    DistributorEffects effects;
    for (const std::uint32_t offset : {0x80U, 0x84U, 0x100U, 0x104U, 0x200U, 0x204U, 0x300U, 0x304U, 0x400U, 0x420U,
                                       0xC00U, 0xC08U, 0x6100U, 0x1000U}) {
        gicd.state.write(offset, ~0U, 4, secure, effects);
        CHECK(gicd.state.read(offset, 4, secure).value == 0);
    }
    CHECK(gicd.state.unimplemented_accesses() == 0);
    gicd.state.write(0x4000, ~0U, 4, secure, effects);
    CHECK(gicd.state.unimplemented_accesses() == 1);
}

TEST_CASE("Distributor 8. Writes of all ones anywhere in the frame are digested and enable nothing by themselves") {
    Fixture gicd(true);
    for (std::uint32_t offset = 4; offset < 0x10000; offset += 4) {
        DistributorEffects effects;
        const AccessStatus status = gicd.state.write(offset, ~0U, 4, secure, effects);
        REQUIRE(status == AccessStatus::ok);
        REQUIRE_FALSE(effects.enables_changed);
    }
    CHECK(gicd.state.read(0x10000, 4, secure).status == AccessStatus::bad_address);
}

namespace {

/// Three SPIs and two PEs that take everything: SPI 40 for any one of them, 41 for PE 1, 42 for PE 0.
struct Recalls {
    Recalls() : state(parameters(), affinities) {
        write(0, 0b11);
        write(0x84, ~0U);
        write(0x428, 0x0040'C080);  // priorities of 40, 41, 42
        write(0x6000 + 8 * 40, 1U << 31);
        write(0x6000 + 8 * 41, 1);
        write(0x104, 0b111U << 8);
        for (unsigned n = 0; n < 2; ++n) {
            receive(GicMessage::participation(GroupSet::of(Group::g1ns), GroupSet{}, false, cpu_id(n)));
        }
    }
    static GicParameters parameters() {
        GicParameters result;
        result.single_security = true;
        result.spis = 32;
        result.one_of_n = true;
        return result;
    }
    DistributorEffects write(std::uint32_t offset, std::uint32_t value) {
        DistributorEffects effects;
        state.write(offset, value, 4, secure, effects);
        return effects;
    }
    DistributorEffects line(unsigned n) {
        DistributorEffects effects;
        state.set_spi_line(intid(n), true, effects);
        return effects;
    }
    DistributorEffects receive(const GicMessage& message) {
        DistributorEffects effects;
        state.receive(message, effects);
        return effects;
    }
    bool rwp_is_set() { return (state.read(0, 4, secure).value & rwp) != 0; }

    std::vector<Affinity> affinities{{0, 0, 0, 0}, {0, 0, 0, 1}};
    DistributorState state;
};

}  // namespace

TEST_CASE(
    "Distributor 9. RWP waits for the SPIs taken back before the write, not for those that their return takes back") {
    Recalls gicd;
    gicd.line(40);
    gicd.line(41);
    REQUIRE(gicd.state.spis().offered_to(cpu_id(0)) == intid(40));
    REQUIRE(gicd.state.spis().offered_to(cpu_id(1)) == intid(41));
    gicd.line(42);  // takes 40 back from PE 0
    REQUIRE(gicd.state.spis().recalls_unanswered() == 1);
    CHECK(gicd.write(0x184, 1U << 20).write_started);
    gicd.state.write_done();
    CHECK(gicd.rwp_is_set());
    // PE 0 gets 42, so that 40 now takes 41 back from PE 1.
    gicd.receive(GicMessage::about(GicMessage::Kind::spi_returned, intid(40), cpu_id(0)));
    CHECK(gicd.state.spis().recalls_unanswered() == 1);
    CHECK_FALSE(gicd.rwp_is_set());
}
