#ifndef GICSIM_TESTS_DIFFERENTIAL_SCRIPT_H
#define GICSIM_TESTS_DIFFERENTIAL_SCRIPT_H

#include <fmt/format.h>

#include <vector>

#include "differential/comparison.h"
#include "support/catch.h"
#include "support/gic_offsets.h"

namespace gicsim::test {

inline constexpr auto secure = Security::secure;
inline constexpr auto non_secure = Security::non_secure;

/// Accesses written one by one, made on both sides; they are compared by finish().
class Script {
public:
    using Target = Access::Target;

    explicit Script(const MachineOptions& options)
        : both_(options), top_(options.two_security_states ? secure : non_secure) {}

    [[nodiscard]] Comparison& both() { return both_; }
    [[nodiscard]] Security top() const { return top_; }

    void gicd(std::uint32_t offset, std::uint64_t value, std::uint8_t size = 4) { gicd_as(top_, offset, value, size); }
    std::uint64_t read_gicd(std::uint32_t offset, Security security, std::uint8_t size = 4) {
        return add(Access::load(CpuId{0}, Target::gicd, offset, security, {}, size)).value;
    }
    void gicd_as(Security security, std::uint32_t offset, std::uint64_t value, std::uint8_t size = 4) {
        add(Access::store(CpuId{0}, Target::gicd, offset, value, security, {}, size));
    }
    void gicr(CpuId frame, std::uint32_t offset, std::uint64_t value, std::uint8_t size = 4) {
        add(Access::store(CpuId{0}, Target::gicr, offset, value, top_, frame, size));
    }
    void read_gicr(CpuId frame, std::uint32_t offset, Security security, std::uint8_t size = 4) {
        add(Access::load(CpuId{0}, Target::gicr, offset, security, frame, size));
    }
    void msr(CpuId cpu, IccRegister reg, std::uint64_t value, Security security) {
        add(Access::msr(cpu, reg, value, security));
    }
    std::uint64_t mrs(CpuId cpu, IccRegister reg, Security security) {
        return add(Access::mrs(cpu, reg, security)).value;
    }
    /// Everything open, nothing pending; Group 0, that is, for all interrupts.
    void open(CpuId cpu) {
        gicd(0, both_.options().two_security_states ? 0x37 : 0x13);
        gicr(cpu, gicr::waker, 0);
        gicr(cpu, gicr::icpendr0, ~0U);
        gicr(cpu, gicr::icactiver0, ~0U);
        gicr(cpu, gicr::igroupr0, 0);
        gicr(cpu, gicr::igrpmodr0, 0);
        gicr(cpu, gicr::nsacr, 0);
        gicr(cpu, gicr::isenabler0, ~0U);
        msr(cpu, IccRegister::ICC_PMR_EL1, 0xFF, top_);
        msr(cpu, IccRegister::ICC_IGRPEN0_EL1, 1, top_);
        msr(cpu, IccRegister::ICC_IGRPEN1_EL1, 1, secure_or_only());
        msr(cpu, IccRegister::ICC_IGRPEN1_EL1, 1, non_secure);
    }
    void put_into(CpuId cpu, Group group, std::uint32_t intids) {
        if (group == Group::g1ns) gicr(cpu, gicr::igroupr0, intids);
        if (group == Group::g1s) gicr(cpu, gicr::igrpmodr0, intids);
    }
    [[nodiscard]] Security secure_or_only() const { return top_; }
    void finish() {
        const std::string difference = both_.check();
        if (!difference.empty()) fmt::print(stderr, "{}", difference);
        REQUIRE(difference.empty());
    }

private:
    Outcome add(const Access& access) {
        // A directed sequence that runs into a known difference is a mistake in the sequence.
        if (to_be_avoided(access, both_.gic(), both_.options())) FAIL("avoided: " << access.text());
        return both_.add(access);
    }

    Comparison both_;
    Security top_;
};

inline std::vector<Group> groups_of(bool two_security_states) {
    if (two_security_states) return {Group::g0, Group::g1s, Group::g1ns};
    return {Group::g0, Group::g1ns};
}

inline IccRegister iar_of(Group group) {
    return group == Group::g0 ? IccRegister::ICC_IAR0_EL1 : IccRegister::ICC_IAR1_EL1;
}
inline IccRegister eoir_of(Group group) {
    return group == Group::g0 ? IccRegister::ICC_EOIR0_EL1 : IccRegister::ICC_EOIR1_EL1;
}
inline IccRegister bpr_of(Group group) {
    return group == Group::g0 ? IccRegister::ICC_BPR0_EL1 : IccRegister::ICC_BPR1_EL1;
}

}  // namespace gicsim::test

#endif
