#ifndef GICSIM_LITMUS_SYSTEM_REGISTER_H
#define GICSIM_LITMUS_SYSTEM_REGISTER_H

#include <cstdint>
#include <optional>
#include <string_view>

#include "gicsim/gic/icc_register.h"

namespace gicsim::litmus {

/// The system registers that a litmus program may name (DDI 0487, D19 and IHI 0069, 12.2).
enum class SystemRegister : std::uint8_t {
    ICC_PMR_EL1,
    ICC_IAR0_EL1,
    ICC_EOIR0_EL1,
    ICC_HPPIR0_EL1,
    ICC_BPR0_EL1,
    ICC_AP0R0_EL1,
    ICC_AP0R1_EL1,
    ICC_AP0R2_EL1,
    ICC_AP0R3_EL1,
    ICC_AP1R0_EL1,
    ICC_AP1R1_EL1,
    ICC_AP1R2_EL1,
    ICC_AP1R3_EL1,
    ICC_DIR_EL1,
    ICC_RPR_EL1,
    ICC_SGI1R_EL1,
    ICC_ASGI1R_EL1,
    ICC_SGI0R_EL1,
    ICC_IAR1_EL1,
    ICC_EOIR1_EL1,
    ICC_HPPIR1_EL1,
    ICC_BPR1_EL1,
    ICC_CTLR_EL1,
    ICC_SRE_EL1,
    ICC_IGRPEN0_EL1,
    ICC_IGRPEN1_EL1,
    DAIF,
    NZCV,
    CurrentEL,
    SPSel,
    VBAR_EL1,
    ELR_EL1,
    SPSR_EL1,
    ESR_EL1,
    FAR_EL1,
    SP_EL0,
    TPIDR_EL0,
    TPIDR_EL1,
    MPIDR_EL1,
};

inline constexpr unsigned system_register_count = static_cast<unsigned>(SystemRegister::MPIDR_EL1) + 1;

/// Spelt as in the specification: "ICC_SGI1R_EL1".
std::string_view name(SystemRegister reg);
SystemRegisterEncoding encoding(SystemRegister reg);
/// Whether MRS may name it: false for ICC_SGI1R_EL1, ICC_EOIR1_EL1, ICC_DIR_EL1, ...
bool is_readable(SystemRegister reg);
/// Whether MSR with a general register may name it: false for ICC_IAR1_EL1, ICC_RPR_EL1, CurrentEL, ...
bool is_writable(SystemRegister reg);

/// Reads a name in any case, the short names IAR, EOIR and DIR of the public system-litmus collections (group 1), or
/// S<op0>_<op1>_C<n>_C<m>_<op2>; nothing when it is unknown.
std::optional<SystemRegister> parse_system_register(std::string_view text);

/// The CPU interface register it is, if it is one.
constexpr std::optional<IccRegister> icc_register(SystemRegister reg) {
    static_assert(static_cast<unsigned>(SystemRegister::ICC_IGRPEN1_EL1) ==
                  static_cast<unsigned>(IccRegister::ICC_IGRPEN1_EL1));
    if (reg > SystemRegister::ICC_IGRPEN1_EL1) return std::nullopt;
    return static_cast<IccRegister>(reg);
}

}  // namespace gicsim::litmus

#endif
