#include "gicsim/gic/redistributor_state.h"

#include "gic/pe_pair.h"
#include "support/catch.h"

using namespace gicsim;
using namespace gicsim::test;
using K = PacketKind;

namespace {

struct Awake : PePair {
    Awake() { bring_up(); }
};
GicParameters two_security_states() {
    return GicParameters{};
}

}  // namespace

TEST_CASE("Redistributor 1. An SGI that may be signalled is sent as one Set with its priority and group") {
    Awake pe;
    pe.write(gicr::ipriorityr + 3, 0x40, Security::secure, 1);
    pe.send_sgi(sgi(3));
    REQUIRE(pe.down.size() == 1);
    CHECK(pe.down[0] == StreamPacket::set(intid(3), priority(0x40), Group::g1ns));
    CHECK(pe.last.sgi_pended == intid(3));
}

TEST_CASE("Redistributor 2. An SGI that is already pending merges with the new one") {
    Awake pe;
    pe.send_sgi(sgi(3));
    pe.send_sgi(sgi(3));
    CHECK_FALSE(pe.last.sgi_pended);
    CHECK(pe.down.size() == 1);
}

TEST_CASE("Redistributor 3. Active and pending is no candidate until it is deactivated") {
    Awake pe;
    pe.send_sgi(sgi(3));
    pe.drain();
    REQUIRE(pe.mrs(IccRegister::ICC_IAR1_EL1) == 3);
    pe.drain();
    CHECK(pe.read(gicr::isactiver0) == 1U << 3);
    CHECK(pe.read(gicr::ispendr0) == 0);
    pe.send_sgi(sgi(3));
    CHECK(pe.down.empty());
    CHECK(pe.read(gicr::ispendr0) == 1U << 3);
    pe.msr(IccRegister::ICC_EOIR1_EL1, 3);
    pe.deliver_up();
    CHECK(pe.down_is({K::deactivate_ack, K::set}));
}

TEST_CASE("Redistributor 4. The winner has the best priority, then the lowest INTID") {
    Awake pe;
    pe.write(gicr::icenabler0, ~0U);
    pe.send_sgi(sgi(9));
    pe.send_sgi(sgi(5));
    pe.send_sgi(sgi(7));
    pe.write(gicr::ipriorityr + 7, 0x90, Security::secure, 1);
    pe.write(gicr::isenabler0, ~0U);
    REQUIRE(pe.down.size() == 1);
    CHECK(pe.down[0].intid == intid(7));
    pe.write(gicr::icpendr0, 1U << 7);
    pe.drain();
    CHECK(pe.cpu.held() == intid(5));
}

TEST_CASE("Redistributor 5. Each input of the winner is re-evaluated when it changes") {
    Awake pe;
    SECTION("enable") {
        pe.write(gicr::icenabler0, 1U << 3);
        pe.send_sgi(sgi(3));
        CHECK(pe.down.empty());
        pe.write(gicr::isenabler0, 1U << 3);
    }
    SECTION("pending by register") {
        pe.write(gicr::ispendr0, 1U << 3);
    }
    SECTION("group enable at the Distributor") {
        pe.groups(GroupSet{});
        pe.send_sgi(sgi(3));
        CHECK(pe.down.empty());
        pe.groups(GroupSet::of(Group::g1ns));
    }
    SECTION("group enable at the CPU interface") {
        pe.msr(IccRegister::ICC_IGRPEN1_EL1, 0);
        pe.drain();
        pe.send_sgi(sgi(3));
        CHECK(pe.down.empty());
        pe.msr(IccRegister::ICC_IGRPEN1_EL1, 1);
        pe.deliver_up();
        pe.down.pop_front();  // its acknowledgement
    }
    SECTION("group") {
        pe.groups(GroupSet::of(Group::g1ns));
        pe.write(gicr::igroupr0, 0);
        pe.send_sgi(sgi(3));
        CHECK(pe.down.empty());
        pe.write(gicr::igroupr0, 1U << 3);
    }
    SECTION("active by register") {
        pe.write(gicr::isactiver0, 1U << 3);
        pe.send_sgi(sgi(3));
        CHECK(pe.down.empty());
        pe.write(gicr::icactiver0, 1U << 3);
    }
    SECTION("trigger") {
        pe.write(gicr::icfgr1, 0b10);
        pe.ppi(16, true);
        pe.write(gicr::icpendr0, 1U << 16);
        pe.drain();
        CHECK_FALSE(pe.cpu.irq());
        pe.write(gicr::icfgr1, 0);
    }
    CHECK(pe.down_is({K::set}));
}

