#include <vector>

#include "replay/software.h"
#include "support/catch.h"

// What TF-A's test framework, Zephyr's tests and Arm's bare-metal examples do to a GICv3.

using namespace gicsim;
using namespace gicsim::test;
using enum IccRegister;

namespace {

/// An RTOS: Group 1, SPIs to the first CPU.
struct Rtos : Software {
    explicit Rtos(bool single_security, unsigned clusters = 2, unsigned cpus_in_each = 3)
        : Software(with_spis(224, single_security), clusters, cpus_in_each) {
        firmware();
        gicd(gicd::ctlr, 0x12);
        for (unsigned w = 1; w < 8; ++w) gicd(gicd::igroupr + 4 * w, ~0U);
        for (unsigned cpu = 0; cpu < cpus(); ++cpu) {
            gicr(cpu, gicr::igroupr0, ~0U);
            gicr(cpu, gicr::isenabler0, 0xFFFF);
            for (unsigned n = 0; n < 16; n += 4) gicr(cpu, gicr::ipriorityr + n, 0xA0A0A0A0);
            msr(cpu, ICC_PMR_EL1, 0xF0);
            msr(cpu, ICC_IGRPEN1_EL1, 1);
        }
    }
};

}  // namespace

// TF-A-tests, test_validation_sgi.c, test_validation_irq.c and realm_gic_trap.c.

TEST_CASE(
    "Replay: each SGI sent to oneself is handled with its own number, once, and its enable is what lets it through") {
    Rtos os(GENERATE(true, false));
    for (unsigned n = 0; n < 16; ++n) {
        os.msr(0, ICC_SGI1R_EL1, sgi1r(n, os.affinity(0), 1));
        std::vector<std::uint64_t> seen;
        const auto handler = [&](unsigned cpu) {
            seen.push_back(os.iar(cpu));
            os.eoi(cpu, seen.back());
        };
        os.take_interrupts(handler);
        CHECK(seen == std::vector<std::uint64_t>{n});
        os.gicr(0, gicr::icenabler0, 1U << n);
        CHECK(os.wait_for_redistributor(0));
        os.msr(0, ICC_SGI1R_EL1, sgi1r(n, os.affinity(0), 1));
        os.take_interrupts(handler);
        CHECK(seen.size() == 1);
        os.gicr(0, gicr::isenabler0, 1U << n);
        os.take_interrupts(handler);
        CHECK(seen == std::vector<std::uint64_t>{n, n});
    }
}

TEST_CASE("Replay: a priority mask of 0xE0 reads back as written") {
    Rtos os(GENERATE(true, false));
    os.msr(0, ICC_PMR_EL1, 0xE0);
    CHECK(os.mrs(0, ICC_PMR_EL1) == 0xE0);
}

// Zephyr, tests/arch/arm64/arm64_irq_affinity, and its nested interrupt test, which uses SGIs.

TEST_CASE("Replay: an SPI routed to each CPU in turn is taken by that one alone") {
    Rtos os(GENERATE(true, false));
    constexpr unsigned n = 57;
    os.gicd(gicd::ipriorityr + n, 0xA0, 1);
    os.gicd(gicd::isenabler + 4, 1U << (n - 32));
    for (unsigned round = 0; round < 2; ++round) {
        for (unsigned wanted = 0; wanted < os.cpus(); ++wanted) {
            os.gicd(gicd::irouter + 8 * n, os.affinity(wanted).mpidr(), 8);
            os.gicd(gicd::ispendr + 4, 1U << (n - 32));
            std::vector<unsigned> takers;
            os.take_interrupts([&](unsigned cpu) {
                CHECK(os.iar(cpu) == n);
                takers.push_back(cpu);
                os.eoi(cpu, n);
            });
            CHECK(takers == std::vector<unsigned>{wanted});
        }
    }
    CHECK(os.protocol_errors() == 0);
}

TEST_CASE("Replay: an SGI of better priority interrupts the handler of another, one of worse priority does not") {
    Rtos os(GENERATE(true, false));
    os.gicr(0, gicr::ipriorityr + 14, 0x80, 1);
    std::vector<std::uint64_t> order;
    const auto handler = [&](unsigned cpu, const auto& self) -> void {
        const std::uint64_t id = os.iar(cpu);
        order.push_back(id);
        if (id == 13 || id == 12) {
            os.msr(cpu, ICC_SGI1R_EL1, sgi1r(id + 1, os.affinity(cpu), 1));
            if (os.irq(cpu_id(cpu))) self(cpu, self);
        }
        os.eoi(cpu, id);
        order.push_back(1000 + id);
    };
    os.msr(0, ICC_SGI1R_EL1, sgi1r(12, os.affinity(0), 1));
    os.take_interrupts([&](unsigned cpu) { handler(cpu, handler); });
    // 13 has 12's priority and waits; 14 is better than 13.
    CHECK(order == std::vector<std::uint64_t>{12, 1012, 13, 14, 1014, 1013});
}

