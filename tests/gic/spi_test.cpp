#include <rapidcheck.h>

#include <array>
#include <map>
#include <vector>

#include "support/catch.h"
#include "support/settled_gic.h"

using namespace gicsim;
using namespace gicsim::test;
using R = IccRegister;

namespace {

constexpr auto secure = Security::secure;
constexpr auto non_secure = Security::non_secure;

namespace gicd {
constexpr std::uint32_t ctlr = 0x0;
constexpr std::uint32_t typer = 0x4;
constexpr std::uint32_t setspi_nsr = 0x40;
constexpr std::uint32_t clrspi_nsr = 0x48;
constexpr std::uint32_t setspi_sr = 0x50;
constexpr std::uint32_t igroupr = 0x80;
constexpr std::uint32_t isenabler = 0x100;
constexpr std::uint32_t icenabler = 0x180;
constexpr std::uint32_t ispendr = 0x200;
constexpr std::uint32_t icpendr = 0x280;
constexpr std::uint32_t isactiver = 0x300;
constexpr std::uint32_t icactiver = 0x380;
constexpr std::uint32_t ipriorityr = 0x400;
constexpr std::uint32_t icfgr = 0xC00;
constexpr std::uint32_t nsacr = 0xE00;
constexpr std::uint32_t inmir = 0xF80;
constexpr std::uint32_t irouter = 0x6000;
constexpr std::uint64_t irm = 1ULL << 31;
}  // namespace gicd

const std::vector<Affinity>& four() {
    static const std::vector<Affinity> affinities{{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}, {1, 0, 0, 0}};
    return affinities;
}

GicParameters everything(bool single_security) {
    GicParameters parameters;
    parameters.single_security = single_security;
    parameters.spis = most_spis;
    parameters.extended_spis = most_extended_spis;
    parameters.extended_ppis = most_extended_ppis;
    parameters.non_maskable = true;
    parameters.one_of_n = true;
    return parameters;
}

/// Four PEs awake with groups enabled and PMR open; all interrupts Group 1 Non-secure, priority 0xA0, SPIs for PE 0.
struct Board : SettledGic {
    explicit Board(bool single_security = true, const GicParameters* parameters = nullptr)
        : SettledGic(parameters != nullptr ? *parameters : everything(single_security), four()) {
        gicd(gicd::ctlr, single_security ? 0b11 : 0b111);
        for (unsigned w = 1; w < 32; ++w) gicd(gicd::igroupr + 4 * w, ~0U);
        for (unsigned w = 0; w < 32; ++w) gicd(0x1000 + 4 * w, ~0U);
        for (unsigned n = 32; n < 1020; n += 4) gicd(gicd::ipriorityr + n, 0xA0A0A0A0);
        for (unsigned n = 0; n < 1024; n += 4) gicd(0x2000 + n, 0xA0A0A0A0);
        for (unsigned n = 0; n < pe_count(); ++n) {
            const CpuId cpu = cpu_id(n);
            write_gicr(cpu, 0x14, 0, 4, secure);
            for (unsigned w = 0; w < 3; ++w) write_gicr(cpu, 0x10080 + 4 * w, ~0U, 4, secure);
            write_icc(cpu, R::ICC_PMR_EL1, 0xFF, Accessor::at_el3(secure));
            write_icc(cpu, R::ICC_IGRPEN0_EL1, 1, secure);
            write_icc(cpu, R::ICC_IGRPEN1_EL1, 1, secure);
            write_icc(cpu, R::ICC_IGRPEN1_EL1, 1, non_secure);
        }
    }
    void gicd(std::uint32_t offset, std::uint64_t value, Security security = secure, unsigned size = 4) {
        REQUIRE(write_gicd(offset, value, size, security) == AccessStatus::ok);
    }
    std::uint64_t gicd_read(std::uint32_t offset, Security security = secure, unsigned size = 4) {
        const AccessResult result = read_gicd(offset, size, security);
        REQUIRE(result.status == AccessStatus::ok);
        return result.value;
    }
    void enable(unsigned n) { gicd(gicd::isenabler + n / 32 * 4, 1U << n % 32); }
    void route(unsigned n, std::uint64_t value) { gicd(gicd::irouter + 8 * n, value, secure, 8); }
    void edge(unsigned n) {
        const std::uint32_t word = gicd::icfgr + n / 16 * 4;
        gicd(word, gicd_read(word) | 2U << 2 * (n % 16));
    }
    void priority(unsigned n, unsigned value) { gicd(gicd::ipriorityr + n, value, secure, 1); }
    std::uint64_t iar(unsigned cpu) { return read_icc(cpu_id(cpu), R::ICC_IAR1_EL1, non_secure); }
    std::uint64_t hppir(unsigned cpu) { return read_icc(cpu_id(cpu), R::ICC_HPPIR1_EL1, non_secure); }
    void eoi(unsigned cpu, std::uint64_t id) { write_icc(cpu_id(cpu), R::ICC_EOIR1_EL1, id, non_secure); }
    void line(unsigned n, bool level) { set_spi_line(intid(n), level); }
    bool bit(std::uint32_t array, unsigned n, Security security = secure) {
        return (gicd_read(array + n / 32 * 4, security) >> n % 32 & 1) != 0;
    }
};

}  // namespace

