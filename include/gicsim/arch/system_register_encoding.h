#ifndef GICSIM_ARCH_SYSTEM_REGISTER_ENCODING_H
#define GICSIM_ARCH_SYSTEM_REGISTER_ENCODING_H

// Installed: C++17.

#include <cstdint>

namespace gicsim {

/// A system register as MRS and MSR encode it, in bits [20:5] of the instruction (DDI 0487, C5.2).
constexpr std::uint16_t system_register(unsigned op0, unsigned op1, unsigned crn, unsigned crm, unsigned op2) {
    return static_cast<std::uint16_t>(op0 << 14 | op1 << 11 | crn << 7 | crm << 3 | op2);
}

/// The same by field.
struct SystemRegisterEncoding {
    std::uint8_t op0 = 0;
    std::uint8_t op1 = 0;
    std::uint8_t crn = 0;
    std::uint8_t crm = 0;
    std::uint8_t op2 = 0;

    constexpr std::uint16_t packed() const { return system_register(op0, op1, crn, crm, op2); }
    friend constexpr bool operator==(const SystemRegisterEncoding& a, const SystemRegisterEncoding& b) {
        return a.packed() == b.packed();
    }
};

}  // namespace gicsim

#endif
