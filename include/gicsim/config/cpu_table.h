#ifndef GICSIM_CONFIG_CPU_TABLE_H
#define GICSIM_CONFIG_CPU_TABLE_H

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "gicsim/config/error.h"

namespace gicsim {

/// The columns of a CPU table, in their order.
enum class CpuColumn : std::uint8_t { cpu, mpidr, gicr_base, package, die, cluster, core, thread };
constexpr std::size_t cpu_columns = 8;

/// One row of a CPU table. Package, die and cluster are labels: die labels may count over the machine or within a
/// package, cluster labels over the machine, a package or a die. Their order is what counts.
struct CpuRow {
    std::uint64_t mpidr = 0;
    std::uint64_t gicr_base = 0;
    unsigned package = 0;
    unsigned die = 0;
    unsigned cluster = 0;
    unsigned core = 0;
    unsigned thread = 0;
    unsigned line = 0;                          ///< of the file
    std::array<unsigned, cpu_columns> at = {};  ///< where each field begins in that line, from 1
};

/// The place of one field, for errors that show only when the whole machine is known.
Origin origin_of(const CpuRow& row, CpuColumn column, const std::string& file);

/// Reads a table with the columns cpu,mpidr_hex,gicr_base_hex,package,die_or_node,cluster,core,thread; row n is CPU n.
/// Throws ConfigError with line and column on a bad field, a CPU number out of sequence, or an MPIDR, a redistributor
/// address or a place that occurs twice, or threads of a core that are not numbered from 0 without holes.
std::vector<CpuRow> read_cpu_table(const std::filesystem::path& file);

}  // namespace gicsim

#endif
