#include <stdexcept>

#include "gic/gic_rig.h"
#include "support/catch.h"

using namespace gicsim;
using namespace gicsim::test;
using R = IccRegister;

namespace {

constexpr auto non_secure = Security::non_secure;

GicParameters chip_to_chip() {
    GicParameters parameters = GicRig::figures();
    parameters.sgi_routing = "chip-to-chip";
    return parameters;
}

}  // namespace

TEST_CASE("GIC timing 1. An SGI within a chip takes both streams, both redistributors and the route") {
    // 4 beats + 8, 5, route 10, 5, 3 beats + 8.
    GicRig& rig = GicRig::fresh();
    rig.bring_up();
    rig.send_sgi(0, 0, 0b10, 3);
    CHECK(rig.rises_at(1, Time::ns(43)));
    CHECK(rig.when(Point::sgi_routed, 1) == Time::ns(17));
    CHECK(rig.when(Point::sgi_pending, 1) == Time::ns(27));
    CHECK(rig.when(Point::irq_asserted, 1) == Time::ns(43));
    CHECK_FALSE(rig.irq(0));
    CHECK(rig.marks.size() == 3);
}

TEST_CASE("GIC timing 2. The sender's command is acknowledged when the Redistributor has accepted it") {
    // 4 beats + 8, 5, 1 beat + 8.
    GicRig& rig = GicRig::fresh();
    rig.bring_up();
    rig.send_sgi(0, 0, 0b10, 3);
    rig.run_to(Time::ns(26) - Time::fs(1));
    CHECK_FALSE(rig.cpus[0]->upstream_idle());
    rig.run_to(Time::ns(26));
    CHECK(rig.cpus[0]->upstream_idle());
    REQUIRE(rig.cores[0]->drained.size() == 1);
    CHECK(rig.cores[0]->drained[0] - rig.start == Time::ns(26));
}

TEST_CASE("GIC timing 3. By the home Distributor an SGI inside the far chip crosses the chip link twice") {
    GicRig& rig = GicRig::fresh();
    rig.bring_up();
    rig.send_sgi(2, 1, 0b10, 3);
    CHECK(rig.rises_at(3, Time::ns(43 + 2 * 43)));
}

TEST_CASE("GIC timing 4. From chip to chip an SGI inside the far chip stays there") {
    GicRig& rig = GicRig::fresh(chip_to_chip());
    rig.bring_up();
    rig.send_sgi(2, 1, 0b10, 3);
    CHECK(rig.rises_at(3, Time::ns(43)));
}

TEST_CASE("GIC timing 5. From chip to chip an SGI across passes both Distributors, once a chip however many targets") {
    GicRig& rig = GicRig::fresh(chip_to_chip());
    rig.bring_up();
    const std::uint64_t before = rig.transport.messages_sent();
    rig.send_sgi(0, 1, 0b11, 3);
    CHECK(rig.rises_at(3, Time::ns(43 + 43 + 10)));
    CHECK(rig.irq(2));
    CHECK(rig.when(Point::sgi_routed, 3) == Time::ns(17));
    CHECK(rig.transport.messages_sent() - before == 4);
}

TEST_CASE("GIC timing 6. A broadcast reaches every other PE by either policy") {
    for (const GicParameters& parameters : {GicRig::figures(), chip_to_chip()}) {
        GicRig& rig = GicRig::fresh(parameters);
        rig.bring_up();
        rig.at(Time{}, [&] { rig.cores[1]->gic->write(R::ICC_SGI1R_EL1, 1ULL << 40 | 5U << 24, non_secure); });
        rig.run_to(Time::us(1));
        CHECK(rig.irq(0));
        CHECK_FALSE(rig.irq(1));
        CHECK(rig.irq(2));
        CHECK(rig.irq(3));
    }
}

TEST_CASE("GIC timing 7. An unknown routing policy is refused with the known ones") {
    GicParameters parameters = GicRig::figures();
    parameters.sgi_routing = "carrier-pigeon";
    try {
        GicRig::fresh(parameters);
        FAIL("accepted");
    } catch (const std::invalid_argument& error) {
        const std::string message = error.what();
        CHECK(message.find("carrier-pigeon") != std::string::npos);
        CHECK(message.find("home") != std::string::npos);
        CHECK(message.find("chip-to-chip") != std::string::npos);
    }
}

TEST_CASE("GIC timing 8. The line falls with the acknowledge, and the handled interrupt comes again only when sent") {
    GicRig& rig = GicRig::fresh();
    rig.bring_up();
    std::vector<std::uint64_t> taken;
    rig.cores[1]->on_lines = [&] {
        if (!rig.cores[1]->gic->irq()) return;
        taken.push_back(rig.cores[1]->gic->read(R::ICC_IAR1_EL1, non_secure));
        rig.cores[1]->gic->write(R::ICC_EOIR1_EL1, taken.back(), non_secure);
    };
    rig.send_sgi(0, 0, 0b10, 3);
    rig.run_to(Time::us(1));
    CHECK(taken == std::vector<std::uint64_t>{3});
    CHECK(rig.cores[1]->lines.size() == 2);
    CHECK(rig.cpus[1]->upstream_idle());
    CHECK(rig.rds[1]->state().active() == 0);
    CHECK(rig.rds[1]->state().pending() == 0);
    rig.start += Time::us(1);
    rig.send_sgi(0, 0, 0b10, 3);
    rig.run_to(Time::us(1));
    CHECK(taken == std::vector<std::uint64_t>{3, 3});
}

