#include <array>
#include <vector>

#include "support/catch.h"
#include "support/gic_offsets.h"
#include "support/settled_gic.h"

// Behaviours that models, drivers and hypervisors have got wrong in public, where no other file has them.

using namespace gicsim;
using namespace gicsim::test;
using enum IccRegister;

namespace {

constexpr auto secure = Security::secure;
constexpr auto non_secure = Security::non_secure;

/// Two PEs, awake and open, all interrupts enabled in Group 1 with priority 0xA0, SPIs to the first PE.
struct Board : SettledGic {
    static constexpr std::array<Affinity, 2> affinities{{{0, 0, 0, 0}, {0, 0, 0, 1}}};

    explicit Board(bool single_security = true) : SettledGic(parameters(single_security), affinities) {
        gicd(gicd::ctlr, single_security ? 0b11 : 0b111);
        for (unsigned w = 1; w < 32; ++w) gicd(gicd::igroupr + 4 * w, ~0U);
        for (unsigned n = 32; n < 1020; n += 4) gicd(gicd::ipriorityr + n, 0xA0A0A0A0);
        for (unsigned n = 0; n < 2; ++n) {
            gicr(n, gicr::waker, 0);
            gicr(n, gicr::igroupr0, ~0U);
            gicr(n, gicr::isenabler0, ~0U);
            for (unsigned i = 0; i < 32; i += 4) gicr(n, gicr::ipriorityr + i, 0xA0A0A0A0);
            write_icc(cpu_id(n), ICC_PMR_EL1, 0xF0, secure);
            write_icc(cpu_id(n), ICC_IGRPEN0_EL1, 1, secure);
            write_icc(cpu_id(n), ICC_IGRPEN1_EL1, 1, secure);
            write_icc(cpu_id(n), ICC_IGRPEN1_EL1, 1, non_secure);
        }
    }
    static GicParameters parameters(bool single_security) {
        GicParameters all;
        all.spis = most_spis;
        all.single_security = single_security;
        return all;
    }
    void gicd(std::uint32_t offset, std::uint64_t value, unsigned size = 4, Security by = secure) {
        REQUIRE(write_gicd(offset, value, size, by) == AccessStatus::ok);
    }
    std::uint64_t gicd_read(std::uint32_t offset, Security by = secure) { return read_gicd(offset, 4, by).value; }
    void gicr(unsigned cpu, std::uint32_t offset, std::uint64_t value) {
        REQUIRE(write_gicr(cpu_id(cpu), offset, value, 4, secure) == AccessStatus::ok);
    }
    std::uint64_t gicr_read(unsigned cpu, std::uint32_t offset) {
        return read_gicr(cpu_id(cpu), offset, 4, secure).value;
    }
    std::uint64_t iar(unsigned cpu) { return read_icc(cpu_id(cpu), ICC_IAR1_EL1, non_secure); }
    void eoi(unsigned cpu, std::uint64_t id) { write_icc(cpu_id(cpu), ICC_EOIR1_EL1, id, non_secure); }
    void msr(unsigned cpu, IccRegister reg, std::uint64_t value) { write_icc(cpu_id(cpu), reg, value, non_secure); }
    bool spi_bit(std::uint32_t array, unsigned n) { return (gicd_read(array + n / 32 * 4) >> n % 32 & 1) != 0; }
    void enable(unsigned n) { gicd(gicd::isenabler + n / 32 * 4, 1U << n % 32); }
};

}  // namespace

// State machine.

TEST_CASE("An interrupt that is disabled while it is active is completed all the same") {
    Board gic;
    gic.enable(40);
    gic.set_spi_line(intid(40), true);
    gic.set_ppi_line(CpuId{1}, intid(27), true);
    REQUIRE(gic.iar(0) == 40);
    REQUIRE(gic.iar(1) == 27);
    gic.gicd(gicd::icenabler + 4, 1U << 8);
    gic.gicr(1, gicr::icenabler0, 1U << 27);
    gic.eoi(0, 40);
    gic.eoi(1, 27);
    CHECK_FALSE(gic.spi_bit(gicd::isactiver, 40));
    CHECK(gic.gicr_read(1, gicr::isactiver0) == 0);
    CHECK(gic.read_icc(CpuId{0}, ICC_RPR_EL1, non_secure) == 0xFF);
    CHECK(gic.iar(0) == 1023);
    gic.enable(40);
    CHECK(gic.iar(0) == 40);
}

