#ifndef GICSIM_GIC_ICC_REGISTER_H
#define GICSIM_GIC_ICC_REGISTER_H

#include <array>
#include <cstdint>
#include <string_view>

#include "gicsim/arch/system_register_encoding.h"
#include "gicsim/gic/register_table.h"

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

/// What there is to know of a register from outside (IHI 0069, 12.2).
struct IccRegisterRow {
    IccRegister reg;
    std::string_view name;
    SystemRegisterEncoding encoding;
    RegisterAccess access;
};

/// By register.
inline constexpr std::array<IccRegisterRow, icc_register_count> icc_registers{{
    {IccRegister::ICC_PMR_EL1, "ICC_PMR_EL1", {3, 0, 4, 6, 0}, RegisterAccess::read_write},
    {IccRegister::ICC_IAR0_EL1, "ICC_IAR0_EL1", {3, 0, 12, 8, 0}, RegisterAccess::read_only},
    {IccRegister::ICC_EOIR0_EL1, "ICC_EOIR0_EL1", {3, 0, 12, 8, 1}, RegisterAccess::write_only},
    {IccRegister::ICC_HPPIR0_EL1, "ICC_HPPIR0_EL1", {3, 0, 12, 8, 2}, RegisterAccess::read_only},
    {IccRegister::ICC_BPR0_EL1, "ICC_BPR0_EL1", {3, 0, 12, 8, 3}, RegisterAccess::read_write},
    {IccRegister::ICC_AP0R0_EL1, "ICC_AP0R0_EL1", {3, 0, 12, 8, 4}, RegisterAccess::read_write},
    {IccRegister::ICC_AP0R1_EL1, "ICC_AP0R1_EL1", {3, 0, 12, 8, 5}, RegisterAccess::read_write},
    {IccRegister::ICC_AP0R2_EL1, "ICC_AP0R2_EL1", {3, 0, 12, 8, 6}, RegisterAccess::read_write},
    {IccRegister::ICC_AP0R3_EL1, "ICC_AP0R3_EL1", {3, 0, 12, 8, 7}, RegisterAccess::read_write},
    {IccRegister::ICC_AP1R0_EL1, "ICC_AP1R0_EL1", {3, 0, 12, 9, 0}, RegisterAccess::read_write},
    {IccRegister::ICC_AP1R1_EL1, "ICC_AP1R1_EL1", {3, 0, 12, 9, 1}, RegisterAccess::read_write},
    {IccRegister::ICC_AP1R2_EL1, "ICC_AP1R2_EL1", {3, 0, 12, 9, 2}, RegisterAccess::read_write},
    {IccRegister::ICC_AP1R3_EL1, "ICC_AP1R3_EL1", {3, 0, 12, 9, 3}, RegisterAccess::read_write},
    {IccRegister::ICC_DIR_EL1, "ICC_DIR_EL1", {3, 0, 12, 11, 1}, RegisterAccess::write_only},
    {IccRegister::ICC_RPR_EL1, "ICC_RPR_EL1", {3, 0, 12, 11, 3}, RegisterAccess::read_only},
    {IccRegister::ICC_SGI1R_EL1, "ICC_SGI1R_EL1", {3, 0, 12, 11, 5}, RegisterAccess::write_only},
    {IccRegister::ICC_ASGI1R_EL1, "ICC_ASGI1R_EL1", {3, 0, 12, 11, 6}, RegisterAccess::write_only},
    {IccRegister::ICC_SGI0R_EL1, "ICC_SGI0R_EL1", {3, 0, 12, 11, 7}, RegisterAccess::write_only},
    {IccRegister::ICC_IAR1_EL1, "ICC_IAR1_EL1", {3, 0, 12, 12, 0}, RegisterAccess::read_only},
    {IccRegister::ICC_EOIR1_EL1, "ICC_EOIR1_EL1", {3, 0, 12, 12, 1}, RegisterAccess::write_only},
    {IccRegister::ICC_HPPIR1_EL1, "ICC_HPPIR1_EL1", {3, 0, 12, 12, 2}, RegisterAccess::read_only},
    {IccRegister::ICC_BPR1_EL1, "ICC_BPR1_EL1", {3, 0, 12, 12, 3}, RegisterAccess::read_write},
    {IccRegister::ICC_CTLR_EL1, "ICC_CTLR_EL1", {3, 0, 12, 12, 4}, RegisterAccess::read_write},
    {IccRegister::ICC_SRE_EL1, "ICC_SRE_EL1", {3, 0, 12, 12, 5}, RegisterAccess::read_write},
    {IccRegister::ICC_IGRPEN0_EL1, "ICC_IGRPEN0_EL1", {3, 0, 12, 12, 6}, RegisterAccess::read_write},
    {IccRegister::ICC_IGRPEN1_EL1, "ICC_IGRPEN1_EL1", {3, 0, 12, 12, 7}, RegisterAccess::read_write},
    {IccRegister::ICC_NMIAR1_EL1, "ICC_NMIAR1_EL1", {3, 0, 12, 9, 5}, RegisterAccess::read_only},
    {IccRegister::ICC_SRE_EL2, "ICC_SRE_EL2", {3, 4, 12, 9, 5}, RegisterAccess::read_write},
    {IccRegister::ICC_CTLR_EL3, "ICC_CTLR_EL3", {3, 6, 12, 12, 4}, RegisterAccess::read_write},
    {IccRegister::ICC_SRE_EL3, "ICC_SRE_EL3", {3, 6, 12, 12, 5}, RegisterAccess::read_write},
    {IccRegister::ICC_IGRPEN1_EL3, "ICC_IGRPEN1_EL3", {3, 6, 12, 12, 7}, RegisterAccess::read_write},
}};

namespace detail {
constexpr bool icc_registers_are_in_order() {
    for (unsigned n = 0; n < icc_register_count; ++n) {
        if (static_cast<unsigned>(icc_registers[n].reg) != n) return false;
    }
    return true;
}
static_assert(icc_registers_are_in_order());
}  // namespace detail

constexpr const IccRegisterRow& row(IccRegister reg) {
    return icc_registers[static_cast<unsigned>(reg)];
}
/// The register's name for messages and traces.
constexpr std::string_view name(IccRegister reg) {
    return row(reg).name;
}

}  // namespace gicsim

#endif
