#ifndef GICSIM_ARCH_SYSTEM_REGISTER_ENCODING_H
#define GICSIM_ARCH_SYSTEM_REGISTER_ENCODING_H

#include <cstdint>

namespace gicsim {

/// The fields of MRS and MSR that select a register (DDI 0487, C5.2).
struct SystemRegisterEncoding {
    std::uint8_t op0 = 0;
    std::uint8_t op1 = 0;
    std::uint8_t crn = 0;
    std::uint8_t crm = 0;
    std::uint8_t op2 = 0;
    constexpr bool operator==(const SystemRegisterEncoding&) const = default;

    /// As in bits [20:5] of the instruction.
    [[nodiscard]] constexpr std::uint16_t packed() const {
        return static_cast<std::uint16_t>(op0 << 14 | op1 << 11 | crn << 7 | crm << 3 | op2);
    }
};

}  // namespace gicsim

#endif
