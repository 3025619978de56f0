#include <array>
#include <vector>

#include "replay/software.h"
#include "support/catch.h"

// What Linux' tools/testing/selftests/kvm/arm64/vgic_irq.c does to a GICv3.

using namespace gicsim;
using namespace gicsim::test;
using enum IccRegister;

namespace {

constexpr std::uint8_t default_priority = 0xD0;

/// One CPU, every interrupt in Group 1, enabled, with one priority.
class Guest : public Software {
public:
    Guest(bool single_security, bool split) : Software(with_spis(480, single_security), 1, 1), split_(split) {
        firmware();
        gicd(gicd::ctlr, 0x12);
        for (unsigned w = 1; w < 16; ++w) {
            gicd(gicd::igroupr + 4 * w, ~0U);
            gicd(gicd::isenabler + 4 * w, ~0U);
        }
        for (unsigned n = 32; n < 512; n += 4) gicd(gicd::ipriorityr + n, 0xD0D0D0D0);
        for (unsigned n = 32; n < 512; ++n) gicd(gicd::irouter + 8 * n, affinity(0).mpidr(), 8);
        gicr(0, gicr::igroupr0, ~0U);
        gicr(0, gicr::isenabler0, ~0U);
        for (unsigned n = 0; n < 32; n += 4) gicr(0, gicr::ipriorityr + n, 0xD0D0D0D0);
        msr(0, ICC_PMR_EL1, 0xF0);
        msr(0, ICC_IGRPEN1_EL1, 1);
        msr(0, ICC_CTLR_EL1, split ? 2 : 0);
    }

    void set_edge(unsigned n, bool edge) {
        const unsigned shift = 2 * (n % 16);
        const std::uint32_t offset = 4 * (n / 16);
        const std::uint64_t field = (edge ? 2U : 0U) << shift;
        if (n < 32) {
            gicr(0, 0x10C00 + offset, (gicr_read(0, 0x10C00 + offset) & ~(3ULL << shift)) | field);
        } else {
            gicd(gicd::icfgr + offset, (gicd_read(gicd::icfgr + offset) & ~(3ULL << shift)) | field);
        }
    }
    bool bit(std::uint32_t array, unsigned n) {
        const std::uint64_t word = n < 32 ? gicr_read(0, 0x10000 + array) : gicd_read(array + n / 32 * 4);
        return (word >> n % 32 & 1) != 0;
    }
    void set_bit(std::uint32_t array, unsigned n) {
        if (n < 32) {
            gicr(0, 0x10000 + array, 1U << n);
        } else {
            gicd(array + n / 32 * 4, 1U << n % 32);
        }
    }
    void line(unsigned n, bool level) {
        if (n < 32) {
            set_ppi_line(CpuId{0}, intid(n), level);
        } else {
            set_spi_line(intid(n), level);
        }
    }
    void priority(unsigned n, unsigned value) {
        if (n < 32) {
            gicr(0, gicr::ipriorityr + n, value, 1);
        } else {
            gicd(gicd::ipriorityr + n, value, 1);
        }
    }
    void complete(unsigned n) {
        eoi(0, n);
        CHECK(bit(gicd::isactiver, n) == split_);
        if (split_) dir(0, n);
        CHECK_FALSE(bit(gicd::isactiver, n));
    }
    void require_idle() {
        CHECK(mrs(0, ICC_AP1R0_EL1) == 0);
        CHECK(mrs(0, ICC_RPR_EL1) == 0xFF);
        CHECK(iar(0) == 1023);
        CHECK(protocol_errors() == 0);
    }

private:
    bool split_;
};

enum class By { line, pending_register };

}  // namespace

TEST_CASE(
    "Replay: an interrupt goes from pending to active to idle, by edge or level, line or register, EOI or EOI and "
    "DIR") {
    const bool single_security = GENERATE(true, false);
    const bool split = GENERATE(false, true);
    const bool edge = GENERATE(false, true);
    const By by = GENERATE(By::line, By::pending_register);
    CAPTURE(single_security, split, edge, by == By::line);
    Guest guest(single_security, split);
    for (const unsigned n : {3U, 15U, 16U, 27U, 31U, 32U, 100U, 511U}) {
        CAPTURE(n);
        if (n < 16 && (by == By::line || !edge)) continue;  // an SGI has no line and is an edge
        guest.set_edge(n, edge);
        if (by == By::line) {
            guest.line(n, true);
            if (edge) guest.line(n, false);
        } else {
            guest.set_bit(gicd::ispendr, n);
        }
        const unsigned taken = guest.take_interrupts([&](unsigned cpu) {
            REQUIRE(guest.iar(cpu) == n);
            CHECK(guest.bit(gicd::isactiver, n));
            const bool asserted = by == By::line && !edge;
            CHECK(guest.bit(gicd::ispendr, n) == asserted);
            if (asserted) guest.line(n, false);
            CHECK_FALSE(guest.bit(gicd::ispendr, n));
            guest.complete(n);
        });
        CHECK(taken == 1);
        guest.require_idle();
    }
}

