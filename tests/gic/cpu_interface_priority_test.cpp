#include <algorithm>

#include "gicsim/gic/cpu_interface_state.h"
#include "support/catch.h"

using namespace gicsim;
using R = IccRegister;

namespace {

constexpr auto secure = Security::secure;
constexpr auto non_secure = Security::non_secure;

struct Icc {
    explicit Icc(bool single_security, unsigned priority_bits = 5) : state(parameters(single_security, priority_bits)) {
        write(R::ICC_IGRPEN0_EL1, 1, secure);
        write(R::ICC_IGRPEN1_EL1, 1, secure);
        write(R::ICC_IGRPEN1_EL1, 1, non_secure);
    }
    static GicParameters parameters(bool single_security, unsigned priority_bits) {
        GicParameters result;
        result.single_security = single_security;
        result.priority_bits = priority_bits;
        return result;
    }
    std::uint64_t read(R reg, Security security = non_secure) {
        CpuInterfaceEffects sent;
        return state.read(reg, security, sent);
    }
    void write(R reg, std::uint64_t value, Security security = non_secure) {
        CpuInterfaceEffects sent;
        state.write(reg, value, security, sent);
    }
    void set(unsigned n, unsigned prio, Group group = Group::g1ns) {
        CpuInterfaceEffects sent;
        state.receive(StreamPacket::set(intid(n), priority(prio), group), sent);
    }
    /// Takes interrupt n of that priority.
    void take(unsigned n, unsigned prio, Group group = Group::g1ns) {
        set(n, prio, group);
        const R iar = group == Group::g0 ? R::ICC_IAR0_EL1 : R::ICC_IAR1_EL1;
        REQUIRE(read(iar, group == Group::g1ns ? non_secure : secure) == n);
    }
    bool signals() { return state.irq() || state.fiq(); }
    CpuInterfaceState state;
};

}  // namespace

TEST_CASE("Priority 1. Only a priority better than ICC_PMR_EL1 is signalled, and raising the PMR releases it") {
    Icc icc(true);
    icc.set(7, 0xA0);
    CHECK_FALSE(icc.signals());
    icc.write(R::ICC_PMR_EL1, 0xA0);
    CHECK_FALSE(icc.signals());
    CHECK(icc.read(R::ICC_IAR1_EL1) == 1023);
    CHECK(icc.read(R::ICC_HPPIR1_EL1) == 7);
    icc.write(R::ICC_PMR_EL1, 0xA8);
    CHECK(icc.signals());
    icc.write(R::ICC_PMR_EL1, 0x00);
    CHECK_FALSE(icc.signals());
}

TEST_CASE("Priority 2. ICC_PMR_EL1 keeps its implemented bits and nothing above bit 7") {
    Icc icc(true);
    icc.write(R::ICC_PMR_EL1, 0xFFFF);
    CHECK(icc.read(R::ICC_PMR_EL1) == 0xF8);
    Icc wide(true, 8);
    wide.write(R::ICC_PMR_EL1, 0xFF);
    CHECK(wide.read(R::ICC_PMR_EL1) == 0xFF);
}

TEST_CASE("Priority 3. Non-secure software sees the PMR shifted and cannot lift a Secure mask") {
    Icc icc(false);
    icc.write(R::ICC_PMR_EL1, 0xF0, non_secure);
    CHECK(icc.read(R::ICC_PMR_EL1, secure) == 0);
    icc.write(R::ICC_PMR_EL1, 0x80, secure);
    CHECK(icc.read(R::ICC_PMR_EL1, non_secure) == 0);
    icc.write(R::ICC_PMR_EL1, 0xF0, non_secure);
    CHECK(icc.read(R::ICC_PMR_EL1, secure) == 0xF8);
    CHECK(icc.read(R::ICC_PMR_EL1, non_secure) == 0xF0);
    // Linux finds out whether Group 0 is its own: the lowest implemented bit is lost by the shift.
    icc.write(R::ICC_PMR_EL1, 1U << (8 - 5), non_secure);
    CHECK(icc.read(R::ICC_PMR_EL1, non_secure) == 0);
    Icc one(true);
    one.write(R::ICC_PMR_EL1, 1U << (8 - 5), non_secure);
    CHECK(one.read(R::ICC_PMR_EL1, non_secure) == 8);
}