// Arm's bare-metal example for GICv3 and v4: main_basic and main_gicv31. They run at EL3, with Group 0.

TEST_CASE("Replay: a PPI, another and an SPI in Group 0 come as FIQ and are acknowledged by ICC_IAR0_EL1") {
    Software board(with_spis(224, false), 1, 2);
    board.run_in(Security::secure);
    for (unsigned cpu = 0; cpu < 2; ++cpu) {
        PeState el3 = PeState::in(Security::secure);
        el3.el3 = true;
        board.set_pe(cpu_id(cpu), el3);
    }
    // ARE before the enables.
    board.gicd(gicd::ctlr, 0x30);
    board.gicd(gicd::ctlr, 0x37);
    board.gicr(0, gicr::waker, 0);
    board.msr(0, ICC_PMR_EL1, 0xFF);
    board.msr(0, ICC_IGRPEN0_EL1, 1);
    board.write_icc(CpuId{0}, ICC_IGRPEN1_EL3, 3, Accessor::at_el3(Security::secure));
    for (const unsigned n : {29U, 30U}) {
        board.gicr(0, gicr::ipriorityr + n, 0, 1);
        board.gicr(0, gicr::isenabler0, 1U << n);
    }
    board.gicd(gicd::ipriorityr + 34, 0, 1);
    board.gicd(gicd::irouter + 8 * 34, board.affinity(0).mpidr(), 8);
    board.gicd(gicd::isenabler + 4, 1U << 2);
    board.set_ppi_line(CpuId{0}, intid(29), true);
    board.set_ppi_line(CpuId{0}, intid(30), true);
    board.set_spi_line(intid(34), true);
    std::vector<std::uint64_t> seen;
    board.take_interrupts([&](unsigned cpu) {
        CHECK(board.fiq(cpu_id(cpu)));
        CHECK_FALSE(board.irq(cpu_id(cpu)));
        const std::uint64_t id = board.mrs(cpu, ICC_IAR0_EL1);
        seen.push_back(id);
        if (id < 32) board.set_ppi_line(CpuId{0}, intid(static_cast<unsigned>(id)), false);
        if (id >= 32) board.set_spi_line(intid(static_cast<unsigned>(id)), false);
        board.msr(cpu, ICC_EOIR0_EL1, id);
    });
    CHECK(seen == std::vector<std::uint64_t>{29, 30, 34});
    CHECK(board.mrs(0, ICC_IAR0_EL1) == 1023);
}

TEST_CASE("Replay: extended PPI 1056 and extended SPI 4096 are made pending by their registers and taken") {
    GicParameters parameters = with_spis(224, false);
    parameters.extended_ppis = 64;
    parameters.extended_spis = 1024;
    Software board(parameters, 1, 2);
    board.run_in(Security::secure);
    board.gicd(gicd::ctlr, 0x30);
    board.gicd(gicd::ctlr, 0x37);
    CHECK((board.gicd_read(gicd::typer) >> 8 & 1) == 1);
    CHECK(board.gicr_read(0, gicr::typer) >> 27 == 2);
    board.gicr(0, gicr::waker, 0);
    board.msr(0, ICC_PMR_EL1, 0xFF);
    board.msr(0, ICC_IGRPEN0_EL1, 1);
    board.gicr(0, gicr::ipriorityr + 32, 0, 1);
    board.gicr(0, gicr::isenabler0 + 4, 1);
    board.gicd(gicd::ipriorityr_e, 0, 1);
    board.gicd(gicd::irouter_e, board.affinity(0).mpidr(), 8);
    board.gicd(gicd::icfgr_e, 2);
    board.gicd(gicd::isenabler_e, 1);
    board.gicr(0, gicr::ispendr0 + 4, 1);
    board.gicd(gicd::ispendr_e, 1);
    std::vector<std::uint64_t> seen;
    board.take_interrupts([&](unsigned cpu) {
        seen.push_back(board.mrs(cpu, ICC_IAR0_EL1));
        board.msr(cpu, ICC_EOIR0_EL1, seen.back());
    });
    CHECK(seen == std::vector<std::uint64_t>{1056, 4096});
    CHECK(board.gicr_read(0, gicr::isactiver0 + 4) == 0);
    CHECK(board.gicd_read(gicd::isactiver_e) == 0);
}