TEST_CASE("SPI 1. A level-sensitive SPI is signalled, acknowledged, and pending again when the line stays high") {
    Board gic;
    gic.enable(40);
    gic.line(40, true);
    CHECK(gic.irq(cpu_id(0)));
    CHECK(gic.iar(0) == 40);
    CHECK(gic.bit(gicd::isactiver, 40));
    CHECK(gic.bit(gicd::ispendr, 40));
    CHECK_FALSE(gic.irq(cpu_id(0)));
    gic.eoi(0, 40);
    CHECK_FALSE(gic.bit(gicd::isactiver, 40));
    CHECK(gic.irq(cpu_id(0)));
    gic.line(40, false);
    CHECK_FALSE(gic.irq(cpu_id(0)));
    CHECK(gic.iar(0) == 1023);
    CHECK(gic.protocol_errors() == 0);
}

TEST_CASE("SPI 2. An edge is latched, once, and a falling line does not take it back") {
    Board gic;
    gic.edge(41);
    gic.enable(41);
    gic.line(41, true);
    gic.line(41, false);
    CHECK(gic.iar(0) == 41);
    CHECK_FALSE(gic.bit(gicd::ispendr, 41));
    gic.line(41, true);
    gic.eoi(0, 41);
    CHECK(gic.iar(0) == 41);
    gic.eoi(0, 41);
    CHECK_FALSE(gic.irq(cpu_id(0)));
}

TEST_CASE("SPI 3. Enabling what is pending signals it and disabling takes it back, whatever came first") {
    Board gic;
    gic.line(50, true);
    CHECK_FALSE(gic.irq(cpu_id(0)));
    gic.enable(50);
    CHECK(gic.irq(cpu_id(0)));
    gic.gicd(gicd::icenabler + 4, 1U << 18);
    CHECK_FALSE(gic.irq(cpu_id(0)));
    CHECK(gic.hppir(0) == 1023);
    CHECK(gic.bit(gicd::ispendr, 50));
}

TEST_CASE("SPI 4. GICD_IROUTER names the PE by all four affinity levels, and a new route moves what is pending") {
    Board gic;
    gic.route(60, 0x01'0000'0000);  // 1.0.0.0
    gic.enable(60);
    gic.line(60, true);
    CHECK(gic.irq(cpu_id(3)));
    gic.route(60, 0x100);  // 0.0.1.0
    CHECK_FALSE(gic.irq(cpu_id(3)));
    CHECK(gic.irq(cpu_id(2)));
    gic.gicd(gicd::irouter + 8 * 60 + 4, 7);  // nobody has Aff3 = 7
    CHECK_FALSE(gic.irq(cpu_id(2)));
    CHECK(gic.bit(gicd::ispendr, 60));
    CHECK(gic.gicd_read(gicd::irouter + 8 * 60, secure, 8) == 0x07'0000'0100);
    gic.gicd(gicd::irouter + 8 * 60 + 4, 0);
    CHECK(gic.irq(cpu_id(2)));
}

