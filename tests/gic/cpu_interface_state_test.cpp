#include "gicsim/gic/cpu_interface_state.h"

#include "support/catch.h"

using namespace gicsim;
using R = IccRegister;
using K = PacketKind;

namespace {

constexpr auto secure = Security::secure;
constexpr auto non_secure = Security::non_secure;

/// A CPU interface whose Redistributor acknowledges every command at once.
struct Icc {
    explicit Icc(bool single_security = true, unsigned priority_bits = 5)
        : state(parameters(single_security, priority_bits)) {}

    static GicParameters parameters(bool single_security, unsigned priority_bits) {
        GicParameters result;
        result.single_security = single_security;
        result.priority_bits = priority_bits;
        return result;
    }
    Icc& open() {
        for (const Security security : {secure, non_secure}) {
            write(R::ICC_PMR_EL1, 0xFF, security);
            write(R::ICC_IGRPEN1_EL1, 1, security);
        }
        write(R::ICC_IGRPEN0_EL1, 1, secure);
        return *this;
    }
    std::uint64_t read(R reg, Security security = non_secure) {
        sent.clear();
        const std::uint64_t value = state.read(reg, security, sent);
        answer();
        return value;
    }
    void write(R reg, std::uint64_t value, Security security = non_secure) {
        sent.clear();
        state.write(reg, value, security, sent);
        answer();
    }
    void receive(const StreamPacket& packet) {
        sent.clear();
        state.receive(packet, sent);
    }
    void set(unsigned n, unsigned prio, Group group = Group::g1ns) {
        receive(StreamPacket::set(intid(n), priority(prio), group));
    }
    bool sent_is(std::initializer_list<K> kinds) {
        if (sent.size() != kinds.size()) return false;
        std::size_t i = 0;
        for (const K kind : kinds) {
            if (sent[i++].kind != kind) return false;
        }
        return true;
    }

    CpuInterfaceState state;
    CpuInterfaceEffects sent;

private:
    void answer() {
        CpuInterfaceEffects none;
        for (const StreamPacket& packet : sent) {
            if (packet.kind == K::activate) state.receive(StreamPacket::plain(K::activate_ack), none);
            if (packet.kind == K::deactivate) state.receive(StreamPacket::plain(K::deactivate_ack), none);
            if (packet.kind == K::generate_sgi) state.receive(StreamPacket::plain(K::generate_sgi_ack), none);
            if (packet.kind == K::upstream_control) state.receive(StreamPacket::plain(K::upstream_control_ack), none);
        }
    }
};

}  // namespace

TEST_CASE("CPU interface 1. After reset everything is masked and disabled and nothing is active") {
    Icc icc;
    CHECK(icc.read(R::ICC_PMR_EL1) == 0);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xFF);
    CHECK(icc.read(R::ICC_IGRPEN0_EL1) == 0);
    CHECK(icc.read(R::ICC_IGRPEN1_EL1) == 0);
    CHECK(icc.read(R::ICC_IAR1_EL1) == 1023);
    CHECK(icc.read(R::ICC_HPPIR1_EL1) == 1023);
    CHECK(icc.read(R::ICC_AP1R0_EL1) == 0);
    CHECK(icc.read(R::ICC_SRE_EL1) == 7);
    CHECK((icc.read(R::ICC_CTLR_EL1) & 0xFF) == 0);
    CHECK(icc.state.upstream_idle());
}

TEST_CASE("CPU interface 2. ICC_CTLR_EL1 says what is implemented") {
    CHECK((Icc(true, 5).read(R::ICC_CTLR_EL1) >> 8 & 0x7) == 4);
    CHECK((Icc(true, 8).read(R::ICC_CTLR_EL1) >> 8 & 0x7) == 7);
    CHECK((Icc().read(R::ICC_CTLR_EL1) & (1U << 15 | 1U << 18)) == (1U << 15 | 1U << 18));
}

TEST_CASE("CPU interface 3. An acknowledge returns the INTID once, sends Activate and drops the pin") {
    Icc icc;
    icc.open();
    icc.set(7, 0xA0);
    CHECK(icc.state.irq());
    CHECK(icc.read(R::ICC_IAR0_EL1) == 1023);
    CHECK(icc.read(R::ICC_IAR1_EL1) == 7);
    CHECK(icc.sent_is({K::activate}));
    CHECK_FALSE(icc.state.irq());
    CHECK(icc.read(R::ICC_IAR1_EL1) == 1023);
    CHECK(icc.sent.empty());
}

TEST_CASE("CPU interface 4. After Release an acknowledge reads 1023") {
    Icc icc;
    icc.open();
    icc.set(7, 0xA0);
    icc.receive(StreamPacket::about(K::clear, intid(7)));
    CHECK(icc.sent_is({K::release, K::clear_ack}));
    CHECK_FALSE(icc.state.irq());
    CHECK(icc.read(R::ICC_IAR1_EL1) == 1023);
}