TEST_CASE("Replay: a second edge while the first is active is taken after it, a level that stays is taken again") {
    const bool split = GENERATE(false, true);
    Guest guest(true, split);
    for (const bool edge : {true, false}) {
        guest.set_edge(40, edge);
        guest.line(40, true);
        unsigned taken = 0;
        guest.take_interrupts([&](unsigned cpu) {
            REQUIRE(guest.iar(cpu) == 40);
            if (++taken == 1 && edge) {
                guest.line(40, false);
                guest.line(40, true);
            }
            if (taken == 2) guest.line(40, false);
            guest.complete(40);
        });
        CHECK(taken == 2);
        guest.require_idle();
    }
}

TEST_CASE("Replay: interrupts that come with ever better priority nest, and unwind in reverse order") {
    const bool single_security = GENERATE(true, false);
    Guest guest(single_security, GENERATE(false, true));
    guest.mask(0, true);
    // Non-secure software has one bit of priority less where there are two Security states.
    const unsigned step = single_security ? 8 : 16;
    for (const unsigned first : {0U, 16U, 64U}) {
        const unsigned count = first == 0 ? 12 : 13;
        for (unsigned i = 0; i < count; ++i) {
            guest.set_edge(first + i, true);
            guest.priority(first + i, 0xE0 - step * (i + 1));
        }
        for (unsigned i = 0; i < count; ++i) {
            guest.set_bit(gicd::ispendr, first + i);
            CHECK(guest.irq(CpuId{0}));
            REQUIRE(guest.iar(0) == first + i);
            CHECK(guest.mrs(0, ICC_RPR_EL1) == 0xE0 - step * (i + 1));
        }
        CHECK(guest.iar(0) == 1023);
        for (unsigned i = count; i-- > 0;) {
            CHECK(guest.bit(gicd::isactiver, first + i));
            guest.complete(first + i);
        }
        guest.require_idle();
        for (unsigned i = 0; i < count; ++i) guest.priority(first + i, default_priority);
    }
}

TEST_CASE("Replay: of several pending interrupts the best comes first and the others wait for its priority drop") {
    Guest guest(GENERATE(true, false), GENERATE(false, true));
    guest.mask(0, true);
    constexpr unsigned count = 10;
    for (unsigned i = 0; i < count; ++i) {
        guest.set_edge(64 + i, true);
        guest.priority(64 + i, 0xD0 - 16 * i);
        guest.set_bit(gicd::ispendr, 64 + i);
    }
    for (unsigned i = count; i-- > 0;) {
        REQUIRE(guest.iar(0) == 64 + i);
        CHECK(guest.iar(0) == 1023);
        guest.complete(64 + i);
    }
    guest.require_idle();
}

TEST_CASE("Replay: an active state that software writes back is completed as one that was acknowledged") {
    Guest guest(true, GENERATE(false, true));
    for (const unsigned n : {5U, 20U, 77U}) {
        guest.priority(n, 0x80);
        guest.set_bit(gicd::isactiver, n);
        guest.msr(0, ICC_AP1R0_EL1, 1U << (0x80 >> 3));
        CHECK(guest.mrs(0, ICC_RPR_EL1) == 0x80);
        CHECK(guest.iar(0) == 1023);
        guest.complete(n);
        guest.require_idle();
        // It is as good as new.
        guest.set_bit(gicd::ispendr, n);
        CHECK(guest.iar(0) == n);
        guest.line(n, false);
        guest.complete(n);
        guest.require_idle();
    }
}

TEST_CASE("Replay: INTIDs that name no interrupt are no interrupt") {
    Guest guest(GENERATE(true, false), true);
    for (const std::uint32_t n : {512U, 1019U, 1020U, 1023U, 1024U, 1056U, 1120U, 4095U, 4096U, 5120U, 8191U, ~0U}) {
        CAPTURE(n);
        guest.set_spi_line(intid(n), true);
        guest.set_ppi_line(CpuId{0}, intid(n), true);
        guest.gicd(gicd::setspi_nsr, n);
        CHECK_FALSE(guest.irq(CpuId{0}));
        CHECK(guest.iar(0) == 1023);
        guest.eoi(0, n);
        guest.dir(0, n);
        guest.set_spi_line(intid(n), false);
    }
    guest.require_idle();
}
