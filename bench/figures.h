#ifndef GICSIM_BENCH_FIGURES_H
#define GICSIM_BENCH_FIGURES_H

#include <cstdint>
#include <string>

namespace gicsim::bench {

/// What the benchmarks found, each the best of its repetitions.
struct Figures {
    double bare_per_second = 0;  ///< activations of the bare SC_METHOD
    double ipis_per_second = 0;  ///< of Reference A
    double slowdown = 0;         ///< host time of Reference A over its simulated time
    double events_per_ipi = 0;
    double peak_megabytes = 0;
    std::uint64_t late_allocations = 0;  ///< the most of any run
    double seconds_per_ipi_96 = 0;       ///< rounds alone
    double seconds_per_ipi_960 = 0;      ///< as many targets as with 96 cores
    double seconds_per_ipi_959 = 0;      ///< all CPUs are targets

    double seconds_per_execution = 0;        ///< of a two-thread litmus test
    double seconds_per_register_access = 0;  ///< of the GIC's State classes

    [[nodiscard]] double bare_over_execution() const { return bare_per_second * seconds_per_execution; }
    [[nodiscard]] double bare_over_register_access() const { return bare_per_second * seconds_per_register_access; }
    [[nodiscard]] double bare_over_ipi() const { return bare_per_second / ipis_per_second; }
    [[nodiscard]] double growth() const { return seconds_per_ipi_960 / seconds_per_ipi_96; }
    [[nodiscard]] double growth_all() const { return seconds_per_ipi_959 / seconds_per_ipi_96; }

    [[nodiscard]] bool meets_requirements() const;
    /// Requirement and figure, one a line.
    [[nodiscard]] std::string table() const;
    /// Ratios and counts only: what can be compared between hosts.
    [[nodiscard]] std::string json() const;
};

}  // namespace gicsim::bench

#endif