TEST_CASE("Priority 4. Non-secure software sees the running priority shifted, Secure ones as 0, idle as 0xFF") {
    Icc icc(false);
    icc.write(R::ICC_PMR_EL1, 0xF8, secure);
    CHECK(icc.read(R::ICC_RPR_EL1, non_secure) == 0xFF);
    icc.take(7, 0xC0);
    CHECK(icc.read(R::ICC_RPR_EL1, secure) == 0xC0);
    CHECK(icc.read(R::ICC_RPR_EL1, non_secure) == 0x80);
    icc.take(8, 0x40, Group::g1s);
    CHECK(icc.read(R::ICC_RPR_EL1, secure) == 0x40);
    CHECK(icc.read(R::ICC_RPR_EL1, non_secure) == 0);
}

TEST_CASE("Priority 5. The binary points start at, and cannot go below, what the priority bits allow") {
    for (unsigned bits = 4; bits <= 8; ++bits) {
        CAPTURE(bits);
        const unsigned least = 7 - std::min(bits, 7U);
        Icc icc(false, bits);
        CHECK(icc.read(R::ICC_BPR0_EL1, secure) == least);
        CHECK(icc.read(R::ICC_BPR1_EL1, secure) == least);
        CHECK(icc.read(R::ICC_BPR1_EL1, non_secure) == least + 1);
        icc.write(R::ICC_BPR0_EL1, 0, secure);
        icc.write(R::ICC_BPR1_EL1, 0, secure);
        icc.write(R::ICC_BPR1_EL1, 0, non_secure);
        CHECK(icc.read(R::ICC_BPR0_EL1, secure) == least);
        CHECK(icc.read(R::ICC_BPR1_EL1, secure) == least);
        CHECK(icc.read(R::ICC_BPR1_EL1, non_secure) == least + 1);
        icc.write(R::ICC_BPR1_EL1, 0xFF, non_secure);
        CHECK(icc.read(R::ICC_BPR1_EL1, non_secure) == 7);
    }
}

TEST_CASE("Priority 6. A pending interrupt preempts when its group priority is better than the running priority") {
    Icc icc(true);
    icc.write(R::ICC_PMR_EL1, 0xF8);
    icc.write(R::ICC_BPR1_EL1, 5);  // Group 1: bits [7:5]
    icc.take(7, 0xB8);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xA0);
    icc.set(8, 0xA0);
    CHECK_FALSE(icc.signals());
    icc.set(9, 0x98);
    CHECK(icc.signals());
    CHECK(icc.read(R::ICC_IAR1_EL1) == 9);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0x80);
}

TEST_CASE("Priority 6b. The running priority is compared without the bits below the pending interrupt's binary point") {
    Icc icc(true);
    icc.write(R::ICC_PMR_EL1, 0xF8);
    icc.take(7, 0x88);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0x88);
    // One preemption level is left: nothing preempts, least of all what has a lower priority.
    icc.write(R::ICC_BPR1_EL1, 7);
    icc.write(R::ICC_BPR0_EL1, 7);
    icc.set(8, 0x98);
    CHECK_FALSE(icc.signals());
    icc.set(9, 0x80);
    CHECK_FALSE(icc.signals());
    icc.set(10, 0x20, Group::g0);
    CHECK_FALSE(icc.signals());
    icc.write(R::ICC_BPR0_EL1, 5);
    CHECK(icc.signals());
}

TEST_CASE("Priority 7. Non-secure BPR1 = n splits as BPR0 = n - 1") {
    for (unsigned n = 3; n <= 7; ++n) {
        CAPTURE(n);
        Icc one(true);
        one.write(R::ICC_PMR_EL1, 0xF8);
        one.write(R::ICC_BPR1_EL1, n);
        one.take(7, 0xE8);
        Icc zero(true);
        zero.write(R::ICC_PMR_EL1, 0xF8);
        zero.write(R::ICC_BPR0_EL1, n - 1);
        zero.take(7, 0xE8, Group::g0);
        CHECK(one.read(R::ICC_RPR_EL1) == (0xE8 & 0xFFU << n & 0xFF));
        CHECK(zero.read(R::ICC_RPR_EL1) == one.read(R::ICC_RPR_EL1));
    }
}

TEST_CASE("Priority 8. With CBPR Group 1 uses BPR0, and BPR1 reads BPR0 + 1 and ignores writes") {
    Icc icc(true);
    icc.write(R::ICC_PMR_EL1, 0xF8);
    icc.write(R::ICC_BPR0_EL1, 5);
    icc.write(R::ICC_CTLR_EL1, 1);
    CHECK(icc.read(R::ICC_BPR1_EL1) == 6);
    icc.write(R::ICC_BPR1_EL1, 3);
    CHECK(icc.read(R::ICC_BPR1_EL1) == 6);
    icc.take(7, 0xE8);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xC0);
    icc.write(R::ICC_BPR0_EL1, 7);
    CHECK(icc.read(R::ICC_BPR1_EL1) == 7);
    icc.write(R::ICC_CTLR_EL1, 0);
    CHECK(icc.read(R::ICC_BPR1_EL1) == 3);
}