TEST_CASE("Each set and clear register of the Distributor changes its own state and no other") {
    Board gic;
    constexpr std::array<std::uint32_t, 3> sets = {gicd::isenabler, gicd::ispendr, gicd::isactiver};
    constexpr std::array<std::uint32_t, 3> clears = {gicd::icenabler, gicd::icpendr, gicd::icactiver};
    for (unsigned which = 0; which < 3; ++which) {
        for (unsigned i = 0; i < 3; ++i) gic.gicd(clears[i] + 8, ~0U);
        for (const bool others : {false, true}) {
            for (unsigned i = 0; i < 3; ++i) {
                if (i != which) gic.gicd((others ? sets : clears)[i] + 8, 0x0F0F'0000);
            }
            gic.gicd(sets[which] + 8, 0x1234'5678);
            gic.gicd(sets[which] + 8, 0);
            CHECK(gic.gicd_read(sets[which] + 8) == 0x1234'5678);
            gic.gicd(clears[which] + 8, 0x0000'5678);
            gic.gicd(clears[which] + 8, 0);
            for (unsigned i = 0; i < 3; ++i) {
                const std::uint64_t expected = i == which ? 0x1234'0000U : others ? 0x0F0F'0000U : 0U;
                CHECK(gic.gicd_read(sets[i] + 8) == expected);
                CHECK(gic.gicd_read(clears[i] + 8) == expected);
                CHECK(gic.gicd_read(sets[i] + 4) == 0);
                CHECK(gic.gicd_read(sets[i] + 12) == 0);
            }
            gic.gicd(clears[which] + 8, ~0U);
        }
    }
}

TEST_CASE("A level that falls takes back what the line made pending, not what software did") {
    Board gic;
    gic.set_spi_line(intid(50), true);
    gic.gicd(gicd::ispendr + 4, 1U << 18);
    gic.set_spi_line(intid(50), false);
    CHECK(gic.spi_bit(gicd::ispendr, 50));
    gic.gicd(gicd::icpendr + 4, 1U << 18);
    CHECK_FALSE(gic.spi_bit(gicd::ispendr, 50));
    gic.set_spi_line(intid(50), true);
    gic.gicd(gicd::icpendr + 4, 1U << 18);
    CHECK(gic.spi_bit(gicd::ispendr, 50));
    gic.set_spi_line(intid(50), false);
    CHECK_FALSE(gic.spi_bit(gicd::ispendr, 50));
}

TEST_CASE("Pending SGIs survive whatever is done to the CPU interface") {
    Board gic;
    gic.msr(1, ICC_PMR_EL1, 0);
    for (unsigned n = 0; n < 16; ++n) gic.msr(0, ICC_SGI1R_EL1, std::uint64_t{n} << 24 | 0b10);
    gic.msr(1, ICC_IGRPEN1_EL1, 0);
    gic.msr(1, ICC_CTLR_EL1, 3);
    gic.msr(1, ICC_BPR0_EL1, 7);
    gic.msr(1, ICC_AP1R0_EL1, ~0U);
    gic.msr(1, ICC_AP1R0_EL1, 0);
    gic.gicr(1, gicr::waker, 2);
    gic.gicr(1, gicr::waker, 0);
    gic.msr(1, ICC_CTLR_EL1, 0);
    gic.msr(1, ICC_IGRPEN1_EL1, 1);
    gic.msr(1, ICC_PMR_EL1, 0xF0);
    for (unsigned n = 0; n < 16; ++n) {
        CHECK(gic.iar(1) == n);
        gic.eoi(1, n);
    }
    CHECK(gic.iar(1) == 1023);
    CHECK(gic.gicr_read(1, gicr::ispendr0) == 0);
}

TEST_CASE(
    "A register write that changes the active state of another PE's interrupt stands when its Activate has arrived") {
    Board gic;
    gic.set_ppi_line(CpuId{1}, intid(27), true);
    // Written after the Activate has arrived, and while it is on its way.
    REQUIRE(gic.iar(1) == 27);
    gic.gicr(1, gicr::icactiver0, 1U << 27);
    CHECK(gic.gicr_read(1, gicr::isactiver0) == 0);
    CHECK(gic.read_icc(CpuId{1}, ICC_HPPIR1_EL1, non_secure) == 27);
    gic.eoi(1, 27);
    gic.hold();
    REQUIRE(gic.iar(1) == 27);
    gic.gicr(1, gicr::icactiver0, 1U << 27);
    gic.settle();
    CHECK(gic.gicr_read(1, gicr::isactiver0) == 1U << 27);
    gic.set_ppi_line(CpuId{1}, intid(27), false);
    gic.eoi(1, 27);
    gic.settle();
    CHECK(gic.gicr_read(1, gicr::isactiver0) == 0);
    CHECK(gic.protocol_errors() == 0);
}

// Groups.

TEST_CASE("An SPI whose group the CPU interface has disabled does not keep others from it") {
    Board gic(false);
    gic.gicd(gicd::igroupr + 4, ~(1U << 9));  // INTID 41 is Group 0
    gic.gicd(gicd::ipriorityr + 40, 0x80, 1);
    gic.gicd(gicd::ipriorityr + 41, 0xC0, 1);
    gic.msr(0, ICC_IGRPEN1_EL1, 0);
    gic.enable(40);
    gic.enable(41);
    gic.set_spi_line(intid(40), true);
    gic.set_spi_line(intid(41), true);
    CHECK(gic.fiq(CpuId{0}));
    // Disabled while it is on offer; and enabled while a worse one is.
    gic.msr(0, ICC_IGRPEN1_EL1, 1);
    CHECK(gic.read_icc(CpuId{0}, ICC_HPPIR1_EL1, non_secure) == 40);
    gic.msr(0, ICC_IGRPEN1_EL1, 0);
    CHECK(gic.read_icc(CpuId{0}, ICC_IAR0_EL1, secure) == 41);
    gic.set_spi_line(intid(41), false);
    gic.write_icc(CpuId{0}, ICC_EOIR0_EL1, 41, secure);
    gic.msr(0, ICC_IGRPEN1_EL1, 1);
    CHECK(gic.iar(0) == 40);
    CHECK(gic.protocol_errors() == 0);
}

TEST_CASE("GICD_NSACR opens the active state of a Secure SPI to Non-secure reads and not to writes") {
    Board gic(false);
    gic.gicd(gicd::igroupr + 4, ~(1U << 9));
    for (unsigned nsacr = 0; nsacr < 4; ++nsacr) {
        gic.gicd(gicd::nsacr + 8, nsacr << 18);
        gic.gicd(gicd::isactiver + 4, 1U << 9, 4, non_secure);
        CHECK_FALSE(gic.spi_bit(gicd::isactiver, 41));
        gic.gicd(gicd::isactiver + 4, 1U << 9);
        CHECK((gic.gicd_read(gicd::isactiver + 4, non_secure) != 0) == (nsacr >= 2));
        CHECK((gic.gicd_read(gicd::icactiver + 4, non_secure) != 0) == (nsacr >= 2));
        gic.gicd(gicd::icactiver + 4, 1U << 9, 4, non_secure);
        CHECK(gic.spi_bit(gicd::isactiver, 41));
        gic.gicd(gicd::icactiver + 4, 1U << 9);
    }
}

TEST_CASE("The group of every SPI is two bits of its own, up to the last INTID") {
    Board gic(false);
    for (unsigned w = 1; w < 32; ++w) {
        gic.gicd(gicd::igroupr + 4 * w, 0);
        gic.gicd(gicd::igrpmodr + 4 * w, 0);
    }
    for (const unsigned n : {32U, 63U, 64U, 255U, 256U, 300U, 511U, 512U, 1000U, 1019U}) {
        const std::uint32_t word = n / 32 * 4;
        gic.gicd(gicd::igrpmodr + word, 1U << n % 32);
        for (unsigned w = 1; w < 32; ++w) {
            CHECK(gic.gicd_read(gicd::igrpmodr + 4 * w) == (4 * w == word ? 1U << n % 32 : 0U));
            CHECK(gic.gicd_read(gicd::igroupr + 4 * w) == 0);
        }
        gic.gicd(gicd::ipriorityr + n, 0x40, 1);
        gic.enable(n);
        gic.set_pe(CpuId{0}, PeState::in(secure));
        gic.set_spi_line(intid(n), true);
        CHECK(gic.irq(CpuId{0}));
        CHECK(gic.read_icc(CpuId{0}, ICC_IAR1_EL1, secure) == n);
        gic.set_spi_line(intid(n), false);
        gic.write_icc(CpuId{0}, ICC_EOIR1_EL1, n, secure);
        gic.gicd(gicd::igrpmodr + word, 0);
    }
}

// Re-evaluation.

TEST_CASE("Each thing that an SPI's signal depends on is looked at again when it changes") {
    Board gic;
    gic.enable(40);
    gic.set_spi_line(intid(40), true);
    struct Change {
        std::uint32_t offset;
        std::uint64_t off;
        std::uint64_t on;
        std::uint32_t on_offset;
        unsigned size;
    };
    const std::array<Change, 5> changes = {{
        {gicd::ctlr, 0b01, 0b11, gicd::ctlr, 4},
        {gicd::icenabler + 4, 1U << 8, 1U << 8, gicd::isenabler + 4, 4},
        {gicd::isactiver + 4, 1U << 8, 1U << 8, gicd::icactiver + 4, 4},
        {gicd::ipriorityr + 40, 0xF0, 0xA0, gicd::ipriorityr + 40, 1},
        {gicd::irouter + 8 * 40, 1, 0, gicd::irouter + 8 * 40, 8},
    }};
    for (const Change& change : changes) {
        CAPTURE(change.offset);
        CHECK(gic.irq(CpuId{0}));
        gic.gicd(change.offset, change.off, change.size);
        CHECK_FALSE(gic.irq(CpuId{0}));
        gic.gicd(change.on_offset, change.on, change.size);
        CHECK(gic.irq(CpuId{0}));
    }
    // A group of its own pin, and a trigger that no longer looks at the level.
    gic.gicd(gicd::igroupr + 4, ~(1U << 8));
    CHECK(gic.fiq(CpuId{0}));
    CHECK_FALSE(gic.irq(CpuId{0}));
    gic.gicd(gicd::igroupr + 4, ~0U);
    CHECK(gic.irq(CpuId{0}));
    gic.gicd(gicd::icfgr + 8, 2U << 16);
    CHECK_FALSE(gic.irq(CpuId{0}));
    gic.gicd(gicd::icfgr + 8, 0);
    CHECK(gic.irq(CpuId{0}));
    CHECK(gic.protocol_errors() == 0);
}

TEST_CASE("Halves of a route are merged with what is there, and no former route comes back") {
    Board gic;
    const std::uint32_t route = gicd::irouter + 8 * 60;
    gic.gicd(route, 0x12'0003'0201, 8);
    gic.gicd(route, 0x0006'0504);
    CHECK(gic.read_gicd(route, 8, secure).value == 0x12'0006'0504);
    gic.gicd(route + 4, 0x34);
    CHECK(gic.read_gicd(route, 8, secure).value == 0x34'0006'0504);
    CHECK(gic.gicd_read(route + 4) == 0x34);
    gic.gicd(route + 4, 0);
    gic.gicd(route, 1);
    CHECK(gic.read_gicd(route, 8, secure).value == 1);
}

// Power.

TEST_CASE("A PE may be found awake or asleep: waking it twice, or putting it to sleep twice, is no event") {
    Board gic;
    for (const unsigned sleep : {0U, 2U}) {
        for (unsigned round = 0; round < 3; ++round) {
            gic.gicr(1, gicr::waker, sleep);
            CHECK(gic.gicr_read(1, gicr::waker) == (sleep != 0 ? 0b110U : 0U));
        }
    }
    // An SGI for the sleeper is kept and asks for its wake-up.
    gic.msr(0, ICC_SGI1R_EL1, 3U << 24 | 0b10);
    CHECK(gic.redistributor(CpuId{1}).wake_request());
    CHECK(gic.gicr_read(1, gicr::ispendr0) == 1U << 3);
    CHECK_FALSE(gic.irq(CpuId{1}));
    gic.gicr(1, gicr::waker, 0);
    CHECK_FALSE(gic.redistributor(CpuId{1}).wake_request());
    CHECK(gic.iar(1) == 3);
    CHECK(gic.protocol_errors() == 0);
}

TEST_CASE("An SPI has one state for all PEs: active where it was taken, it is signalled nowhere else") {
    Board gic;
    gic.enable(40);
    gic.set_spi_line(intid(40), true);
    REQUIRE(gic.iar(0) == 40);
    gic.gicd(gicd::irouter + 8 * 40, 1, 8);
    CHECK_FALSE(gic.irq(CpuId{1}));
    CHECK(gic.iar(1) == 1023);
    // The PE that did not take it may complete it, without a priority drop, by ICC_DIR_EL1.
    gic.msr(1, ICC_CTLR_EL1, 2);
    gic.msr(1, ICC_DIR_EL1, 40);
    CHECK(gic.iar(1) == 40);
    CHECK(gic.read_icc(CpuId{0}, ICC_RPR_EL1, non_secure) == 0xA0);
}
