#include "gicsim/litmus/system_register.h"

#include <array>
#include <charconv>

#include "text.h"

namespace gicsim::litmus {
namespace {

struct Row {
    SystemRegister reg;
    std::string_view name;
    SystemRegisterEncoding encoding;
    RegisterAccess access;
};

using enum SystemRegister;
using enum RegisterAccess;

// DDI 0487, D19.2 and C5.2. Those of the CPU interface come before them.
constexpr std::array other_rows{
    Row{DAIF, "DAIF", {3, 3, 4, 2, 1}, read_write},
    Row{NZCV, "NZCV", {3, 3, 4, 2, 0}, read_write},
    Row{CurrentEL, "CurrentEL", {3, 0, 4, 2, 2}, read_only},
    Row{SPSel, "SPSel", {3, 0, 4, 2, 0}, read_write},
    Row{VBAR_EL1, "VBAR_EL1", {3, 0, 12, 0, 0}, read_write},
    Row{ELR_EL1, "ELR_EL1", {3, 0, 4, 0, 1}, read_write},
    Row{SPSR_EL1, "SPSR_EL1", {3, 0, 4, 0, 0}, read_write},
    Row{ESR_EL1, "ESR_EL1", {3, 0, 5, 2, 0}, read_write},
    Row{FAR_EL1, "FAR_EL1", {3, 0, 6, 0, 0}, read_write},
    Row{SP_EL0, "SP_EL0", {3, 0, 4, 1, 0}, read_write},
    Row{TPIDR_EL0, "TPIDR_EL0", {3, 3, 13, 0, 2}, read_write},
    Row{TPIDR_EL1, "TPIDR_EL1", {3, 0, 13, 0, 4}, read_write},
    Row{MPIDR_EL1, "MPIDR_EL1", {3, 0, 0, 0, 5}, read_only},
};
constexpr unsigned icc_rows = system_register_count - other_rows.size();

constexpr std::array<Row, system_register_count> make_rows() {
    std::array<Row, system_register_count> all{};
    for (unsigned n = 0; n < icc_rows; ++n) {
        all[n] = {static_cast<SystemRegister>(n), icc_registers[n].name, icc_registers[n].encoding,
                  icc_registers[n].access};
    }
    for (unsigned n = 0; n < other_rows.size(); ++n) all[icc_rows + n] = other_rows[n];
    return all;
}
constexpr std::array<Row, system_register_count> rows = make_rows();

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