TEST_CASE("SPI 5. The better of two SPIs comes first, and one that comes later displaces the one on offer") {
    Board gic;
    gic.priority(70, 0x80);
    gic.priority(71, 0x40);
    gic.enable(70);
    gic.enable(71);
    gic.line(70, true);
    CHECK(gic.hppir(0) == 70);
    gic.line(71, true);
    CHECK(gic.hppir(0) == 71);
    CHECK(gic.iar(0) == 71);
    CHECK_FALSE(gic.irq(cpu_id(0)));  // 0x80 does not preempt 0x40
    gic.line(71, false);
    gic.eoi(0, 71);
    CHECK(gic.iar(0) == 70);
    // A change of priority counts too.
    gic.line(71, true);
    gic.priority(71, 0xC0);
    gic.line(70, false);
    gic.eoi(0, 70);
    CHECK(gic.iar(0) == 71);
}

TEST_CASE("SPI 6. SGIs, PPIs and SPIs compete in one place: priority, then INTID") {
    Board gic;
    gic.write_gicr(CpuId{0}, 0x10100, ~0U, 4, secure);
    gic.write_gicr(CpuId{0}, 0x10418, 0xA0A0A0A0, 4, secure);
    gic.write_gicr(CpuId{0}, 0x14, 2, 4, secure);  // asleep, so that both are there before one is picked
    gic.enable(33);
    gic.line(33, true);
    gic.set_ppi_line(CpuId{0}, intid(27), true);
    gic.write_gicr(CpuId{0}, 0x14, 0, 4, secure);
    CHECK(gic.iar(0) == 27);
    gic.set_ppi_line(CpuId{0}, intid(27), false);
    gic.eoi(0, 27);
    gic.priority(33, 0x20);
    gic.set_ppi_line(CpuId{0}, intid(27), true);
    CHECK(gic.iar(0) == 33);
}

TEST_CASE("SPI 7. Extended SPIs and PPIs have registers and INTIDs of their own") {
    Board gic;
    gic.gicd(0x1200 + 4, 1U << 3);            // GICD_ISENABLER1E: INTID 4096 + 35
    gic.gicd(0x8000 + 8 * 35, 1, secure, 8);  // GICD_IROUTER35E: 0.0.0.1
    gic.set_spi_line(intid(4096 + 35), true);
    CHECK(gic.iar(1) == 4096 + 35);
    CHECK(gic.gicd_read(0x1A04) == 1U << 3);
    gic.set_spi_line(intid(4096 + 35), false);
    gic.eoi(1, 4096 + 35);
    CHECK(gic.gicd_read(0x1A04) == 0);
    gic.write_gicr(CpuId{1}, 0x10108, 1U << 31, 4, secure);  // GICR_ISENABLER2E: INTID 1119
    gic.set_ppi_line(CpuId{1}, intid(1119), true);
    CHECK(gic.iar(1) == 1119);
    CHECK(gic.read_gicr(CpuId{1}, 0x10308, 4, secure).value == 1U << 31);
    gic.set_ppi_line(CpuId{1}, intid(1119), false);
    gic.eoi(1, 1119);
    CHECK(gic.read_gicr(CpuId{1}, 0x10308, 4, secure).value == 0);
    CHECK((gic.read_icc(CpuId{0}, R::ICC_CTLR_EL1, non_secure) >> 19 & 1) == 1);
    CHECK(gic.read_gicr(CpuId{0}, 8, 4, secure).value >> 27 == 2);
}

