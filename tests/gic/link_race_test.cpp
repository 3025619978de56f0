#include "gic/pe_pair.h"
#include "support/catch.h"

// Packets that cross on the link between a Redistributor and its CPU interface, both ends together. Public errata tell
// of each: GIC-600 2384374 (a better Set behind a worse one, Release crossing Clear) and Cavium 38545 (an acknowledge
// that races with a Release).

using namespace gicsim;
using namespace gicsim::test;
using enum PacketKind;
using enum IccRegister;

namespace {

/// SGI 1 at priority 0xA0 on its way, SGI 2 better, nothing else.
struct Race : PePair {
    Race() {
        bring_up();
        write(gicr::ipriorityr, 0x40, Security::secure, 1);
        write(gicr::ipriorityr + 2, 0x80, Security::secure, 1);
    }
    /// Software handles what there is; in this order, and nothing is left.
    void require_handled(std::initializer_list<unsigned> expected) {
        for (const unsigned n : expected) {
            drain();
            CHECK(cpu.irq());
            CHECK(mrs(ICC_IAR1_EL1) == n);
            msr(ICC_EOIR1_EL1, n);
        }
        drain();
        CHECK_FALSE(cpu.irq());
        CHECK(mrs(ICC_IAR1_EL1) == 1023);
        CHECK(rd.pending() == 0);
        CHECK(rd.active() == 0);
        CHECK(rd.sets().empty());
        CHECK(sets_sent == sets_ended);
        CHECK(rd.protocol_errors() == 0);
        CHECK(cpu.protocol_errors() == 0);
    }
};

}  // namespace

TEST_CASE(
    "A better Set overtakes a worse one that is on its way or held, and the best of three comes when one is back") {
    const bool held = GENERATE(false, true);
    Race race;
    race.send_sgi(sgi(1));
    if (held) race.deliver_down();
    race.send_sgi(sgi(2));
    race.send_sgi(sgi(0));  // two are out: this one has to wait for the first to end
    CHECK(race.rd.sets().size() == 2);
    if (!held) race.deliver_down();
    race.deliver_down();
    CHECK(race.up_is({release}));
    race.deliver_up();
    CHECK(race.down_is({set}));
    CHECK(race.down.front().intid == intid(0));
    race.require_handled({0, 2, 1});
}

TEST_CASE("When Release and Clear cross, the interrupt comes again as soon as it may") {
    Race race;
    race.send_sgi(sgi(1));
    race.deliver_down();
    race.msr(ICC_IGRPEN1_EL1, 0);  // the CPU interface gives it back
    CHECK(race.up_is({upstream_control, release}));
    race.write(gicr::icenabler0, 1U << 1);  // the Redistributor wants it back
    CHECK(race.down_is({clear}));
    // Both arrive.
    race.deliver_down();
    CHECK(race.up_is({upstream_control, release, clear_ack}));
    race.drain();
    CHECK(race.mrs(ICC_IAR1_EL1) == 1023);
    race.write(gicr::isenabler0, 1U << 1);
    race.msr(ICC_IGRPEN1_EL1, 1);
    race.require_handled({1});
}

TEST_CASE("When Activate and Clear cross, the interrupt is active, once, and the next one is not lost") {
    Race race;
    race.send_sgi(sgi(1));
    race.deliver_down();
    race.write(gicr::ipriorityr + 1, 0x90, Security::secure, 1);
    CHECK(race.down_is({clear}));
    CHECK(race.mrs(ICC_IAR1_EL1) == 1);
    CHECK(race.up_is({activate}));
    race.send_sgi(sgi(1));  // merges: the Activate is not there yet
    race.drain();
    CHECK(race.rd.active() == 1U << 1);
    CHECK(race.rd.pending() == 0);
    race.send_sgi(sgi(1));
    race.drain();
    CHECK_FALSE(race.cpu.irq());
    race.msr(ICC_EOIR1_EL1, 1);
    race.require_handled({1});
}

TEST_CASE("An acknowledge beside a Clear gives the INTID if it comes first and 1023 if it comes second") {
    for (const bool acknowledge_first : {true, false}) {
        Race race;
        race.send_sgi(sgi(1));
        race.deliver_down();
        race.write(gicr::icenabler0, 1U << 1);
        if (acknowledge_first) {
            CHECK(race.mrs(ICC_IAR1_EL1) == 1);
            race.deliver_down();
            CHECK(race.up_is({activate, clear_ack}));
            race.drain();
            CHECK(race.rd.active() == 1U << 1);
            race.msr(ICC_EOIR1_EL1, 1);
            race.write(gicr::isenabler0, 1U << 1);
            race.require_handled({});
        } else {
            race.deliver_down();
            CHECK_FALSE(race.cpu.irq());
            CHECK(race.mrs(ICC_IAR1_EL1) == 1023);
            CHECK(race.up_is({release, clear_ack}));
            race.drain();
            CHECK(race.rd.active() == 0);
            race.write(gicr::isenabler0, 1U << 1);
            race.require_handled({1});
        }
    }
}

TEST_CASE("A Clear for one interrupt leaves the better one that has displaced it alone") {
    Race race;
    race.send_sgi(sgi(1));
    race.deliver_down();
    race.send_sgi(sgi(2));
    race.write(gicr::icenabler0, 1U << 1);
    CHECK(race.down_is({set, clear}));
    race.deliver_down();
    race.deliver_down();
    CHECK(race.up_is({release, clear_ack}));
    CHECK(race.mrs(ICC_IAR1_EL1) == 2);
    race.msr(ICC_EOIR1_EL1, 2);
    race.drain();
    race.write(gicr::isenabler0, 1U << 1);
    race.require_handled({1});
}
