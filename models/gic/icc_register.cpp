#include "gicsim/gic/icc_register.h"

namespace gicsim {

std::string_view name(IccRegister reg) {
    static constexpr std::string_view names[] = {
        "ICC_PMR_EL1",     "ICC_IAR0_EL1",    "ICC_EOIR0_EL1",  "ICC_HPPIR0_EL1", "ICC_BPR0_EL1",   "ICC_AP0R0_EL1",
        "ICC_AP0R1_EL1",   "ICC_AP0R2_EL1",   "ICC_AP0R3_EL1",  "ICC_AP1R0_EL1",  "ICC_AP1R1_EL1",  "ICC_AP1R2_EL1",
        "ICC_AP1R3_EL1",   "ICC_DIR_EL1",     "ICC_RPR_EL1",    "ICC_SGI1R_EL1",  "ICC_ASGI1R_EL1", "ICC_SGI0R_EL1",
        "ICC_IAR1_EL1",    "ICC_EOIR1_EL1",   "ICC_HPPIR1_EL1", "ICC_BPR1_EL1",   "ICC_CTLR_EL1",   "ICC_SRE_EL1",
        "ICC_IGRPEN0_EL1", "ICC_IGRPEN1_EL1", "ICC_NMIAR1_EL1", "ICC_SRE_EL2",    "ICC_CTLR_EL3",   "ICC_SRE_EL3",
        "ICC_IGRPEN1_EL3",
    };
    static_assert(sizeof(names) / sizeof(names[0]) == icc_register_count);
    return names[static_cast<unsigned>(reg)];
}

}  // namespace gicsim