TEST_CASE("SPI 8. GICD_TYPER counts lines of 32 from INTID 0, and what is beyond is RAZ/WI") {
    GicParameters parameters;
    parameters.spis = 40;
    SettledGic gic(parameters, four());
    CHECK((gic.read_gicd(gicd::typer, 4, secure).value & 0x1F) == 2);
    gic.write_gicd(gicd::isenabler + 8, ~0U, 4, secure);
    CHECK(gic.read_gicd(gicd::isenabler + 8, 4, secure).value == 0xFF);
    gic.write_gicd(gicd::irouter + 8 * 72, 1, 8, secure);
    CHECK(gic.read_gicd(gicd::irouter + 8 * 72, 8, secure).value == 0);
    const Board full;
    CHECK((full.distributor().peek(gicd::typer, 4, secure).value & 0x1F) == 31);
}

TEST_CASE("SPI 9. A message asserts and deasserts a level-sensitive SPI, and sets an edge-triggered one") {
    Board gic;
    gic.enable(80);
    gic.gicd(gicd::setspi_nsr, 80);
    CHECK(gic.iar(0) == 80);
    gic.eoi(0, 80);
    CHECK(gic.irq(cpu_id(0)));
    gic.gicd(gicd::clrspi_nsr, 80);
    CHECK_FALSE(gic.irq(cpu_id(0)));
    gic.edge(81);
    gic.enable(81);
    gic.gicd(gicd::setspi_nsr, 81);
    CHECK(gic.iar(0) == 81);
    gic.eoi(0, 81);
    CHECK_FALSE(gic.irq(cpu_id(0)));
    gic.gicd(gicd::setspi_nsr, 7);  // no SPI
    CHECK_FALSE(gic.irq(cpu_id(0)));
}

TEST_CASE("SPI 10. Two Security states: Non-secure accesses see Group 1 Non-secure SPIs and what GICD_NSACR opens") {
    Board gic(false);
    gic.gicd(gicd::igroupr + 8, ~0U & ~(1U << 5));  // INTID 69 is Secure Group 0
    gic.gicd(gicd::isenabler + 8, ~0U, non_secure);
    CHECK(gic.gicd_read(gicd::isenabler + 8) == (~0U & ~(1U << 5)));
    gic.gicd(gicd::ispendr + 8, 1U << 5, non_secure);
    CHECK_FALSE(gic.bit(gicd::ispendr, 69));
    gic.gicd(gicd::setspi_nsr, 69, non_secure);
    CHECK_FALSE(gic.bit(gicd::ispendr, 69));
    gic.gicd(gicd::nsacr + 4 * 4, 1U << 10);  // field of INTID 69: set pending
    gic.gicd(gicd::ispendr + 8, 1U << 5, non_secure);
    CHECK(gic.bit(gicd::ispendr, 69));
    CHECK(gic.bit(gicd::ispendr, 69, non_secure));
    gic.gicd(gicd::icpendr + 8, 1U << 5, non_secure);
    CHECK(gic.bit(gicd::ispendr, 69));
    gic.gicd(gicd::nsacr + 4 * 4, 2U << 10);
    gic.gicd(gicd::icpendr + 8, 1U << 5, non_secure);
    CHECK_FALSE(gic.bit(gicd::ispendr, 69));
    gic.gicd(gicd::irouter + 8 * 69, 1, non_secure, 8);
    CHECK(gic.gicd_read(gicd::irouter + 8 * 69, secure, 8) == 0);
    gic.gicd(gicd::nsacr + 4 * 4, 3U << 10);
    gic.gicd(gicd::irouter + 8 * 69, 1, non_secure, 8);
    CHECK(gic.gicd_read(gicd::irouter + 8 * 69, secure, 8) == 1);
    gic.gicd(gicd::setspi_sr, 70);  // Non-secure interrupt: not for this register
    CHECK(gic.bit(gicd::ispendr, 70));
}

