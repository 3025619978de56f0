#ifndef GICSIM_TESTS_DIFFERENTIAL_ACCESS_H
#define GICSIM_TESTS_DIFFERENTIAL_ACCESS_H

#include <cstdint>
#include <string>

#include "differential/qemu_machine.h"
#include "gicsim/arch/affinity.h"
#include "gicsim/gic/icc_register.h"
#include "support/settled_gic.h"

namespace gicsim::test {

/// One register access by a CPU, for both sides.
struct Access {
    enum class Target : std::uint8_t { gicd, gicr, icc };

    CpuId cpu{};
    Security security = Security::non_secure;
    Target target = Target::gicd;
    bool is_write = false;
    std::uint64_t value = 0;   ///< written
    std::uint32_t offset = 0;  ///< gicd, gicr
    CpuId frame{};             ///< gicr: whose
    std::uint8_t size = 4;     ///< gicd, gicr: bytes
    IccRegister reg{};         ///< icc

    static Access mrs(CpuId cpu, IccRegister reg, Security security);
    static Access msr(CpuId cpu, IccRegister reg, std::uint64_t value, Security security);
    static Access load(CpuId cpu, Target target, std::uint32_t offset, Security security, CpuId frame = {},
                       std::uint8_t size = 4);
    static Access store(CpuId cpu, Target target, std::uint32_t offset, std::uint64_t value, Security security,
                        CpuId frame = {}, std::uint8_t size = 4);

    [[nodiscard]] bool is_icc(IccRegister wanted) const { return target == Target::icc && reg == wanted; }
    [[nodiscard]] bool is_gicd(std::uint32_t wanted) const { return target == Target::gicd && offset == wanted; }
    [[nodiscard]] bool is_gicr(std::uint32_t wanted) const { return target == Target::gicr && offset == wanted; }
    [[nodiscard]] std::string text() const;
};

struct Pins {
    bool irq = false;
    bool fiq = false;
    bool operator==(const Pins&) const = default;
};

/// What an access gave, and the pins of its CPU just before and after it.
struct Outcome {
    std::uint64_t value = 0;  ///< read; 0 for a write
    bool refused = false;     ///< an exception or a bus error instead
    bool preempted = false;   ///< a FIQ was taken to EL3 first, and the access not executed
    Pins before;
    Pins after;

    bool operator==(const Outcome&) const = default;
    [[nodiscard]] std::string text() const;
};

/// Our side.
Outcome perform(SettledGic& gic, const Access& access, const MachineOptions& options);
/// QEMU's side.
GuestCommand guest_command(const Access& access, const MachineOptions& options);
Outcome outcome(const Access& access, const GuestResult& result);

}  // namespace gicsim::test

#endif
