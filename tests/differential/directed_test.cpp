#include <array>

#include "differential/script.h"
#include "support/catch.h"

// Rules gone through value by value, on both sides.

namespace gicsim::test {
namespace {

using enum IccRegister;

constexpr CpuId cpu0{0};
constexpr CpuId cpu1{1};

}  // namespace

TEST_CASE("every priority reads back as QEMU has it, in both views", "[directed]") {
    for (const bool two : {false, true}) {
        for (const bool eight : {false, true}) {
            Script script({1, two, eight});
            script.open(cpu0);
            // An interrupt of each group that there is, disabled: this is about the registers.
            script.gicr(cpu0, gicr::icenabler0, ~0U);
            script.gicr(cpu0, gicr::igroupr0, 0b100);
            script.gicr(cpu0, gicr::igrpmodr0, 0b010);
            for (unsigned value = 0; value < 256; ++value) {
                for (unsigned n = 0; n < 3; ++n) {
                    if (eight || (value & 7) == 0) script.gicr(cpu0, gicr::ipriorityr + n, value, 1);
                    script.read_gicr(cpu0, gicr::ipriorityr + n, script.top(), 1);
                    script.read_gicr(cpu0, gicr::ipriorityr + n, non_secure, 1);
                }
                script.read_gicr(cpu0, gicr::ipriorityr, non_secure);
                for (const Security writer : {script.top(), non_secure}) {
                    script.msr(cpu0, ICC_PMR_EL1, value, writer);
                    script.mrs(cpu0, ICC_PMR_EL1, script.top());
                    script.mrs(cpu0, ICC_PMR_EL1, non_secure);
                }
            }
            script.finish();
        }
    }
}

TEST_CASE("binary points decide about preemption as in QEMU", "[directed]") {
    const bool two = GENERATE(false, true);
    const bool eight = GENERATE(false, true);
    Script script({1, two, eight});
    script.open(cpu0);
    constexpr std::array<unsigned, 7> priorities = {0x00, 0x10, 0x50, 0x80, 0x88, 0xA0, 0xF0};
    for (const Group running : groups_of(two)) {
        for (const Group coming : groups_of(two)) {
            for (unsigned point = 0; point < 8; ++point) {
                for (const unsigned first : priorities) {
                    for (const unsigned second : priorities) {
                        const Security first_state = running == Group::g1ns ? non_secure : script.top();
                        const Security second_state = coming == Group::g1ns ? non_secure : script.top();
                        script.gicr(cpu0, gicr::igroupr0,
                                    (running == Group::g1ns ? 1U : 0U) | (coming == Group::g1ns ? 2U : 0U));
                        script.gicr(cpu0, gicr::igrpmodr0,
                                    (running == Group::g1s ? 1U : 0U) | (coming == Group::g1s ? 2U : 0U));
                        script.gicr(cpu0, gicr::ipriorityr, first, 1);
                        script.gicr(cpu0, gicr::ipriorityr + 1, second, 1);
                        script.msr(cpu0, bpr_of(coming), 0, second_state);
                        script.gicr(cpu0, gicr::ispendr0, 1);
                        script.mrs(cpu0, iar_of(running), first_state);
                        script.msr(cpu0, bpr_of(coming), point, second_state);
                        script.mrs(cpu0, bpr_of(coming), second_state);
                        script.gicr(cpu0, gicr::ispendr0, 2);
                        script.mrs(cpu0, ICC_RPR_EL1, script.top());
                        script.mrs(cpu0, ICC_RPR_EL1, non_secure);
                        const bool preempts = script.mrs(cpu0, iar_of(coming), second_state) == 1;
                        script.mrs(cpu0, ICC_RPR_EL1, script.top());
                        script.gicr(cpu0, gicr::icpendr0, 3);
                        if (preempts) script.msr(cpu0, eoir_of(coming), 1, second_state);
                        script.msr(cpu0, eoir_of(running), 0, first_state);
                        script.mrs(cpu0, ICC_RPR_EL1, script.top());
                        script.gicr(cpu0, gicr::icactiver0, 3);
                    }
                }
                script.msr(cpu0, bpr_of(coming), 0, script.top());
            }
            script.finish();
        }
    }
}

TEST_CASE("SGIs reach the groups that they reach in QEMU", "[directed]") {
    for (const bool two : {false, true}) {
        Script script({2, two, false});
        script.open(cpu0);
        script.open(cpu1);
        script.gicd(0, 0);
        unsigned known = 0;
        for (const Security writer : {script.top(), non_secure}) {
            for (const IccRegister reg : {ICC_SGI0R_EL1, ICC_SGI1R_EL1, ICC_ASGI1R_EL1}) {
                for (const Group group : groups_of(two)) {
                    for (unsigned nsacr = 0; nsacr < 4; ++nsacr) {
                        script.gicr(cpu1, gicr::igroupr0, group == Group::g1ns ? ~0U : 0);
                        script.gicr(cpu1, gicr::igrpmodr0, group == Group::g1s ? ~0U : 0);
                        script.gicr(cpu1, gicr::nsacr, std::uint64_t{0x5555'5555} * nsacr);
                        const Access access = Access::msr(cpu0, reg, 5U << 24 | 0b10, writer);
                        if (to_be_avoided(access, script.both().gic(), script.both().options())) {
                            ++known;
                            continue;
                        }
                        script.msr(cpu0, reg, access.value, writer);
                        script.read_gicr(cpu1, gicr::ispendr0, script.top());
                        script.gicr(cpu1, gicr::icpendr0, ~0U);
                    }
                }
            }
        }
        script.finish();
        // What docs/gicv3-differences.md says about SGIs, counted in this table: DS = 1 has one cell, twice, for each
        // of four NSACRs; two Security states have Secure SGI1R to Group 0 and Non-secure SGI1R by NSACR.
        CHECK(known == (two ? 4U + 3U + 2U : 8U));
    }
}

TEST_CASE("EOImode splits priority drop and deactivation as in QEMU", "[directed]") {
    for (const bool two : {false, true}) {
        for (const bool split : {false, true}) {
            Script script({1, two, false});
            for (const Group group : groups_of(two)) {
                const Security state = group == Group::g1ns ? non_secure : script.top();
                script.open(cpu0);
                script.put_into(cpu0, group, ~0U);
                for (unsigned n = 0; n < 32; ++n) script.gicr(cpu0, gicr::ipriorityr + n, 0xF0 - 8 * (n % 16), 1);
                script.msr(cpu0, ICC_CTLR_EL1, split ? 2 : 0, state);
                // Nested to the depth of sixteen, completed in the reverse order.
                for (unsigned n = 0; n < 16; ++n) {
                    script.gicr(cpu0, gicr::ispendr0, 1U << n);
                    REQUIRE(script.mrs(cpu0, iar_of(group), state) == n);
                    script.mrs(cpu0, ICC_RPR_EL1, state);
                }
                script.read_gicr(cpu0, gicr::isactiver0, script.top());
                for (unsigned n = 16; n-- > 0;) {
                    script.msr(cpu0, eoir_of(group), n, state);
                    script.mrs(cpu0, ICC_RPR_EL1, state);
                    script.read_gicr(cpu0, gicr::isactiver0, script.top());
                    script.msr(cpu0, ICC_DIR_EL1, n, state);
                    script.read_gicr(cpu0, gicr::isactiver0, script.top());
                }
                script.msr(cpu0, ICC_CTLR_EL1, 0, state);
                script.finish();
            }
        }
    }
}

TEST_CASE("acknowledging what is pending and active, or through the other group's register, is as in QEMU",
          "[directed]") {
    for (const bool two : {false, true}) {
        Script script({1, two, false});
        for (const Group group : groups_of(two)) {
            const Security state = group == Group::g1ns ? non_secure : script.top();
            script.open(cpu0);
            script.put_into(cpu0, group, ~0U);
            script.gicr(cpu0, gicr::ispendr0, 1U << 20);
            for (const Security reader : {script.top(), non_secure}) {
                for (const IccRegister reg : {ICC_HPPIR0_EL1, ICC_HPPIR1_EL1}) script.mrs(cpu0, reg, reader);
            }
            script.mrs(cpu0, group == Group::g0 ? ICC_IAR1_EL1 : ICC_IAR0_EL1, state);
            script.mrs(cpu0, iar_of(group), state);
            script.gicr(cpu0, gicr::ispendr0, 1U << 20);
            script.mrs(cpu0, iar_of(group), state);
            script.read_gicr(cpu0, gicr::ispendr0, script.top());
            script.msr(cpu0, eoir_of(group), 20, state);
            script.mrs(cpu0, iar_of(group), state);
            script.msr(cpu0, eoir_of(group), 20, state);
            script.finish();
        }
    }
}

}  // namespace gicsim::test