TEST_CASE("SPI 11. An SPI that any one PE may take is offered to one at a time, in turn") {
    Board gic;
    std::map<unsigned, unsigned> taken;
    for (unsigned round = 0; round < 8; ++round) {
        gic.edge(90);
        gic.route(90, gicd::irm);
        gic.enable(90);
        gic.line(90, true);
        gic.line(90, false);
        unsigned signalled = 0;
        for (unsigned cpu = 0; cpu < 4; ++cpu) {
            if (!gic.irq(cpu_id(cpu))) continue;
            ++signalled;
            CHECK(gic.iar(cpu) == 90);
            gic.eoi(cpu, 90);
            ++taken[cpu];
        }
        CHECK(signalled == 1);
    }
    for (unsigned cpu = 0; cpu < 4; ++cpu) CHECK(taken[cpu] == 2);
}

TEST_CASE("SPI 12. GICR_CTLR.DPG1NS, a disabled group and sleep keep a PE from 1-of-N SPIs, E1NWF wakes one") {
    Board gic;
    gic.write_gicr(CpuId{0}, 0, 1U << 25, 4, secure);
    gic.write_icc(CpuId{1}, R::ICC_IGRPEN1_EL1, 0, non_secure);
    gic.write_gicr(CpuId{2}, 0x14, 2, 4, secure);
    gic.route(90, gicd::irm);
    gic.enable(90);
    gic.line(90, true);
    CHECK(gic.distributor().spis().offered_to(CpuId{3}) == intid(90));
    gic.write_gicr(CpuId{3}, 0, 1U << 25, 4, secure);
    for (unsigned cpu = 0; cpu < 4; ++cpu) CHECK_FALSE(gic.irq(cpu_id(cpu)));
    CHECK_FALSE(gic.redistributor(CpuId{2}).wake_request());
    gic.gicd(gicd::ctlr, 0b11 | 1U << 7);
    CHECK(gic.redistributor(CpuId{2}).wake_request());
    gic.write_gicr(CpuId{2}, 0x14, 0, 4, secure);
    CHECK(gic.iar(2) == 90);
    CHECK(gic.read_gicr(CpuId{0}, 0, 4, secure).value == 1U << 25);
    CHECK((gic.read_gicr(CpuId{0}, 8, 4, secure).value >> 5 & 1) == 1);
}

TEST_CASE("SPI 13. An SPI for a sleeping PE asks for its wake-up and is not lost") {
    Board gic;
    gic.write_gicr(CpuId{0}, 0x14, 2, 4, secure);
    CHECK(gic.read_gicr(CpuId{0}, 0x14, 4, secure).value == 0b110);
    gic.enable(40);
    gic.line(40, true);
    CHECK_FALSE(gic.irq(cpu_id(0)));
    CHECK(gic.redistributor(CpuId{0}).wake_request());
    gic.write_gicr(CpuId{0}, 0x14, 0, 4, secure);
    CHECK(gic.iar(0) == 40);
}

TEST_CASE("SPI 14. A non-maskable SPI passes the priority mask and what runs, and has an acknowledge register") {
    Board gic;
    gic.priority(100, 0x00);
    gic.enable(100);
    gic.line(100, true);
    CHECK(gic.iar(0) == 100);
    gic.gicd(gicd::inmir + 3 * 4, 1U << 5);  // INTID 101
    gic.priority(101, 0xF0);
    gic.enable(101);
    gic.write_icc(CpuId{0}, R::ICC_PMR_EL1, 0, non_secure);
    gic.line(101, true);
    CHECK(gic.irq(cpu_id(0)));
    PeState pe = PeState::in(non_secure);
    pe.sctlr_nmi = true;
    gic.set_pe(CpuId{0}, pe);
    CHECK(gic.iar(0) == 1022);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_NMIAR1_EL1, non_secure) == 101);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_NMIAR1_EL1, non_secure) == 1023);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_AP1R0_EL1, non_secure) >> 63 == 1);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_RPR_EL1, non_secure) == 1ULL << 63);
    gic.line(101, false);
    gic.eoi(0, 101);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_AP1R0_EL1, non_secure) == 1);
    gic.gicd(gicd::icactiver + 12, 1U << 4);
    // Without SCTLR_ELx.NMI the usual register acknowledges it.
    gic.set_pe(CpuId{0}, PeState::in(non_secure));
    gic.line(100, false);
    gic.eoi(0, 100);
    gic.line(101, true);
    CHECK(gic.iar(0) == 101);
}