TEST_CASE("CPU interface 5. A Clear of what is not held is acknowledged and releases nothing") {
    Icc icc;
    icc.open();
    icc.receive(StreamPacket::about(K::clear, intid(7)));
    CHECK(icc.sent_is({K::clear_ack}));
    icc.set(8, 0xA0);
    icc.receive(StreamPacket::about(K::clear, intid(7)));
    CHECK(icc.sent_is({K::clear_ack}));
    CHECK(icc.state.irq());
}

TEST_CASE("CPU interface 6. A better Set displaces the one held, and an equal or worse one is released itself") {
    Icc icc;
    icc.open();
    icc.set(7, 0xA0);
    icc.set(8, 0x80);
    REQUIRE(icc.sent_is({K::release}));
    CHECK(icc.sent[0].intid == intid(7));
    icc.set(9, 0x80);
    REQUIRE(icc.sent_is({K::release}));
    CHECK(icc.sent[0].intid == intid(9));
    CHECK(icc.read(R::ICC_IAR1_EL1) == 8);
}

TEST_CASE("CPU interface 7. A Set of a disabled group is released, and disabling a group releases what is held") {
    Icc icc;
    icc.open();
    icc.set(7, 0xA0);
    icc.write(R::ICC_IGRPEN1_EL1, 0);
    CHECK(icc.sent_is({K::upstream_control, K::release}));
    CHECK_FALSE(icc.state.irq());
    icc.set(7, 0xA0);
    CHECK(icc.sent_is({K::release}));
    icc.set(8, 0xA0, Group::g0);
    icc.write(R::ICC_IGRPEN1_EL1, 1);
    CHECK(icc.sent_is({K::upstream_control}));
    CHECK(icc.state.fiq());
}

TEST_CASE("CPU interface 8. Quiesce releases what is held and is acknowledged") {
    Icc icc;
    icc.open();
    icc.set(7, 0xA0);
    icc.receive(StreamPacket::plain(K::quiesce));
    CHECK(icc.sent_is({K::release, K::quiesce_ack}));
    icc.receive(StreamPacket::plain(K::quiesce));
    CHECK(icc.sent_is({K::quiesce_ack}));
}

TEST_CASE("CPU interface 9. EOIR drops the priority and deactivates, and the pin is recomputed") {
    Icc icc;
    icc.open();
    icc.set(7, 0xA0);
    icc.read(R::ICC_IAR1_EL1);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xA0);
    CHECK(icc.read(R::ICC_AP1R0_EL1) == 1U << (0xA0 >> 3));
    CHECK(icc.read(R::ICC_AP0R0_EL1) == 0);
    icc.set(8, 0xA0);
    CHECK_FALSE(icc.state.irq());
    CHECK(icc.read(R::ICC_IAR1_EL1) == 1023);
    CHECK(icc.read(R::ICC_HPPIR1_EL1) == 8);
    icc.write(R::ICC_EOIR1_EL1, 7);
    REQUIRE(icc.sent_is({K::deactivate}));
    CHECK(icc.sent[0].intid == intid(7));
    CHECK(icc.sent[0].groups == GroupSet::of(Group::g1ns));
    CHECK(icc.read(R::ICC_AP1R0_EL1) == 0);
    CHECK(icc.state.irq());
    CHECK(icc.state.guest_errors() == 0);
}

TEST_CASE("CPU interface 10. With EOImode EOIR only drops the priority and DIR deactivates") {
    Icc icc;
    icc.open();
    icc.write(R::ICC_CTLR_EL1, 1 << 1);
    icc.set(7, 0xA0);
    icc.read(R::ICC_IAR1_EL1);
    icc.write(R::ICC_EOIR1_EL1, 7);
    CHECK(icc.sent.empty());
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xFF);
    icc.write(R::ICC_DIR_EL1, 7);
    CHECK(icc.sent_is({K::deactivate}));
    CHECK(icc.state.guest_errors() == 0);
}

TEST_CASE("CPU interface 11. EOImode is bit 1, and bit 9 is not") {
    Icc icc;
    icc.write(R::ICC_CTLR_EL1, 1 << 9);
    CHECK((icc.read(R::ICC_CTLR_EL1) & 0xFF) == 0);
    icc.write(R::ICC_CTLR_EL1, 1 << 1);
    CHECK((icc.read(R::ICC_CTLR_EL1) & 0xFF) == 0b10);
}

