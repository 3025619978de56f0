#include <map>

#include "gic/spi_board.h"

using namespace gicsim;
using namespace gicsim::test;
using R = IccRegister;

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