TEST_CASE("SPI 15. RWP waits for the SPI that is taken back") {
    Board gic;
    gic.enable(40);
    gic.line(40, true);
    gic.hold();
    gic.gicd(gicd::icenabler + 4, 1U << 8);
    CHECK(gic.gicd_read(gicd::ctlr) >> 31 == 1);
    gic.settle();
    CHECK(gic.gicd_read(gicd::ctlr) >> 31 == 0);
    CHECK_FALSE(gic.irq(cpu_id(0)));
}

TEST_CASE("SPI 16. EL3 has its registers, acknowledges for the Secure side, and learns of Group 1 by ICC_CTLR_EL3.RM") {
    Board gic(false);
    const Accessor el3 = Accessor::at_el3(secure);
    gic.write_icc(CpuId{0}, R::ICC_IGRPEN1_EL3, 0, el3);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_IGRPEN1_EL1, non_secure) == 0);
    gic.write_icc(CpuId{0}, R::ICC_IGRPEN1_EL3, 0b11, el3);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_IGRPEN1_EL1, secure) == 1);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_IGRPEN1_EL3, secure) == 0);  // below EL3
    CHECK(gic.read_icc(CpuId{0}, R::ICC_SRE_EL3, el3) == 0xF);
    gic.priority(40, 0xA0);
    gic.enable(40);
    gic.line(40, true);
    PeState at_el3 = PeState::in(secure);
    at_el3.el3 = true;
    gic.set_pe(CpuId{0}, at_el3);
    CHECK(gic.fiq(CpuId{0}));
    CHECK(gic.read_icc(CpuId{0}, R::ICC_IAR0_EL1, el3) == 1023);
    gic.write_icc(CpuId{0}, R::ICC_CTLR_EL3, 1U << 5 | 1U << 2, el3);  // RM, EOImode_EL3
    CHECK((gic.read_icc(CpuId{0}, R::ICC_CTLR_EL3, el3) & 0xFF) == (1U << 5 | 1U << 2));
    CHECK(gic.read_icc(CpuId{0}, R::ICC_IAR0_EL1, el3) == 1021);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_HPPIR0_EL1, el3) == 1021);
    gic.write_icc(CpuId{0}, R::ICC_CTLR_EL3, 1U << 2, el3);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_IAR1_EL1, el3) == 40);
    gic.line(40, false);
    gic.write_icc(CpuId{0}, R::ICC_EOIR1_EL1, 40, el3);
    CHECK(gic.bit(gicd::isactiver, 40));
    gic.write_icc(CpuId{0}, R::ICC_DIR_EL1, 40, el3);
    CHECK_FALSE(gic.bit(gicd::isactiver, 40));
}

TEST_CASE("SPI 17. With SCR_EL3.FIQ = 0 Non-secure software has Group 0 and sees priorities as they are") {
    Board gic(false);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_IGRPEN0_EL1, non_secure) == 0);
    PeState pe = PeState::in(non_secure);
    pe.scr_el3_fiq = false;
    gic.set_pe(CpuId{0}, pe);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_IGRPEN0_EL1, non_secure) == 1);
    gic.write_icc(CpuId{0}, R::ICC_PMR_EL1, 0x40, non_secure);
    CHECK(gic.read_icc(CpuId{0}, R::ICC_PMR_EL1, non_secure) == 0x40);
}

// Any interleaving.

