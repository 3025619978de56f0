#include "gicsim/config/cpu_table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "gicsim/arch/gic.h"
#include "gicsim/config/error.h"
#include "gicsim/config/toml_reader.h"

namespace gicsim {

namespace {

constexpr std::string_view header = "cpu,mpidr_hex,gicr_base_hex,package,die_or_node,cluster,core,thread";
constexpr std::size_t columns = cpu_columns;
constexpr std::array<std::string_view, columns> column_names = {"cpu",         "mpidr_hex", "gicr_base_hex", "package",
                                                                "die_or_node", "cluster",   "core",          "thread"};
/// Aff3 at [39:32], Aff2 to Aff0 at [23:0] (DDI 0487, MPIDR_EL1).
constexpr std::uint64_t affinity_mask = 0xff'00ff'ffff;
constexpr std::uint64_t physical_address_end = std::uint64_t{1} << 52;

struct Field {
    std::string_view text;
    unsigned column = 0;
};

class CpuTableReader {
public:
    explicit CpuTableReader(const std::filesystem::path& file) : name_(file.string()), content_(read_text_file(file)) {}

    std::vector<CpuRow> read() {
        std::string_view rest = content_;
        while (!rest.empty()) {
            const auto end = rest.find('\n');
            std::string_view line = rest.substr(0, end);
            rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            ++line_;
            check_text(line);
            if (line_ == 1) {
                if (line != header) fail(1, "is no header of a CPU table", fmt::format("expected '{}'", header));
            } else if (!line.empty() && line.front() != '#') {
                read_row(line);
            }
        }
        if (rows_.empty()) throw ConfigError(Origin::in_file(name_), {}, "the machine is empty: the table has no CPU");
        check_threads();
        return std::move(rows_);
    }

private:
    [[noreturn]] void fail(unsigned column, std::string message, std::string hint = {}) const {
        throw ConfigError(Origin::in_file(name_, line_, column), {}, std::move(message), std::move(hint));
    }

    void check_text(std::string_view line) const {
        for (std::size_t i = 0; i < line.size(); ++i) {
            const auto c = static_cast<unsigned char>(line[i]);
            if (c >= 0x80 || (c < 0x20 && c != '\t')) fail(static_cast<unsigned>(i) + 1, "is no plain ASCII text");
        }
    }

    [[nodiscard]] std::array<Field, columns> split(std::string_view line) const {
        std::array<Field, columns> fields;
        std::size_t begin = 0;
        for (std::size_t i = 0; i < columns; ++i) {
            if (begin > line.size()) {
                fail(static_cast<unsigned>(line.size()) + 1, fmt::format("column '{}' is missing", column_names[i]));
            }
            const std::size_t end = std::min(line.find(',', begin), line.size());
            fields[i] = {line.substr(begin, end - begin), static_cast<unsigned>(begin) + 1};
            begin = end + 1;
        }
        if (begin <= line.size()) fail(static_cast<unsigned>(begin), "has more columns than the header");
        return fields;
    }

    [[nodiscard]] unsigned number(const Field& field, std::size_t column) const {
        unsigned value = 0;
        const char* const end = field.text.data() + field.text.size();
        const auto [stop, error] = std::from_chars(field.text.data(), end, value);
        if (field.text.empty() || error != std::errc{} || stop != end) {
            fail(field.column, fmt::format("{}: '{}' is no whole number", column_names[column], field.text));
        }
        return value;
    }

    [[nodiscard]] std::uint64_t hexadecimal(const Field& field, std::size_t column) const {
        std::uint64_t value = 0;
        const bool prefixed = field.text.size() > 2 && field.text.substr(0, 2) == "0x";
        const char* const end = field.text.data() + field.text.size();
        const auto [stop, error] = std::from_chars(field.text.data() + (prefixed ? 2 : 0), end, value, 16);
        if (!prefixed || error != std::errc{} || stop != end) {
            fail(field.column, fmt::format("{}: '{}' is no hexadecimal number", column_names[column], field.text),
                 "write it as 0x80000");
        }
        return value;
    }

    void read_row(std::string_view line) {
        const auto fields = split(line);
        if (const unsigned cpu = number(fields[0], 0); cpu != rows_.size()) {
            fail(fields[0].column, fmt::format("found CPU {} where CPU {} is due", cpu, rows_.size()),
                 "CPUs are numbered from 0 without holes, in order");
        }
        CpuRow row;
        row.line = line_;
        for (std::size_t i = 0; i < columns; ++i) row.at[i] = fields[i].column;
        row.mpidr = hexadecimal(fields[1], 1);
        if ((row.mpidr & ~affinity_mask) != 0) {
            fail(fields[1].column, fmt::format("MPIDR {:#x} has bits outside Aff3, Aff2, Aff1 and Aff0", row.mpidr));
        }
        row.gicr_base = hexadecimal(fields[2], 2);
        if (row.gicr_base > physical_address_end - redistributor_frame_bytes || row.gicr_base % frame_alignment != 0) {
            fail(fields[2].column, fmt::format("{:#x} cannot be the base of a redistributor frame", row.gicr_base),
                 "frames are aligned to 64 KB, addresses have 52 bits");
        }
        row.package = number(fields[3], 3);
        row.die = number(fields[4], 4);
        row.cluster = number(fields[5], 5);
        row.core = number(fields[6], 6);
        row.thread = number(fields[7], 7);
        once(mpidrs_, row.mpidr, fields[1].column, fmt::format("MPIDR {:#x}", row.mpidr));
        once(bases_, row.gicr_base, fields[2].column, fmt::format("redistributor address {:#x}", row.gicr_base));
        once(places_, std::tuple{row.package, row.die, row.cluster, row.core, row.thread}, fields[3].column,
             "the place (package, die, cluster, core, thread)");
        rows_.push_back(row);
    }

    /// A core has as many threads as rows name it; their order in the table is free.
    void check_threads() const {
        std::map<std::tuple<unsigned, unsigned, unsigned, unsigned>, unsigned> threads;
        for (const CpuRow& row : rows_) ++threads[{row.package, row.die, row.cluster, row.core}];
        for (const CpuRow& row : rows_) {
            const unsigned count = threads.at({row.package, row.die, row.cluster, row.core});
            if (row.thread < count) continue;
            throw ConfigError(
                origin_of(row, CpuColumn::thread, name_), {},
                fmt::format("thread: {} of a core with {} thread{}", row.thread, count, count == 1 ? "" : "s"),
                "the threads of a core are numbered from 0 without holes");
        }
    }

    template <typename Key>
    void once(std::map<Key, unsigned>& seen, const Key& key, unsigned column, const std::string& what) const {
        const auto [entry, inserted] = seen.emplace(key, line_);
        if (!inserted) fail(column, fmt::format("{} occurs twice, first in line {}", what, entry->second));
    }

    std::string name_;
    std::string content_;
    unsigned line_ = 0;
    std::vector<CpuRow> rows_;
    std::map<std::uint64_t, unsigned> mpidrs_;
    std::map<std::uint64_t, unsigned> bases_;
    std::map<std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned>, unsigned> places_;
};

}  // namespace

Origin origin_of(const CpuRow& row, CpuColumn column, const std::string& file) {
    return Origin::in_file(file, row.line, row.at[static_cast<std::size_t>(column)]);
}

std::vector<CpuRow> read_cpu_table(const std::filesystem::path& file) {
    return CpuTableReader(file).read();
}

}  // namespace gicsim
