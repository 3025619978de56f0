#include "figures.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace gicsim::bench {
namespace {

constexpr double most_bare_over_ipi = 50;
constexpr double most_bare_over_execution = 150;
constexpr double most_bare_over_register_access = 7;
constexpr double most_growth = 1.3;
constexpr double most_megabytes = 200;

std::string row(const char* what, const std::string& required, const std::string& found, bool met) {
    return fmt::format("{:<46} {:>16}  {:>14}  {}\n", what, required, found, met ? "" : "MISSED");
}
std::string row(const char* what, const std::string& found) {
    return fmt::format("{:<46} {:>16}  {:>14}\n", what, "", found);
}

double rounded(double value) {
    return std::round(value * 100) / 100;
}

}  // namespace

bool Figures::meets_requirements() const {
    return bare_over_ipi() <= most_bare_over_ipi && bare_over_execution() <= most_bare_over_execution &&
           bare_over_register_access() <= most_bare_over_register_access && growth() <= most_growth &&
           peak_megabytes < most_megabytes && late_allocations == 0;
}

std::string Figures::table() const {
    std::string text = fmt::format("{:<46} {:>16}  {:>14}\n", "Reference A", "required", "measured");
    text += row("speed, as part of the bare SC_METHOD's rate", "1/50 (aim 1/20)",
                fmt::format("1/{:.1f}", bare_over_ipi()), bare_over_ipi() <= most_bare_over_ipi);
    text += row("host time an IPI, 960 over 96 cores, 95 targets", fmt::format("at most {}", most_growth),
                fmt::format("{:.2f}", growth()), growth() <= most_growth);
    // Ten times the targets are ten times the state that one sender goes through: that measures the host's caches.
    text += row("the same with 959 targets", fmt::format("{:.2f}", growth_all()));
    text += row("peak resident memory", fmt::format("below {} MB", most_megabytes),
                fmt::format("{:.0f} MB", peak_megabytes), peak_megabytes < most_megabytes);
    text += row("allocations after round 10", "0", fmt::format("{}", late_allocations), late_allocations == 0);
    text += row("litmus executions, two threads, likewise", fmt::format("1/{}", most_bare_over_execution),
                fmt::format("1/{:.1f}", bare_over_execution()), bare_over_execution() <= most_bare_over_execution);
    text += row("random accesses to GIC registers, likewise", fmt::format("1/{}", most_bare_over_register_access),
                fmt::format("1/{:.1f}", bare_over_register_access()),
                bare_over_register_access() <= most_bare_over_register_access);
    text += row("bare SC_METHOD, activations a second", fmt::format("{:.2f} M", bare_per_second / 1e6));
    text += row("simulated IPIs a second", fmt::format("{:.3f} M", ipis_per_second / 1e6));
    text += row("litmus executions a second", fmt::format("{:.3f} M", 1e-6 / seconds_per_execution));
    text += row("host time over simulated time", fmt::format("{:.2f}", slowdown));
    text += row("Timeline events an IPI", fmt::format("{:.1f}", events_per_ipi));
    return text;
}

std::string Figures::json() const {
    const nlohmann::ordered_json json = {{"bare_rate_over_ipi_rate", rounded(bare_over_ipi())},
                                         {"bare_rate_over_litmus_execution_rate", rounded(bare_over_execution())},
                                         {"bare_rate_over_register_access_rate", rounded(bare_over_register_access())},
                                         {"host_time_per_ipi_960_over_96", rounded(growth())},
                                         {"host_time_per_ipi_960_over_96_all_targets", rounded(growth_all())},
                                         {"peak_megabytes", std::round(peak_megabytes)},
                                         {"allocations_after_round_10", late_allocations},
                                         {"timeline_events_per_ipi", rounded(events_per_ipi)}};
    return json.dump(2) + "\n";
}

}  // namespace gicsim::bench