namespace {

/// Software and devices do things to four SPIs in any order while messages are under way in any order.
class AnyOrder : public Board {
public:
    AnyOrder() {
        for (unsigned n = 40; n < 44; ++n) {
            edge(n);
            enable(n);
            route(n, n == 43 ? gicd::irm : four()[n - 40].mpidr());
        }
        hold();
    }
    void step(unsigned what, unsigned n) {
        const unsigned spi = 40 + n % 4;
        const unsigned cpu = n / 4 % 4;
        switch (what % 12) {
            case 0: raise(spi); break;
            case 1: take(cpu); break;
            case 2: complete(cpu); break;
            case 3: gicd((n & 16) != 0 ? gicd::isenabler + 4 : gicd::icenabler + 4, 1U << (spi - 32)); break;
            case 4: route(spi, (n & 16) != 0 ? gicd::irm : four()[n / 32 % 4].mpidr()); break;
            case 5: priority(spi, n % 31 << 3); break;
            case 6: write_icc(cpu_id(cpu), R::ICC_IGRPEN1_EL1, n >> 6 & 1, non_secure); break;
            case 7: sleep(cpu, (n & 64) != 0); break;
            default: deliver(n); break;
        }
        check();
    }
    /// Everything is set right and handled; nothing may be left, and what was raised was taken.
    void finish() {
        for (unsigned cpu = 0; cpu < 4; ++cpu) {
            while (complete(cpu)) {
            }
            sleep(cpu, false);
            settle();
            write_icc(cpu_id(cpu), R::ICC_IGRPEN1_EL1, 1, non_secure);
        }
        for (unsigned n = 40; n < 44; ++n) enable(n);
        settle();
        for (unsigned round = 0; round < 40; ++round) {
            for (unsigned cpu = 0; cpu < 4; ++cpu) {
                if (!take(cpu)) continue;
                settle();
                complete(cpu);
                settle();
            }
        }
        for (unsigned n = 40; n < 44; ++n) {
            RC_ASSERT(!waiting_[n - 40]);
            RC_ASSERT(!bit(gicd::ispendr, n));
            RC_ASSERT(!bit(gicd::isactiver, n));
        }
        RC_ASSERT(protocol_errors() == 0U);
    }

private:
    void raise(unsigned spi) {
        // An edge that comes before the Activate of the one before has arrived merges with it.
        const bool merges = bit(gicd::ispendr, spi);
        line(spi, true);
        line(spi, false);
        if (!merges) waiting_[spi - 40] = true;
    }
    bool take(unsigned cpu) {
        const std::uint64_t id = iar(cpu);
        if (id >= 1020) return false;
        RC_ASSERT(id >= 40U && id < 44U);
        RC_ASSERT(waiting_[id - 40]);   // not taken twice
        RC_ASSERT(!held_by_[id - 40]);  // one PE at a time
        waiting_[id - 40] = false;
        held_by_[id - 40] = true;
        stacks_[cpu].push_back(id);
        return true;
    }
    bool complete(unsigned cpu) {
        if (stacks_[cpu].empty()) return false;
        const std::uint64_t id = stacks_[cpu].back();
        stacks_[cpu].pop_back();
        // The Activate has to be there before another PE may have it, and before a new edge counts as new.
        held_by_[id - 40] = false;
        eoi(cpu, id);
        return true;
    }
    void sleep(unsigned cpu, bool asleep) {
        if (asleep) write_icc(cpu_id(cpu), R::ICC_IGRPEN1_EL1, 0, non_secure);
        write_gicr(cpu_id(cpu), 0x14, asleep ? 2 : 0, 4, secure);
    }
    void check() {
        for (unsigned cpu = 0; cpu < 4; ++cpu) {
            const std::uint64_t running = read_icc(cpu_id(cpu), R::ICC_RPR_EL1, non_secure);
            RC_ASSERT((running == 0xFF) == stacks_[cpu].empty());
        }
    }
    std::array<bool, 4> waiting_{};
    std::array<bool, 4> held_by_{};
    std::array<std::vector<std::uint64_t>, 4> stacks_;
};

}  // namespace

TEST_CASE("SPI 18. No SPI is lost, doubled or taken by two PEs, whatever the order of things") {
    const bool passed = rc::check("any interleaving of SPIs", [] {
        AnyOrder gic;
        const auto steps = *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(
            rc::gen::pair(rc::gen::inRange(0U, 12U), rc::gen::inRange(0U, 1U << 12)));
        for (const auto& [what, n] : steps) gic.step(what, n);
        gic.finish();
    });
    CHECK(passed);
}
