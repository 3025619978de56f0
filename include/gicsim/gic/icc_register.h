#ifndef GICSIM_GIC_ICC_REGISTER_H
#define GICSIM_GIC_ICC_REGISTER_H

#include <cstdint>
#include <string_view>

namespace gicsim {

/// The physical CPU interface's system registers, spelt as in IHI 0069, 12.2.
enum class IccRegister : std::uint8_t {
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
    ICC_NMIAR1_EL1,
    ICC_SRE_EL2,
    ICC_CTLR_EL3,
    ICC_SRE_EL3,
    ICC_IGRPEN1_EL3,
};

inline constexpr unsigned icc_register_count = static_cast<unsigned>(IccRegister::ICC_IGRPEN1_EL3) + 1;

/// The register's name for messages and traces.
std::string_view name(IccRegister reg);

}  // namespace gicsim

#endif