TEST_CASE("Redistributor 6. A Set that is no longer wanted is recalled by Clear, and the pending state stays") {
    Awake pe;
    pe.send_sgi(sgi(3));
    pe.drain();
    REQUIRE(pe.cpu.irq());
    pe.write(gicr::icenabler0, 1U << 3);
    CHECK(pe.down_is({K::clear}));
    pe.drain();
    CHECK_FALSE(pe.cpu.irq());
    CHECK(pe.mrs(IccRegister::ICC_IAR1_EL1) == 1023);
    CHECK(pe.read(gicr::ispendr0) == 1U << 3);
}

TEST_CASE("Redistributor 7. When Activate crosses Clear, Activate wins and the Clear is still acknowledged") {
    Awake pe;
    pe.send_sgi(sgi(3));
    pe.drain();
    pe.write(gicr::icenabler0, 1U << 3);
    CHECK(pe.mrs(IccRegister::ICC_IAR1_EL1) == 3);
    pe.deliver_down();
    CHECK(pe.up_is({K::activate, K::clear_ack}));
    pe.drain();
    CHECK(pe.read(gicr::isactiver0) == 1U << 3);
    CHECK(pe.rd.protocol_errors() == 0);
}

TEST_CASE("Redistributor 8. When Release crosses Clear, the interrupt is sent again once it may be") {
    Awake pe;
    pe.send_sgi(sgi(3));
    pe.drain();
    pe.msr(IccRegister::ICC_IGRPEN1_EL1, 0);
    pe.write(gicr::icenabler0, 1U << 3);
    pe.deliver_down();
    CHECK(pe.up_is({K::upstream_control, K::release, K::clear_ack}));
    pe.drain();
    pe.write(gicr::isenabler0, 1U << 3);
    CHECK(pe.down.empty());
    pe.msr(IccRegister::ICC_IGRPEN1_EL1, 1);
    pe.drain();
    CHECK(pe.cpu.irq());
}

TEST_CASE(
    "Redistributor 9. A higher priority is sent while a Set is outstanding, an equal one is not, and never more than "
    "two") {
    Awake pe;
    pe.write(gicr::ipriorityr + 2, 0x60, Security::secure, 1);
    pe.write(gicr::ipriorityr + 1, 0x40, Security::secure, 1);
    pe.send_sgi(sgi(3));
    pe.send_sgi(sgi(4));
    CHECK(pe.down_is({K::set}));
    pe.send_sgi(sgi(2));
    CHECK(pe.down_is({K::set, K::set}));
    pe.send_sgi(sgi(1));
    CHECK(pe.down_is({K::set, K::set}));
    pe.deliver_down();
    pe.deliver_down();
    CHECK(pe.cpu.held() == intid(2));
    CHECK(pe.up_is({K::release}));
    pe.deliver_up();
    REQUIRE(pe.down_is({K::set}));
    CHECK(pe.down[0].intid == intid(1));
}

TEST_CASE("Redistributor 10. A changed priority recalls the Set and sends it again as it is now") {
    Awake pe;
    pe.send_sgi(sgi(3));
    pe.write(gicr::ipriorityr + 3, 0x20, Security::secure, 1);
    CHECK(pe.down_is({K::set, K::clear}));
    pe.deliver_down();
    pe.deliver_down();
    pe.deliver_up();
    REQUIRE(pe.down_is({K::set}));
    CHECK(pe.down[0].priority == priority(0x20));
}

TEST_CASE("Redistributor 11. A level-sensitive PPI is pending while its line is high or its latch is set") {
    Awake pe;
    pe.write(gicr::icenabler0, ~0U);
    pe.ppi(20, true);
    CHECK(pe.read(gicr::ispendr0) == 1U << 20);
    pe.write(gicr::icpendr0, 1U << 20);
    CHECK(pe.read(gicr::ispendr0) == 1U << 20);
    pe.ppi(20, false);
    CHECK(pe.read(gicr::ispendr0) == 0);
    pe.write(gicr::ispendr0, 1U << 20);
    pe.ppi(20, true);
    pe.ppi(20, false);
    CHECK(pe.read(gicr::ispendr0) == 1U << 20);
}

