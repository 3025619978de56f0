#include <vector>

#include "replay/software.h"
#include "support/catch.h"

// What Linux' drivers/irqchip/irq-gic-v3.c does to a GICv3 from power-on to the first interrupts.

using namespace gicsim;
using namespace gicsim::test;
using enum IccRegister;

namespace {

class Kernel : public Software {
public:
    Kernel(bool single_security, bool firmware_ran)
        : Software(parameters(single_security), 2, 2), single_security_(single_security) {
        if (firmware_ran) firmware();
    }
    static GicParameters parameters(bool single_security) {
        GicParameters all = with_spis(224, single_security);
        all.extended_spis = 64;
        all.extended_ppis = 32;
        return all;
    }

    void distributor() {
        gicd(gicd::ctlr, 0);
        REQUIRE(wait_for_rwp());
        const unsigned lines = 32 * static_cast<unsigned>((gicd_read(gicd::typer) & 0x1F) + 1);
        REQUIRE(lines == 256);
        for (unsigned n = 32; n < lines; n += 32) gicd(gicd::igroupr + n / 8, ~0U);
        const unsigned extended = 32 * static_cast<unsigned>((gicd_read(gicd::typer) >> 27) + 1);
        REQUIRE(extended == 64);
        for (unsigned n = 0; n < extended; n += 32) {
            gicd(gicd::icenabler_e + n / 8, ~0U);
            gicd(gicd::icactiver_e + n / 8, ~0U);
            gicd(gicd::igroupr_e + n / 8, ~0U);
        }
        for (unsigned n = 0; n < extended; n += 16) gicd(gicd::icfgr_e + n / 4, 0);
        for (unsigned n = 0; n < extended; n += 4) gicd(gicd::ipriorityr_e + n, 0xA0A0A0A0);
        for (unsigned n = 32; n < lines; n += 16) gicd(gicd::icfgr + n / 4, 0);
        for (unsigned n = 32; n < lines; n += 4) gicd(gicd::ipriorityr + n, 0xA0A0A0A0);
        for (unsigned n = 32; n < lines; n += 32) {
            gicd(gicd::icactiver + n / 8, ~0U);
            gicd(gicd::icenabler + n / 8, ~0U);
        }
        REQUIRE(wait_for_rwp());
        gicd(gicd::ctlr, 0x13);  // ARE_NS, EnableGrp1A, EnableGrp1
        REQUIRE(wait_for_rwp());
        const std::uint64_t boot = affinity(0).mpidr();
        for (unsigned n = 32; n < lines; ++n) gicd(gicd::irouter + 8 * n, boot, 8);
        for (unsigned n = 0; n < extended; ++n) gicd(gicd::irouter_e + 8 * n, boot, 8);
    }

    /// @return whether Group 0 belongs to this software: the lowest bit of the priority mask is there
    bool cpu(unsigned cpu) {
        unsigned frame = 0;
        while (gicr_read(frame, gicr::typer, 8) >> 32 != affinity(cpu).packed()) {
            REQUIRE((gicr_read(frame, gicr::typer) >> 4 & 1) == 0);
            ++frame;
        }
        gicr(frame, gicr::waker, gicr_read(frame, gicr::waker) & ~2ULL);
        REQUIRE((gicr_read(frame, gicr::waker) & 4) == 0);
        for (unsigned w = 0; w < 2; ++w) {
            gicr(frame, gicr::igroupr0 + 4 * w, ~0U);
            gicr(frame, gicr::icactiver0 + 4 * w, ~0U);
            gicr(frame, gicr::icenabler0 + 4 * w, ~0U);
        }
        for (unsigned n = 0; n < 64; n += 4) gicr(frame, gicr::ipriorityr + n, 0xA0A0A0A0);
        REQUIRE(wait_for_redistributor(frame));

        msr(cpu, ICC_SRE_EL1, mrs(cpu, ICC_SRE_EL1) | 1);
        REQUIRE((mrs(cpu, ICC_SRE_EL1) & 1) == 1);
        const auto priority_bits = static_cast<unsigned>((mrs(cpu, ICC_CTLR_EL1) >> 8 & 7) + 1);
        const std::uint64_t least = 1U << (8 - priority_bits);
        const std::uint64_t saved = mrs(cpu, ICC_PMR_EL1);
        msr(cpu, ICC_PMR_EL1, least);
        const bool owns_group0 = mrs(cpu, ICC_PMR_EL1) != 0;
        msr(cpu, ICC_PMR_EL1, saved);
        msr(cpu, ICC_PMR_EL1, 0xF0);
        msr(cpu, ICC_BPR1_EL1, 0);
        msr(cpu, ICC_CTLR_EL1, 2);  // EOImode: drop and deactivation apart
        if (owns_group0) msr(cpu, ICC_AP0R0_EL1, 0);
        msr(cpu, ICC_AP1R0_EL1, 0);
        msr(cpu, ICC_IGRPEN1_EL1, 1);
        gicr(frame, gicr::isenabler0, 0xFF);  // eight IPIs
        return owns_group0;
    }
    void boot() {
        distributor();
        for (unsigned n = 0; n < cpus(); ++n) CHECK(cpu(n) == single_security_);
    }