TEST_CASE("CPU interface 12. What software must not complete is counted and ignored") {
    Icc icc;
    icc.open();
    const unsigned bad[] = {1020, 1021, 1022, 1023, 1024, 5000, 0x10000, 0xFFFFFF};
    unsigned errors = 0;
    for (const unsigned n : {7U, 8192U}) {  // nothing is active
        icc.write(R::ICC_EOIR1_EL1, n);
        icc.write(R::ICC_EOIR0_EL1, n);
        CHECK(icc.state.guest_errors() == (errors += 2));
    }
    icc.set(7, 0xA0);
    icc.read(R::ICC_IAR1_EL1);
    for (const unsigned n : bad) {
        icc.write(R::ICC_EOIR1_EL1, n);
        CHECK(icc.sent.empty());
        CHECK(icc.state.guest_errors() == ++errors);
    }
    icc.write(R::ICC_EOIR0_EL1, 7);  // the wrong group
    CHECK(icc.state.guest_errors() == ++errors);
    icc.write(R::ICC_DIR_EL1, 7);  // EOImode is 0
    CHECK(icc.state.guest_errors() == ++errors);
    icc.write(R::ICC_CTLR_EL1, 1 << 1);
    icc.write(R::ICC_DIR_EL1, 8192);
    CHECK(icc.state.guest_errors() == ++errors);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xA0);
}

TEST_CASE("CPU interface 13. An EOI of an LPI drops the priority and deactivates nothing") {
    Icc icc;
    icc.open();
    icc.set(8200, 0xA0);
    CHECK(icc.read(R::ICC_IAR1_EL1) == 8200);
    icc.write(R::ICC_EOIR1_EL1, 8200);
    CHECK(icc.sent.empty());
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xFF);
    CHECK(icc.state.guest_errors() == 0);
}

