#include <array>
#include <vector>

#include "replay/software.h"
#include "support/catch.h"

// What kvm-unit-tests' arm/gic.c does to a GICv3 (gicv3_enable_defaults, tests "ipi", "active" and "mmio").

using namespace gicsim;
using namespace gicsim::test;
using enum IccRegister;

namespace {

constexpr std::uint64_t ctlr_are_and_groups = 0x13;

/// A guest, with either number of Security states, whose every CPU has gone through the suite's initialization.
class Guest : public Software {
public:
    Guest(unsigned clusters, unsigned cpus_in_each, unsigned spis = 224, bool single_security = true)
        : Software(with_spis(spis, single_security), clusters, cpus_in_each),
          acknowledged(cpus(), 0),
          spurious(cpus(), 0),
          last(cpus(), 0) {
        firmware();
        for (unsigned cpu = 0; cpu < cpus(); ++cpu) initialize(cpu);
    }

    /// The loop over GICD_IGROUPR goes on for as many bytes as there are INTIDs, not bits: it writes all ones to the
    /// registers behind as well.
    void initialize(unsigned cpu) {
        const unsigned intids = std::min(32 * static_cast<unsigned>((gicd_read(gicd::typer) & 0x1F) + 1), 1020U);
        gicd(gicd::ctlr, 0);
        REQUIRE(wait_for_rwp());
        gicd(gicd::ctlr, ctlr_are_and_groups);
        REQUIRE(wait_for_rwp());
        for (unsigned i = 0; i < intids; i += 4) gicd(gicd::igroupr + i, ~0U);
        REQUIRE(own_frame(cpu) == cpu);
        gicr(cpu, gicr::igroupr0, ~0U);
        for (unsigned i = 0; i < 16; i += 4) gicr(cpu, gicr::ipriorityr + i, 0xA0A0A0A0);
        gicr(cpu, gicr::isenabler0, 0xFFFF);
        msr(cpu, ICC_PMR_EL1, 0xF0);
        msr(cpu, ICC_IGRPEN1_EL1, 1);
    }

    /// Goes through the frames until one has the CPU's affinity.
    unsigned own_frame(unsigned cpu) {
        for (unsigned n = 0; n < cpus(); ++n) {
            const std::uint64_t type = gicr_read(n, gicr::typer, 8);
            if (type >> 32 == affinity(cpu).packed()) return n;
            CHECK(((type >> 4 & 1) != 0) == (n + 1 == cpus()));
        }
        return ~0U;
    }

    /// The handler of "ipi": acknowledge, and complete if there was something.
    void handle(unsigned cpu) {
        const std::uint64_t id = iar(cpu);
        if (id == 1023) {
            ++spurious[cpu];
            return;
        }
        eoi(cpu, id);
        last[cpu] = id;
        ++acknowledged[cpu];
    }
    void run() {
        REQUIRE(take_interrupts([this](unsigned cpu) { handle(cpu); }) < too_many);
    }
    /// `expected` counts by CPU, of INTID 1, and nothing spurious; also when waited for longer.
    void require_counts(const std::vector<unsigned>& expected) {
        for (unsigned again = 0; again < 2; ++again) {
            run();
            CHECK(acknowledged == expected);
            CHECK(spurious == std::vector<unsigned>(cpus(), 0));
            settle();
        }
        for (unsigned cpu = 0; cpu < cpus(); ++cpu) {
            if (acknowledged[cpu] > 0) CHECK(last[cpu] == 1);
        }
        CHECK(protocol_errors() == 0);
    }

    std::vector<unsigned> acknowledged;
    std::vector<unsigned> spurious;
    std::vector<std::uint64_t> last;
};

}  // namespace

TEST_CASE("Replay: an SGI to oneself is taken once, by nobody else") {
    Guest guest(1, 4, 224, GENERATE(true, false));
    guest.msr(0, ICC_SGI1R_EL1, sgi1r(1, guest.affinity(0), 1U << 0));
    guest.require_counts({1, 0, 0, 0});
}

TEST_CASE("Replay: an SGI to a list is taken once by each CPU listed, one write for each cluster") {
    Guest guest(3, 4, 224, GENERATE(true, false));
    // CPU 1 is the sender; all with its parity are left out.
    std::vector<unsigned> expected(guest.cpus(), 0);
    for (unsigned first = 0; first < guest.cpus(); first += 4) {
        guest.msr(1, ICC_SGI1R_EL1, sgi1r(1, guest.affinity(first), 0b0101));
        expected[first] = 1;
        expected[first + 2] = 1;
    }
    guest.require_counts(expected);
}

TEST_CASE("Replay: an SGI to all others is taken once by each, and not by its sender") {
    Guest guest(2, 3, 224, GENERATE(true, false));
    guest.msr(2, ICC_SGI1R_EL1, sgi1r_broadcast(1));
    guest.require_counts({1, 1, 0, 1, 1, 1});
}

