#include <array>
#include <random>
#include <vector>

#include "support/catch.h"
#include "support/gic_offsets.h"
#include "support/settled_gic.h"

// A debugger looks at every register, and nothing is different afterwards.

using namespace gicsim;
using namespace gicsim::test;
using enum IccRegister;

namespace {

constexpr std::array<Affinity, 2> affinities{{{0, 0, 0, 0}, {0, 0, 0, 1}}};
constexpr std::array<Security, 2> both_states = {Security::secure, Security::non_secure};

/// All that can be seen without changing anything.
std::vector<std::uint64_t> dump(const SettledGic& gic, bool single_security) {
    std::vector<std::uint64_t> all;
    for (const Security state : both_states) {
        for (const auto& row : DistributorState::frame().rows()) {
            for (std::uint32_t n = 0; n < row.count; ++n) {
                const std::uint32_t bytes = row.bits / 8;
                all.push_back(gic.distributor().peek(row.offset + n * bytes, bytes, state).value);
            }
        }
    }
    for (unsigned cpu = 0; cpu < affinities.size(); ++cpu) {
        const RedistributorState& rd = gic.redistributor(cpu_id(cpu));
        for (const Security state : both_states) {
            for (const auto* frame : {&RedistributorState::rd_frame(), &RedistributorState::sgi_frame()}) {
                const std::uint32_t base = frame == &RedistributorState::rd_frame() ? 0 : 0x10000;
                for (const auto& row : frame->rows()) {
                    for (std::uint32_t n = 0; n < row.count; ++n) {
                        all.push_back(rd.peek(base + row.offset + n * row.bits / 8, row.bits / 8, state).value);
                    }
                }
            }
        }
        const CpuInterfaceState& interface = gic.cpu_interface(cpu_id(cpu));
        for (unsigned reg = 0; reg < icc_register_count; ++reg) {
            for (const Security state : both_states) {
                all.push_back(interface.peek(static_cast<IccRegister>(reg), state));
                all.push_back(interface.peek(static_cast<IccRegister>(reg), Accessor::at_el3(state)));
            }
        }
        all.push_back(interface.guest_errors());
        all.push_back(interface.irq());
        all.push_back(interface.fiq());
        all.push_back(interface.upstream_idle());
        all.push_back(rd.unimplemented_accesses());
        all.push_back(rd.wake_request());
        all.push_back(rd.sets().size());
    }
    all.push_back(gic.distributor().unimplemented_accesses());
    all.push_back(gic.distributor().spis().recalls_unanswered());
    all.push_back(single_security);
    return all;
}

/// Any accesses: pending, active, half completed, in the middle of things.
void stir(SettledGic& gic, std::mt19937& random, unsigned accesses) {
    const auto draw = [&](unsigned below) { return static_cast<std::uint32_t>(random() % below); };
    for (unsigned i = 0; i < accesses; ++i) {
        const CpuId cpu = cpu_id(draw(2));
        const Security state = both_states[draw(2)];
        switch (draw(6)) {
            case 0: gic.write_gicd(4 * draw(0x1000 / 4), random(), 4, state); break;
            case 1: gic.write_gicr(cpu, 0x10000 + 4 * draw(0x1000 / 4), random(), 4, state); break;
            case 2: gic.write_icc(cpu, static_cast<IccRegister>(draw(icc_register_count)), random(), state); break;
            case 3: gic.read_icc(cpu, draw(2) == 0 ? ICC_IAR0_EL1 : ICC_IAR1_EL1, state); break;
            case 4: gic.set_spi_line(intid(32 + draw(988)), draw(2) == 0); break;
            case 5: gic.deliver(draw(9)); break;
        }
        if (draw(10) == 0) gic.settle();
    }
}

/// Open, with an interrupt of each kind ready to be acknowledged.
void prepare(SettledGic& gic) {
    gic.write_gicd(gicd::ctlr, 0b111, 4, Security::secure);
    for (unsigned w = 1; w < 32; ++w) gic.write_gicd(gicd::isenabler + 4 * w, ~0U, 4, Security::secure);
    for (unsigned n = 0; n < 2; ++n) {
        const CpuId cpu = cpu_id(n);
        gic.write_gicr(cpu, gicr::waker, 0, 4, Security::secure);
        gic.write_gicr(cpu, gicr::igroupr0, 0xFFFF'0000, 4, Security::secure);
        gic.write_gicr(cpu, gicr::isenabler0, ~0U, 4, Security::secure);
        gic.write_icc(cpu, ICC_PMR_EL1, 0xFF, Security::secure);
        gic.write_icc(cpu, ICC_IGRPEN0_EL1, 1, Security::secure);
        for (const Security state : both_states) gic.write_icc(cpu, ICC_IGRPEN1_EL1, 1, state);
        gic.write_gicr(cpu, gicr::ispendr0, 1U << (n == 0 ? 3 : 20), 4, Security::secure);
    }
    gic.write_gicd(gicd::ispendr + 4, 0xF0, 4, Security::secure);
}

}  // namespace

TEST_CASE(
    "Looking at every register of all three frames and of the CPU interfaces changes neither state nor behaviour") {
    for (const bool single_security : {true, false}) {
        for (unsigned seed = 0; seed < 20; ++seed) {
            SettledGic looked_at(fully_equipped(single_security), affinities);
            SettledGic left_alone(fully_equipped(single_security), affinities);
            std::mt19937 random(seed);
            std::mt19937 same(seed);
            prepare(looked_at);
            prepare(left_alone);
            REQUIRE((looked_at.fiq(CpuId{0}) || looked_at.irq(CpuId{0})));
            for (unsigned round = 0; round < 3; ++round) {
                const std::vector<std::uint64_t> first = dump(looked_at, single_security);
                const std::vector<std::uint64_t> second = dump(looked_at, single_security);
                CHECK((first == second));
                looked_at.hold();
                left_alone.hold();
                stir(looked_at, random, 100);
                stir(left_alone, same, 100);
                CHECK((dump(looked_at, single_security) == dump(left_alone, single_security)));
            }
        }
    }
}