TEST_CASE("CPU interface 14. The SGI registers send Generate SGI with the writer's Security state") {
    Icc icc(false);
    const struct {
        R reg;
        SgiRegister kind;
    } rows[] = {{R::ICC_SGI0R_EL1, SgiRegister::sgi0r},
                {R::ICC_SGI1R_EL1, SgiRegister::sgi1r},
                {R::ICC_ASGI1R_EL1, SgiRegister::asgi1r}};
    for (const auto& row : rows) {
        for (const Security security : {secure, non_secure}) {
            icc.write(row.reg, 0x0001'0000'0503'8001, security);
            REQUIRE(icc.sent_is({K::generate_sgi}));
            CHECK(icc.sent[0].sgi == SgiRequest::decode(row.kind, security, 0x0001'0000'0503'8001));
        }
    }
}

TEST_CASE("CPU interface 15. Commands are outstanding until each has its acknowledgement") {
    Icc icc;
    CpuInterfaceEffects sent;
    icc.state.write(R::ICC_SGI1R_EL1, 1, non_secure, sent);
    icc.state.write(R::ICC_IGRPEN1_EL1, 1, non_secure, sent);
    icc.receive(StreamPacket::plain(K::generate_sgi_ack));
    CHECK_FALSE(icc.state.upstream_idle());
    icc.receive(StreamPacket::plain(K::upstream_control_ack));
    CHECK(icc.state.upstream_idle());
    icc.receive(StreamPacket::plain(K::activate_ack));
    CHECK(icc.state.protocol_errors() == 1);
    CHECK(icc.state.upstream_idle());
}

TEST_CASE("CPU interface 16. Writing what is already so sends nothing") {
    Icc icc;
    icc.open();
    icc.write(R::ICC_IGRPEN1_EL1, 1);
    CHECK(icc.sent.empty());
    icc.write(R::ICC_PMR_EL1, 0x80);
    CHECK(icc.sent.empty());
}

TEST_CASE("CPU interface 17. A look at a register acknowledges nothing") {
    Icc icc;
    icc.open();
    icc.set(7, 0xA0);
    CHECK(icc.state.peek(R::ICC_IAR1_EL1, non_secure) == 7);
    CHECK(icc.state.peek(R::ICC_IAR1_EL1, non_secure) == 7);
    CHECK(icc.state.irq());
}

TEST_CASE("CPU interface 18. Two Security states: pin by group and by the PE's state") {
    Icc icc(false);
    icc.open();
    const struct {
        Group group;
        Security pe;
        bool fiq;
    } rows[] = {{Group::g0, secure, true},      {Group::g0, non_secure, true}, {Group::g1s, secure, false},
                {Group::g1s, non_secure, true}, {Group::g1ns, secure, true},   {Group::g1ns, non_secure, false}};
    for (const auto& row : rows) {
        CAPTURE(static_cast<int>(row.group), static_cast<int>(row.pe));
        icc.set(7, 0x80, row.group);
        icc.state.set_pe(PeState::in(row.pe));
        CHECK(icc.state.fiq() == row.fiq);
        CHECK(icc.state.irq() != row.fiq);
        icc.receive(StreamPacket::about(K::clear, intid(7)));
        CHECK_FALSE(icc.state.fiq());
        CHECK_FALSE(icc.state.irq());
    }
}

TEST_CASE("CPU interface 19. One Security state: Group 0 is FIQ and Group 1 IRQ") {
    Icc icc;
    icc.open();
    icc.state.set_pe(PeState::in(secure));
    icc.set(7, 0x80, Group::g1ns);
    CHECK(icc.state.irq());
    icc.set(8, 0x40, Group::g0);
    CHECK(icc.state.fiq());
    CHECK_FALSE(icc.state.irq());
    CHECK(icc.read(R::ICC_IAR1_EL1) == 1023);
    CHECK(icc.read(R::ICC_IAR0_EL1) == 8);
    CHECK(icc.read(R::ICC_AP0R0_EL1) == 1U << (0x40 >> 3));
    CHECK(icc.read(R::ICC_AP1R0_EL1) == 0);
    icc.write(R::ICC_EOIR1_EL1, 8);
    CHECK(icc.state.guest_errors() == 1);
    icc.write(R::ICC_EOIR0_EL1, 8);
    REQUIRE(icc.sent_is({K::deactivate}));
    CHECK(icc.sent[0].groups == GroupSet::of(Group::g0));
}

TEST_CASE("CPU interface 20. Two Security states: each side acknowledges and completes its own Group 1") {
    Icc icc(false);
    icc.open();
    icc.set(7, 0x40, Group::g1s);
    CHECK(icc.read(R::ICC_IAR1_EL1, non_secure) == 1023);
    CHECK(icc.read(R::ICC_HPPIR1_EL1, non_secure) == 1023);
    CHECK(icc.read(R::ICC_IAR1_EL1, secure) == 7);
    icc.write(R::ICC_EOIR1_EL1, 7, non_secure);
    CHECK(icc.state.guest_errors() == 1);
    icc.write(R::ICC_EOIR1_EL1, 7, secure);
    REQUIRE(icc.sent_is({K::deactivate}));
    CHECK(icc.sent[0].groups == GroupSet::of(Group::g1s));
    icc.set(8, 0xC0, Group::g1ns);
    CHECK(icc.read(R::ICC_IAR1_EL1, secure) == 1023);
    CHECK(icc.read(R::ICC_IAR1_EL1, non_secure) == 8);
}

TEST_CASE("CPU interface 21. Group 0 registers are out of reach of Non-secure software with two Security states") {
    Icc icc(false);
    icc.open();
    icc.set(7, 0x40, Group::g0);
    CHECK(icc.read(R::ICC_IAR0_EL1, non_secure) == 1023);
    CHECK(icc.read(R::ICC_HPPIR0_EL1, non_secure) == 1023);
    CHECK(icc.read(R::ICC_BPR0_EL1, non_secure) == 0);
    CHECK(icc.read(R::ICC_IAR0_EL1, secure) == 7);
    icc.write(R::ICC_EOIR0_EL1, 7, non_secure);
    CHECK(icc.sent.empty());
    CHECK(icc.read(R::ICC_RPR_EL1, secure) == 0x40);
    icc.write(R::ICC_IGRPEN0_EL1, 0, non_secure);
    CHECK(icc.read(R::ICC_IGRPEN0_EL1, secure) == 1);
}

TEST_CASE("CPU interface 22. DIR deactivates what its writer may: Non-secure Group 1 only, from Non-secure") {
    Icc icc(false);
    icc.open();
    icc.write(R::ICC_CTLR_EL1, 1 << 1, non_secure);
    icc.write(R::ICC_DIR_EL1, 7, non_secure);
    REQUIRE(icc.sent_is({K::deactivate}));
    CHECK(icc.sent[0].groups == GroupSet::of(Group::g1ns));
    icc.write(R::ICC_DIR_EL1, 7, secure);  // EOImode is banked and 0 here
    CHECK(icc.state.guest_errors() == 1);
    icc.write(R::ICC_CTLR_EL1, 1 << 1, secure);
    icc.write(R::ICC_DIR_EL1, 7, secure);
    REQUIRE(icc.sent_is({K::deactivate}));
    CHECK(icc.sent[0].groups == GroupSet::all());
}

TEST_CASE("CPU interface 23. A register has its name for messages, a packet its length in beats") {
    CHECK(name(R::ICC_SGI1R_EL1) == "ICC_SGI1R_EL1");
    CHECK(name(R::ICC_IGRPEN1_EL1) == "ICC_IGRPEN1_EL1");
    CHECK(name(R::ICC_PMR_EL1) == "ICC_PMR_EL1");
    CHECK(name(K::downstream_control_ack) == "Downstream Control Acknowledge");
    CHECK(name(K::activate) == "Activate");
    CHECK(beats(K::set) == 3);
    CHECK(beats(K::generate_sgi) == 4);
    CHECK(beats(K::activate_ack) == 1);
}