TEST_CASE(
    "Replay: deactivating by GICR_ICACTIVER0 without an EOI gives one interrupt and leaves its priority running") {
    Guest guest(1, 1, 224, GENERATE(true, false));
    unsigned taken = 0;
    const auto handler = [&](unsigned cpu) {
        CHECK(guest.iar(cpu) == 1);
        guest.gicr(cpu, gicr::icactiver0, 1U << 1);
        ++taken;
    };
    guest.msr(0, ICC_SGI1R_EL1, sgi1r(1, guest.affinity(0), 1));
    guest.take_interrupts(handler);
    CHECK(taken == 1);
    CHECK(guest.gicr_read(0, gicr::isactiver0) == 0);
    CHECK(guest.mrs(0, ICC_RPR_EL1) == 0xA0);
    // So that an equal one has to wait for the drop.
    guest.msr(0, ICC_SGI1R_EL1, sgi1r(1, guest.affinity(0), 1));
    guest.take_interrupts(handler);
    CHECK(taken == 1);
    CHECK(guest.mrs(0, ICC_HPPIR1_EL1) == 1);
    guest.eoi(0, 1);
    guest.take_interrupts(handler);
    CHECK(taken == 2);
}

TEST_CASE("Replay: identification registers keep their values whatever is written to them") {
    Guest guest(1, 2, 224, GENERATE(true, false));
    for (const std::uint32_t offset : {gicd::typer, gicd::iidr, gicd::pidr2}) {
        const std::uint64_t before = guest.gicd_read(offset);
        for (const std::uint64_t pattern : {0xFFFF'FFFFU, 0xA5A5'5A5AU, 0U}) {
            guest.gicd(offset, pattern);
            CHECK(guest.gicd_read(offset) == before);
        }
    }
    CHECK((guest.gicd_read(gicd::pidr2) >> 4 & 0xF) == 3);
}

TEST_CASE(
    "Replay: GICD_IPRIORITYR has equal bytes, at least four bits each, its neighbours' own, and ends with the INTIDs") {
    const unsigned spis = GENERATE(224U, 988U);
    Guest guest(1, 2, spis, GENERATE(true, false));
    const unsigned end = 32 + spis;
    const std::uint32_t first = gicd::ipriorityr + 32;
    guest.gicd(first, ~0U);
    const std::uint64_t implemented = guest.gicd_read(first);
    CHECK((implemented & 0xFFFF) == implemented >> 16);
    CHECK((implemented & 0xF0) == 0xF0);
    guest.gicd(first, 0);
    CHECK(guest.gicd_read(first) == 0);

    guest.gicd(gicd::ipriorityr + end - 4, implemented);
    CHECK(guest.gicd_read(gicd::ipriorityr + end - 4) == implemented);
    if (end < 1020) {
        guest.gicd(gicd::ipriorityr + end, ~0U);
        CHECK(guest.gicd_read(gicd::ipriorityr + end) == 0);
    }

    for (unsigned i = 0; i < 4; ++i) guest.gicd(first + 4 * i, 0x8040'C020 & implemented);
    guest.gicd(first + 4, 0);
    CHECK(guest.gicd_read(first) == (0x8040'C020 & implemented));
    CHECK(guest.gicd_read(first + 4) == 0);
    CHECK(guest.gicd_read(first + 8) == (0x8040'C020 & implemented));
    constexpr std::array<unsigned, 4> bytes = {0x20, 0xC0, 0x40, 0x80};
    for (unsigned i = 0; i < 4; ++i) {
        CHECK(guest.gicd_read(first + i, 1) == bytes[i]);
        guest.gicd(first + i, 0xE0 - 0x10 * i, 1);
    }
    CHECK(guest.gicd_read(first) == 0xB0C0'D0E0);
}

TEST_CASE("Replay: all ones written to every register behind GICD_IGROUPR signal nothing by themselves") {
    // With 1020 INTIDs every set register is followed by its clear register; with 512 the writes end after
    // GICD_ISPENDR.
    const bool single_security = GENERATE(true, false);
    Guest full(1, 2, 988, single_security);
    for (unsigned w = 1; w < 32; ++w) {
        CHECK(full.gicd_read(gicd::isenabler + 4 * w) == 0);
        CHECK(full.gicd_read(gicd::ispendr + 4 * w) == 0);
        CHECK(full.gicd_read(gicd::isactiver + 4 * w) == 0);
    }
    Guest half(1, 2, 480, single_security);
    for (unsigned w = 1; w < 16; ++w) {
        CHECK(half.gicd_read(gicd::isenabler + 4 * w) == 0);
        CHECK(half.gicd_read(gicd::ispendr + 4 * w) == ~0U);
    }
    for (Guest* guest : {&full, &half}) {
        guest->require_counts({0, 0});
        CHECK(guest->iar(0) == 1023);
        guest->msr(0, ICC_SGI1R_EL1, sgi1r(1, guest->affinity(0), 0b11));
        guest->require_counts({1, 1});
    }
    // What was made pending is there when it is enabled, at the CPU of its route, which nobody has set: affinity
    // 0.0.0.0.
    half.gicd(gicd::isenabler + 4, 1U << 8);
    half.require_counts({1, 1});
    half.gicd(gicd::irouter + 8 * 40, half.affinity(1).mpidr(), 8);
    half.run();
    CHECK(half.last[1] == 40);
    CHECK(half.gicd_read(gicd::ispendr + 4) == (~0U & ~(1U << 8)));
}
