#ifndef GICSIM_CONFIG_REFERENCE_LOG_H
#define GICSIM_CONFIG_REFERENCE_LOG_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gicsim {

/// What the kernel module of the published IPI benchmark printed, one line a run:
/// "ipi_latency_init ipi from cpu0 to cpu0-95 delta of 1000times:122237009", the last number in ns.
struct ReferenceLog {
    unsigned sender = 0;
    std::string targets;  ///< CPU list: "0-95"
    std::uint64_t rounds = 0;
    std::vector<double> totals_ns;  ///< one a run, at least one
};

/// Throws ConfigError with line and column on a line of another form, or one about another sender, other targets or
/// other rounds than the line before.
ReferenceLog read_reference_log(const std::filesystem::path& file);

}  // namespace gicsim

#endif