TEST_CASE("Priority 9. Secure CBPR makes Secure BPR1 the same register as BPR0, and Non-secure cannot change its own") {
    Icc icc(false);
    CpuInterfaceEffects effects;
    icc.state.write(R::ICC_CTLR_EL3, 1, Accessor::at_el3(secure), effects);
    icc.write(R::ICC_BPR1_EL1, 6, secure);
    CHECK(icc.read(R::ICC_BPR0_EL1, secure) == 6);
    CHECK(icc.read(R::ICC_BPR1_EL1, secure) == 6);
    icc.write(R::ICC_CTLR_EL1, 0b11, non_secure);
    CHECK((icc.read(R::ICC_CTLR_EL1, non_secure) & 0xFF) == 0b10);
    CHECK((icc.read(R::ICC_CTLR_EL1, secure) & 0xFF) == 0b01);
}

TEST_CASE("Priority 10. Nested interrupts unwind in reverse order and leave no active priority behind") {
    Icc icc(true);
    icc.write(R::ICC_PMR_EL1, 0xF8);
    for (unsigned n = 0; n < 8; ++n) icc.take(n, 0xF0 - 0x10 * n);
    for (unsigned n = 8; n > 0; --n) {
        CHECK(icc.read(R::ICC_RPR_EL1) == 0xF0 - 0x10 * (n - 1));
        icc.write(R::ICC_EOIR1_EL1, n - 1);
    }
    CHECK(icc.read(R::ICC_AP1R0_EL1) == 0);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xFF);
    CHECK(icc.state.guest_errors() == 0);
}

TEST_CASE("Priority 11. Each priority drop takes the highest level of its own group") {
    Icc icc(true);
    icc.write(R::ICC_PMR_EL1, 0xF8);
    icc.take(7, 0xA0, Group::g1ns);
    icc.take(8, 0x60, Group::g0);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0x60);
    icc.write(R::ICC_EOIR1_EL1, 7);  // Group 0 runs: out of order
    CHECK(icc.state.guest_errors() == 1);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0x60);
    icc.write(R::ICC_EOIR0_EL1, 8);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xA0);
    icc.write(R::ICC_EOIR1_EL1, 7);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0xFF);
}

TEST_CASE("Priority 12. There are as many active priorities registers as the priority bits need") {
    const struct {
        unsigned bits;
        unsigned registers;
    } rows[] = {{4, 1}, {5, 1}, {6, 2}, {7, 4}, {8, 4}};
    for (const auto& row : rows) {
        Icc icc(true, row.bits);
        const R names[] = {R::ICC_AP1R0_EL1, R::ICC_AP1R1_EL1, R::ICC_AP1R2_EL1, R::ICC_AP1R3_EL1};
        for (unsigned n = 0; n < 4; ++n) {
            CAPTURE(row.bits, n);
            icc.write(names[n], 0xFFFF'FFFF);
            const std::uint64_t levels = row.bits == 4 ? 0xFFFF : 0xFFFF'FFFF;
            CHECK(icc.read(names[n]) == (n < row.registers ? levels : 0));
        }
    }
}

TEST_CASE("Priority 13. Writing zero to the active priorities registers makes the PE idle and re-evaluates") {
    Icc icc(true);
    icc.write(R::ICC_PMR_EL1, 0xF8);
    icc.take(7, 0x80);
    icc.set(8, 0xA0);
    CHECK_FALSE(icc.signals());
    icc.write(R::ICC_AP1R0_EL1, 0);
    CHECK(icc.signals());
    icc.write(R::ICC_AP1R0_EL1, 1U << (0x80 >> 3));
    CHECK_FALSE(icc.signals());
}

TEST_CASE("Priority 14. With 8 priority bits the lowest one never preempts") {
    Icc icc(true, 8);
    icc.write(R::ICC_PMR_EL1, 0xFF);
    icc.take(7, 0x81);
    CHECK(icc.read(R::ICC_RPR_EL1) == 0x80);
    icc.set(8, 0x80);
    CHECK_FALSE(icc.signals());
    icc.set(9, 0x7F);
    CHECK(icc.signals());
}