TEST_CASE("Redistributor 12. An edge-triggered PPI is pending from its rising edge until it is acknowledged") {
    Awake pe;
    pe.write(gicr::icfgr1, 0b10U << 8);
    pe.ppi(20, true);
    pe.ppi(20, false);
    pe.drain();
    CHECK(pe.read(gicr::ispendr0) == 1U << 20);
    CHECK(pe.mrs(IccRegister::ICC_IAR1_EL1) == 20);
    pe.drain();
    CHECK(pe.read(gicr::ispendr0) == 0);
}

TEST_CASE("Redistributor 13. A level that stays high is signalled again after deactivation") {
    Awake pe;
    pe.ppi(20, true);
    pe.drain();
    CHECK(pe.mrs(IccRegister::ICC_IAR1_EL1) == 20);
    pe.drain();
    CHECK_FALSE(pe.cpu.irq());
    pe.msr(IccRegister::ICC_EOIR1_EL1, 20);
    pe.drain();
    CHECK(pe.cpu.irq());
    pe.ppi(20, false);
    pe.drain();
    CHECK_FALSE(pe.cpu.irq());
}

TEST_CASE("Redistributor 14. Generate SGI goes to the Distributor and is acknowledged when accepted") {
    Awake pe;
    pe.msr(IccRegister::ICC_SGI1R_EL1, 0x0000'0000'0700'0001);
    CHECK_FALSE(pe.cpu.upstream_idle());
    pe.deliver_up();
    REQUIRE(pe.generated.size() == 1);
    CHECK(index(pe.generated[0].intid) == 7);
    CHECK(pe.down_is({K::generate_sgi_ack}));
    pe.drain();
    CHECK(pe.cpu.upstream_idle());
}

TEST_CASE("Redistributor 15. The group check of an SGI uses this PE's own configuration") {
    PePair pe(two_security_states());
    pe.rd_single_security = false;
    pe.send_sgi(sgi(1, SgiRegister::sgi1r, Security::non_secure));
    CHECK(pe.rd.pending() == 0);
    pe.write(gicr::nsacr, 0b01U << 2);
    pe.send_sgi(sgi(1, SgiRegister::sgi1r, Security::non_secure));
    CHECK(pe.rd.pending() == 1U << 1);
    pe.write(gicr::igroupr0, 1U << 2);
    pe.send_sgi(sgi(2, SgiRegister::sgi1r, Security::non_secure));
    pe.send_sgi(sgi(3, SgiRegister::sgi1r, Security::secure));
    CHECK(pe.rd.pending() == (1U << 1 | 1U << 2));
    pe.write(gicr::igrpmodr0, 1U << 3);
    pe.send_sgi(sgi(3, SgiRegister::sgi1r, Security::secure));
    CHECK((pe.rd.pending() & 1U << 3) != 0);
}

TEST_CASE("Redistributor 16. With one Security state SGI1R reaches both groups, SGI0R and ASGI1R only Group 0") {
    PePair pe;
    pe.write(gicr::igroupr0, 1U << 1);
    pe.send_sgi(sgi(0, SgiRegister::sgi1r));
    pe.send_sgi(sgi(1, SgiRegister::sgi1r));
    CHECK(pe.rd.pending() == 0b11);
    pe.write(gicr::icpendr0, ~0U);
    pe.send_sgi(sgi(0, SgiRegister::sgi0r));
    pe.send_sgi(sgi(1, SgiRegister::sgi0r));
    CHECK(pe.rd.pending() == 0b01);
    pe.write(gicr::icpendr0, ~0U);
    pe.send_sgi(sgi(0, SgiRegister::asgi1r));
    pe.send_sgi(sgi(1, SgiRegister::asgi1r));
    CHECK(pe.rd.pending() == 0b01);
}

TEST_CASE(
    "Redistributor 17. A PE sleeps after reset: an SGI is kept, asks for a wake-up, and is signalled when awake") {
    PePair pe;
    CHECK(pe.read(gicr::waker) == 0b110);
    pe.write(gicr::igroupr0, ~0U);
    pe.write(gicr::isenabler0, ~0U);
    pe.groups(GroupSet::all());
    pe.msr(IccRegister::ICC_PMR_EL1, 0xF0);
    pe.msr(IccRegister::ICC_IGRPEN1_EL1, 1);
    pe.drain();
    CHECK_FALSE(pe.rd.wake_request());
    pe.send_sgi(sgi(4));
    CHECK(pe.rd.wake_request());
    CHECK(pe.down.empty());
    pe.write(gicr::waker, 0);
    CHECK(pe.last.power_started);
    CHECK(pe.read(gicr::waker) == 0b100);  // ChildrenAsleep follows later
    CHECK_FALSE(pe.rd.wake_request());
    pe.power_done();
    CHECK(pe.read(gicr::waker) == 0);
    pe.drain();
    CHECK(pe.mrs(IccRegister::ICC_IAR1_EL1) == 4);
}

TEST_CASE("Redistributor 18. Going to sleep quiesces the CPU interface and loses nothing") {
    Awake pe;
    pe.send_sgi(sgi(4));
    pe.drain();
    REQUIRE(pe.cpu.irq());
    pe.write(gicr::waker, 0b10);
    CHECK(pe.read(gicr::waker) == 0b010);
    CHECK(pe.down.empty());
    pe.power_done();
    CHECK(pe.down_is({K::quiesce}));
    pe.deliver_down();
    CHECK(pe.up_is({K::release, K::quiesce_ack}));
    CHECK_FALSE(pe.cpu.irq());
    pe.deliver_up();
    CHECK(pe.read(gicr::waker) == 0b010);
    pe.deliver_up();
    CHECK(pe.read(gicr::waker) == 0b110);
    CHECK(pe.rd.wake_request());
    CHECK(pe.down.empty());
    pe.wake();
    pe.drain();
    CHECK(pe.cpu.irq());
}

TEST_CASE("Redistributor 19. RWP is set by a clear of an enable until it is done and the recalled Set is back") {
    Awake pe;
    pe.send_sgi(sgi(3));
    pe.drain();
    pe.write(gicr::icenabler0, 1U << 3);
    CHECK(pe.last.write_started);
    CHECK(pe.read(gicr::ctlr) == 1U << 3);
    pe.rd.write_done();
    CHECK(pe.read(gicr::ctlr) == 1U << 3);
    pe.drain();
    CHECK(pe.read(gicr::ctlr) == 0);
    pe.write(gicr::icenabler0, 1U << 4);
    CHECK(pe.read(gicr::ctlr) == 1U << 3);
    pe.rd.write_done();
    CHECK(pe.read(gicr::ctlr) == 0);
    pe.write(gicr::isenabler0, 1U << 4);
    CHECK_FALSE(pe.last.write_started);
}

TEST_CASE("Redistributor 20. With PMHE the Redistributor withholds what the PMR masks until the PMR rises") {
    Awake pe;
    pe.msr(IccRegister::ICC_PMR_EL1, 0x80);
    pe.msr(IccRegister::ICC_CTLR_EL1, 1 << 6);
    CHECK_FALSE(pe.cpu.upstream_idle());
    pe.drain();
    pe.send_sgi(sgi(3));
    CHECK(pe.down.empty());
    pe.msr(IccRegister::ICC_PMR_EL1, 0xF0);
    pe.drain();
    CHECK(pe.cpu.irq());
}

TEST_CASE("Redistributor 21. Reset is exact: a used Redistributor equals a new one after reset") {
    Awake pe;
    pe.send_sgi(sgi(3));
    pe.read(0x30);
    pe.rd.reset(one_security_state());
    const RedistributorState fresh(one_security_state(), CpuId{5}, Affinity{1, 2, 3, 4}, false);
    for (std::uint32_t offset = 0; offset < 0x20000; offset += 4) {
        REQUIRE(pe.rd.peek(offset, 4, Security::secure).value == fresh.peek(offset, 4, Security::secure).value);
    }
    CHECK(pe.rd.unimplemented_accesses() == 0);
    CHECK(pe.rd.sets().empty());
    CHECK_FALSE(pe.rd.wake_request());
}

TEST_CASE("Redistributor 22. When GICD_CTLR.DS becomes 1 the CPU interface is told") {
    PePair pe(two_security_states());
    pe.rd_single_security = true;
    pe.groups(GroupSet::all());
    REQUIRE(pe.down_is({K::downstream_control}));
    pe.drain();
    // A Group 0 register is no longer the Secure side's alone.
    pe.msr(IccRegister::ICC_IGRPEN0_EL1, 1);
    CHECK(pe.mrs(IccRegister::ICC_IGRPEN0_EL1) == 1);
}