TEST_CASE("GIC timing 9. An SGI that arrives before the Activate of the one before merges with it, after it does not") {
    // The acknowledge at 43 reaches the Redistributor 2 beats + 8 later, at 53. An SGI takes 27 to get there.
    for (const bool later : {false, true}) {
        GicRig& rig = GicRig::fresh();
        rig.bring_up();
        unsigned taken = 0;
        rig.cores[1]->on_lines = [&] {
            if (rig.cores[1]->gic->irq() && rig.cores[1]->gic->read(R::ICC_IAR1_EL1, non_secure) == 3) {
                ++taken;
                rig.cores[1]->gic->write(R::ICC_EOIR1_EL1, 3, non_secure);
            }
        };
        rig.send_sgi(0, 0, 0b10, 3);
        rig.at(later ? Time::ns(26) + Time::fs(1) : Time::ns(26) - Time::fs(1),
               [&] { rig.cores[0]->gic->write(R::ICC_SGI1R_EL1, 3U << 24 | 0b10, non_secure); });
        rig.run_to(Time::us(1));
        CHECK(taken == (later ? 2 : 1));
    }
}

TEST_CASE("GIC timing 10. A reset rig repeats a run exactly and forgets what was under way") {
    std::vector<GicRig::Mark> first;
    for (unsigned run = 0; run < 3; ++run) {
        GicRig& rig = GicRig::fresh();
        rig.bring_up();
        rig.send_sgi(0, 1, 0b10, 3);
        rig.send_sgi(1, 0, 0b11, 4);
        rig.run_to(Time::us(1));
        REQUIRE(rig.marks.size() == 9);
        if (run == 0) first = rig.marks;
        for (std::size_t i = 0; i < first.size(); ++i) {
            CHECK(first[i].point == rig.marks[i].point);
            CHECK(first[i].cpu == rig.marks[i].cpu);
        }
        CHECK(rig.when(Point::irq_asserted, 3) == Time::ns(43 + 43));
        // Leave packets and messages in flight.
        rig.start += Time::us(1);
        rig.send_sgi(0, 1, 0b10, 5);
        rig.run_to(Time::ns(50));
    }
}

TEST_CASE("GIC timing 11. A change of GICD_CTLR reaches a Redistributor when its message does") {
    GicRig& rig = GicRig::fresh();
    rig.bring_up();
    rig.at(Time{}, [&] { rig.write(rig.gicd_bus, 0, 0); });
    rig.run_to(Time::ns(10));
    rig.start += Time::ns(10);
    rig.send_sgi(2, 1, 0b10, 3);
    rig.run_to(Time::ns(500));
    CHECK(rig.rds[3]->state().pending() == 1U << 3);
    CHECK_FALSE(rig.irq(3));
    rig.start += Time::ns(500);
    rig.at(Time{}, [&] { rig.write(rig.gicd_bus, 0, 0b11); });
    CHECK(rig.rises_at(3, Time::ns(43 + 5 + 11)));
}

TEST_CASE("GIC timing 12. GICD_CTLR.RWP and GICR_CTLR.RWP last as long as the parameter says") {
    GicRig& rig = GicRig::fresh();
    rig.bring_up();
    rig.at(Time{}, [&] {
        rig.write(rig.gicd_bus, 0, 0);
        rig.write(*rig.gicr_buses[1], gicr::icenabler0, 1);
    });
    rig.run_to(Time::ns(100) - Time::fs(1));
    CHECK((rig.read(rig.gicd_bus, 0) & 1U << 31) != 0);
    CHECK((rig.read(*rig.gicr_buses[1], 0) & 1U << 3) != 0);
    rig.run_to(Time::ns(100));
    CHECK((rig.read(rig.gicd_bus, 0) & 1U << 31) == 0);
    CHECK((rig.read(*rig.gicr_buses[1], 0) & 1U << 3) == 0);
}

TEST_CASE("GIC timing 13. ChildrenAsleep follows ProcessorSleep after the sleep time and the Quiesce exchange") {
    GicRig& rig = GicRig::fresh();
    rig.bring_up();
    rig.at(Time{}, [&] { rig.write(*rig.gicr_buses[1], gicr::waker, 0b10); });
    // 50, then 5 + 1 beat + 8 down and 1 beat + 8 up.
    rig.run_to(Time::ns(73) - Time::fs(1));
    CHECK(rig.read(*rig.gicr_buses[1], gicr::waker) == 0b010);
    rig.run_to(Time::ns(73));
    CHECK(rig.read(*rig.gicr_buses[1], gicr::waker) == 0b110);
    rig.start += Time::ns(100);
    rig.send_sgi(0, 0, 0b10, 3);
    rig.run_to(Time::ns(100));
    CHECK_FALSE(rig.irq(1));
    CHECK(rig.wakes == std::vector<std::pair<unsigned, bool>>{{1, true}});
    rig.start += Time::ns(100);
    rig.at(Time{}, [&] { rig.write(*rig.gicr_buses[1], gicr::waker, 0); });
    CHECK(rig.rises_at(1, Time::ns(50 + 5 + 11)));
    CHECK(rig.wakes.back() == std::pair<unsigned, bool>{1, false});
}

TEST_CASE("GIC timing 14. A PPI line reaches the pin by the Redistributor and the stream") {
    GicRig& rig = GicRig::fresh();
    rig.bring_up();
    rig.at(Time{}, [&] { rig.rds[2]->set_ppi_line(intid(27), true); });
    CHECK(rig.rises_at(2, Time::ns(5 + 11)));
    CHECK(rig.cores[2]->gic->read(R::ICC_IAR1_EL1, non_secure) == 27);
}
