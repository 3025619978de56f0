#include "gicsim/litmus/system_register.h"

#include <array>
#include <charconv>

#include "text.h"

namespace gicsim::litmus {
namespace {

enum class Access : std::uint8_t { read_write, read_only, write_only };

struct Row {
    SystemRegister reg;
    std::string_view name;
    SystemRegisterEncoding encoding;
    Access access;
};

using enum SystemRegister;
using enum Access;

// DDI 0487, D19.2 and C5.2; IHI 0069, 12.2.
constexpr std::array<Row, system_register_count> rows{{
    {ICC_PMR_EL1, "ICC_PMR_EL1", {3, 0, 4, 6, 0}, read_write},
    {ICC_IAR0_EL1, "ICC_IAR0_EL1", {3, 0, 12, 8, 0}, read_only},
    {ICC_EOIR0_EL1, "ICC_EOIR0_EL1", {3, 0, 12, 8, 1}, write_only},
    {ICC_HPPIR0_EL1, "ICC_HPPIR0_EL1", {3, 0, 12, 8, 2}, read_only},
    {ICC_BPR0_EL1, "ICC_BPR0_EL1", {3, 0, 12, 8, 3}, read_write},
    {ICC_AP0R0_EL1, "ICC_AP0R0_EL1", {3, 0, 12, 8, 4}, read_write},
    {ICC_AP0R1_EL1, "ICC_AP0R1_EL1", {3, 0, 12, 8, 5}, read_write},
    {ICC_AP0R2_EL1, "ICC_AP0R2_EL1", {3, 0, 12, 8, 6}, read_write},
    {ICC_AP0R3_EL1, "ICC_AP0R3_EL1", {3, 0, 12, 8, 7}, read_write},
    {ICC_AP1R0_EL1, "ICC_AP1R0_EL1", {3, 0, 12, 9, 0}, read_write},
    {ICC_AP1R1_EL1, "ICC_AP1R1_EL1", {3, 0, 12, 9, 1}, read_write},
    {ICC_AP1R2_EL1, "ICC_AP1R2_EL1", {3, 0, 12, 9, 2}, read_write},
    {ICC_AP1R3_EL1, "ICC_AP1R3_EL1", {3, 0, 12, 9, 3}, read_write},
    {ICC_DIR_EL1, "ICC_DIR_EL1", {3, 0, 12, 11, 1}, write_only},
    {ICC_RPR_EL1, "ICC_RPR_EL1", {3, 0, 12, 11, 3}, read_only},
    {ICC_SGI1R_EL1, "ICC_SGI1R_EL1", {3, 0, 12, 11, 5}, write_only},
    {ICC_ASGI1R_EL1, "ICC_ASGI1R_EL1", {3, 0, 12, 11, 6}, write_only},
    {ICC_SGI0R_EL1, "ICC_SGI0R_EL1", {3, 0, 12, 11, 7}, write_only},
    {ICC_IAR1_EL1, "ICC_IAR1_EL1", {3, 0, 12, 12, 0}, read_only},
    {ICC_EOIR1_EL1, "ICC_EOIR1_EL1", {3, 0, 12, 12, 1}, write_only},
    {ICC_HPPIR1_EL1, "ICC_HPPIR1_EL1", {3, 0, 12, 12, 2}, read_only},
    {ICC_BPR1_EL1, "ICC_BPR1_EL1", {3, 0, 12, 12, 3}, read_write},
    {ICC_CTLR_EL1, "ICC_CTLR_EL1", {3, 0, 12, 12, 4}, read_write},
    {ICC_SRE_EL1, "ICC_SRE_EL1", {3, 0, 12, 12, 5}, read_write},
    {ICC_IGRPEN0_EL1, "ICC_IGRPEN0_EL1", {3, 0, 12, 12, 6}, read_write},
    {ICC_IGRPEN1_EL1, "ICC_IGRPEN1_EL1", {3, 0, 12, 12, 7}, read_write},
    {DAIF, "DAIF", {3, 3, 4, 2, 1}, read_write},
    {NZCV, "NZCV", {3, 3, 4, 2, 0}, read_write},
    {CurrentEL, "CurrentEL", {3, 0, 4, 2, 2}, read_only},
    {SPSel, "SPSel", {3, 0, 4, 2, 0}, read_write},
    {VBAR_EL1, "VBAR_EL1", {3, 0, 12, 0, 0}, read_write},
    {ELR_EL1, "ELR_EL1", {3, 0, 4, 0, 1}, read_write},
    {SPSR_EL1, "SPSR_EL1", {3, 0, 4, 0, 0}, read_write},
    {ESR_EL1, "ESR_EL1", {3, 0, 5, 2, 0}, read_write},
    {FAR_EL1, "FAR_EL1", {3, 0, 6, 0, 0}, read_write},
    {SP_EL0, "SP_EL0", {3, 0, 4, 1, 0}, read_write},
    {TPIDR_EL0, "TPIDR_EL0", {3, 3, 13, 0, 2}, read_write},
    {TPIDR_EL1, "TPIDR_EL1", {3, 0, 13, 0, 4}, read_write},
    {MPIDR_EL1, "MPIDR_EL1", {3, 0, 0, 0, 5}, read_only},
}};

constexpr bool rows_are_in_order() {
    for (unsigned i = 0; i < rows.size(); ++i) {
        if (static_cast<unsigned>(rows[i].reg) != i) return false;
    }
    return true;
}
static_assert(rows_are_in_order());

const Row& row(SystemRegister reg) {
    return rows[static_cast<unsigned>(reg)];
}

/// "s3_0_c12_c11_5", in lower case.
std::optional<SystemRegisterEncoding> parse_encoding(std::string_view text) {
    SystemRegisterEncoding encoding;
    struct Field {
        std::string_view before;
        std::uint8_t* value;
        unsigned most;
    };
    const std::array<Field, 5> fields{{{"s", &encoding.op0, 3},
                                       {"_", &encoding.op1, 7},
                                       {"_c", &encoding.crn, 15},
                                       {"_c", &encoding.crm, 15},
                                       {"_", &encoding.op2, 7}}};
    for (const Field& field : fields) {
        if (!text.starts_with(field.before)) return std::nullopt;
        text.remove_prefix(field.before.size());
        unsigned number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || number > field.most) return std::nullopt;
        *field.value = static_cast<std::uint8_t>(number);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    if (!text.empty()) return std::nullopt;
    return encoding;
}

}  // namespace

std::string_view name(SystemRegister reg) {
    return row(reg).name;
}

SystemRegisterEncoding encoding(SystemRegister reg) {
    return row(reg).encoding;
}

bool is_readable(SystemRegister reg) {
    return row(reg).access != write_only;
}

bool is_writable(SystemRegister reg) {
    return row(reg).access != read_only;
}

std::optional<SystemRegister> parse_system_register(std::string_view text) {
    const std::string lower = to_lower(text);
    if (lower == "iar") return ICC_IAR1_EL1;
    if (lower == "eoir") return ICC_EOIR1_EL1;
    if (lower == "dir") return ICC_DIR_EL1;
    const auto wanted = parse_encoding(lower);
    for (const Row& row : rows) {
        if (wanted ? row.encoding == *wanted : to_lower(row.name) == lower) return row.reg;
    }
    return std::nullopt;
}

}  // namespace gicsim::litmus