    void enable(unsigned n) {
        gicd(gicd::isenabler + n / 32 * 4, 1U << n % 32);
        REQUIRE(wait_for_rwp());
    }
    /// gic_set_affinity: what is enabled is disabled meanwhile.
    void set_affinity(unsigned n, unsigned cpu) {
        const bool enabled = (gicd_read(gicd::isenabler + n / 32 * 4) >> n % 32 & 1) != 0;
        if (enabled) {
            gicd(gicd::icenabler + n / 32 * 4, 1U << n % 32);
            REQUIRE(wait_for_rwp());
        }
        gicd(gicd::irouter + 8 * n, affinity(cpu).mpidr(), 8);
        if (enabled) enable(n);
    }
    struct Taken {
        unsigned cpu;
        std::uint64_t intid;
        bool operator==(const Taken&) const = default;
    };
    std::vector<Taken> handle() {
        std::vector<Taken> all;
        take_interrupts([&](unsigned cpu) {
            const std::uint64_t id = iar(cpu);
            all.push_back({cpu, id});
            eoi(cpu, id);
            if (id >= 32) set_spi_line(intid(static_cast<unsigned>(id)), false);
            dir(cpu, id);
        });
        return all;
    }

private:
    bool single_security_;
};

}  // namespace

TEST_CASE("Replay: after Linux' bring-up IPIs, PPIs and SPIs are taken, and nothing else is") {
    const bool single_security = GENERATE(true, false);
    Kernel kernel(single_security, !single_security);
    kernel.boot();
    using Taken = Kernel::Taken;
    CHECK(kernel.handle().empty());
    for (unsigned cpu = 0; cpu < kernel.cpus(); ++cpu) {
        kernel.msr(0, ICC_SGI1R_EL1, sgi1r(cpu, kernel.affinity(cpu), static_cast<std::uint16_t>(1U << cpu % 2)));
        CHECK(kernel.handle() == std::vector<Taken>{{cpu, cpu}});
    }
    kernel.enable(33);
    kernel.set_spi_line(intid(33), true);
    CHECK(kernel.handle() == std::vector<Taken>{{0, 33}});
    kernel.gicr(3, gicr::isenabler0, 1U << 27);
    kernel.set_ppi_line(CpuId{3}, intid(27), true);
    CHECK(kernel.irq(CpuId{3}));
    CHECK(kernel.iar(3) == 27);
    CHECK(kernel.protocol_errors() == 0);
}

TEST_CASE("Replay: active and pending state that an earlier kernel left behind does not come through the bring-up") {
    const bool single_security = GENERATE(true, false);
    Kernel kernel(single_security, !single_security);
    kernel.boot();
    // The earlier kernel dies in a handler with things enabled, pending and active.
    for (unsigned n = 40; n < 44; ++n) kernel.enable(n);
    kernel.gicd(gicd::ispendr + 4, 0xF00);
    CHECK(kernel.iar(0) == 40);
    kernel.msr(0, ICC_SGI1R_EL1, sgi1r(5, kernel.affinity(0), 1));
    kernel.boot();
    CHECK(kernel.mrs(0, ICC_RPR_EL1) == 0xFF);
    CHECK(kernel.gicd_read(gicd::isactiver + 4) == 0);
    CHECK(kernel.gicd_read(gicd::isenabler + 4) == 0);
    // The pending SGI is still there; the SPIs are, but disabled.
    CHECK(kernel.handle() == std::vector<Kernel::Taken>{{0, 5}});
    kernel.enable(40);
    CHECK(kernel.handle().empty());
    kernel.enable(41);
    CHECK(kernel.handle() == std::vector<Kernel::Taken>{{0, 41}});
}

TEST_CASE("Replay: the priority mask's lowest bit says whether Group 0 is there for Non-secure software") {
    for (const unsigned bits : {5U, 6U, 7U, 8U}) {
        for (const bool single_security : {true, false}) {
            GicParameters parameters = with_spis(32, single_security);
            parameters.priority_bits = bits;
            Software machine(parameters, 1, 1);
            machine.firmware();
            REQUIRE((machine.mrs(0, ICC_CTLR_EL1) >> 8 & 7) + 1 == bits);
            machine.msr(0, ICC_PMR_EL1, 1U << (8 - bits));
            CHECK((machine.mrs(0, ICC_PMR_EL1) != 0) == single_security);
            // With SCR_EL3.FIQ = 0 it is there for it with two Security states as well.
            PeState pe = PeState::in(Security::non_secure);
            pe.scr_el3_fiq = false;
            machine.set_pe(CpuId{0}, pe);
            machine.msr(0, ICC_PMR_EL1, 1U << (8 - bits));
            CHECK(machine.mrs(0, ICC_PMR_EL1) == 1U << (8 - bits));
        }
    }
}

TEST_CASE("Replay: an SPI whose affinity is changed goes to the new CPU, pending or not, and is never lost") {
    const bool single_security = GENERATE(true, false);
    Kernel kernel(single_security, !single_security);
    kernel.boot();
    using Taken = Kernel::Taken;
    kernel.enable(50);
    for (unsigned cpu = kernel.cpus(); cpu-- > 0;) {
        kernel.set_affinity(50, cpu);
        kernel.set_spi_line(intid(50), true);
        CHECK(kernel.handle() == std::vector<Taken>{{cpu, 50}});
        // Pending, and on its way to the old CPU.
        kernel.set_spi_line(intid(50), true);
        const unsigned other = (cpu + 1) % kernel.cpus();
        kernel.set_affinity(50, other);
        CHECK(kernel.iar(cpu) == 1023);
        CHECK(kernel.handle() == std::vector<Taken>{{other, 50}});
    }
    // Active on one CPU when it moves: completed there, next on the other.
    kernel.set_affinity(50, 1);
    kernel.set_spi_line(intid(50), true);
    CHECK(kernel.iar(1) == 50);
    kernel.set_affinity(50, 2);
    CHECK(kernel.iar(2) == 1023);
    kernel.eoi(1, 50);
    kernel.dir(1, 50);
    CHECK(kernel.handle() == std::vector<Taken>{{2, 50}});
    CHECK(kernel.protocol_errors() == 0);
}
