// Measures how fast gicsim is against what it is made of: the rate of a bare SC_METHOD in the same process, on the same
// host, at the same time. Repetitions of all benchmarks take turns, and the best of each counts, so that what else the
// host does disturbs neither side of a ratio alone.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <systemc>

#include "bare_method.h"
#include "figures.h"
#include "gicsim/config/load.h"
#include "register_operations.h"
#include "second_process.h"

namespace gicsim::bench {
namespace {

// Many short pieces: a host whose speed wavers for a second then has every piece run at its best at some time.
constexpr unsigned turns = 6;
constexpr std::uint64_t bare_activations = 4'000'000;
constexpr std::uint64_t rounds = 500;
constexpr std::size_t groups = 4;  ///< cases of Reference A that have a measurement

std::vector<CaseDescription> reference_cases() {
    const ExperimentDescription experiment = load_experiment("kunpeng920-ipi");
    std::vector<CaseDescription> cases(experiment.cases.begin(), experiment.cases.begin() + groups);
    for (CaseDescription& each : cases) each.options.rounds = rounds;
    return cases;
}

void best(double& least, double value) {
    least = least == 0 ? value : std::min(least, value);
}

/// Everything the benchmarks share.
class Bench {
public:
    explicit Bench(std::vector<CaseDescription> cases)
        : cases_(std::move(cases)),
          second_([this] {
              return case_meter({on_960_cores(cases_.front(), false), on_960_cores(cases_.front(), true)});
          }),
          third_(litmus_meter),
          bare_("bare"),
          platform_(cases_.front().machine) {}

    [[nodiscard]] const std::vector<CaseDescription>& cases() const { return cases_; }

    void bare(benchmark::State& state) {
        double seconds = 0;
        while (state.KeepRunning()) {
            const double start = processor_seconds();
            bare_.run(bare_activations);
            seconds = processor_seconds() - start;
        }
        best(bare_seconds_, seconds);
        state.counters["activations"] =
            benchmark::Counter(static_cast<double>(bare_activations), benchmark::Counter::kIsRate);
    }

    void reference(benchmark::State& state, std::size_t i) {
        MeasuredRun run;
        while (state.KeepRunning()) run = measure(platform_, cases_[i]);
        if (reference_[i].seconds == 0 || run.seconds < reference_[i].seconds) reference_[i] = run;
        if (i == 0) best(figures_.seconds_per_ipi_96, per_ipi(run));
        figures_.late_allocations = std::max(figures_.late_allocations, run.late_allocations);
        figures_.peak_megabytes = peak_megabytes();
        count(state, run);
    }

    void large(benchmark::State& state, std::size_t i) {
        MeasuredRun run;
        while (state.KeepRunning()) {
            run = second_.measure(i);
            state.SetIterationTime(run.round_seconds);
        }
        best(i == 0 ? figures_.seconds_per_ipi_960 : figures_.seconds_per_ipi_959, per_ipi(run));
        count(state, run);
    }

    void litmus(benchmark::State& state) {
        MeasuredRun run;
        while (state.KeepRunning()) {
            run = third_.measure(0);
            state.SetIterationTime(run.seconds);
        }
        best(figures_.seconds_per_execution, run.seconds / static_cast<double>(run.ipis));
        state.counters["executions"] = benchmark::Counter(static_cast<double>(run.ipis), benchmark::Counter::kIsRate);
    }

    void registers(benchmark::State& state) {
        double seconds = 0;
        while (state.KeepRunning()) {
            const double start = processor_seconds();
            benchmark::DoNotOptimize(registers_.run());
            seconds = processor_seconds() - start;
        }
        best(figures_.seconds_per_register_access, seconds / RegisterOperations::count);
        state.counters["accesses"] = benchmark::Counter(RegisterOperations::count, benchmark::Counter::kIsRate);
    }

    /// False when --benchmark_filter left a part out.
    [[nodiscard]] bool complete() const {
        return bare_seconds_ > 0 && figures_.seconds_per_ipi_960 > 0 && figures_.seconds_per_ipi_959 > 0 &&
               figures_.seconds_per_execution > 0 && figures_.seconds_per_register_access > 0 &&
               std::all_of(reference_.begin(), reference_.end(), [](const MeasuredRun& run) { return run.ipis > 0; });
    }

    [[nodiscard]] Figures figures() const {
        Figures figures = figures_;
        MeasuredRun sum;
        for (const MeasuredRun& run : reference_) {
            sum.seconds += run.seconds;
            sum.simulated_seconds += run.simulated_seconds;
            sum.ipis += run.ipis;
            sum.events += run.events;
        }
        figures.bare_per_second = static_cast<double>(bare_activations) / bare_seconds_;
        figures.ipis_per_second = static_cast<double>(sum.ipis) / sum.seconds;
        figures.slowdown = sum.seconds / sum.simulated_seconds;
        figures.events_per_ipi = static_cast<double>(sum.events) / static_cast<double>(sum.ipis);
        return figures;
    }

private:
    static double per_ipi(const MeasuredRun& run) { return run.round_seconds / static_cast<double>(run.ipis); }
    static void count(benchmark::State& state, const MeasuredRun& run) {
        state.counters["ipis"] = benchmark::Counter(static_cast<double>(run.ipis), benchmark::Counter::kIsRate);
        state.counters["events_per_ipi"] = static_cast<double>(run.events) / static_cast<double>(run.ipis);
    }

    std::vector<CaseDescription> cases_;
    // Before everything that elaborates.
    SecondProcess second_;
    SecondProcess third_;
    BareMethod bare_;
    Platform platform_;
    RegisterOperations registers_;
    double bare_seconds_ = 0;
    std::array<MeasuredRun, groups> reference_{};  ///< the best of each case
    Figures figures_;
};

void register_all(Bench& bench) {
    for (unsigned n = 1; n <= turns; ++n) {
        const auto name = [n](const char* what) { return fmt::format("{}/turn:{}", what, n); };
        benchmark::RegisterBenchmark(name("bare SC_METHOD").c_str(), [&bench](auto& state) { bench.bare(state); })
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
        for (std::size_t i = 0; i < bench.cases().size(); ++i) {
            benchmark::RegisterBenchmark(name(bench.cases()[i].name.c_str()).c_str(),
                                         [&bench, i](auto& state) { bench.reference(state, i); })
                ->Iterations(1)
                ->Unit(benchmark::kMillisecond);
        }
        benchmark::RegisterBenchmark(name("litmus, two threads").c_str(),
                                     [&bench](auto& state) { bench.litmus(state); })
            ->Iterations(1)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(name("GIC registers").c_str(), [&bench](auto& state) { bench.registers(state); })
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
        const char* const sizes[] = {"960 cores, 95 targets", "960 cores, 959 targets"};
        for (std::size_t i = 0; i < std::size(sizes); ++i) {
            benchmark::RegisterBenchmark(name(sizes[i]).c_str(), [&bench, i](auto& state) { bench.large(state, i); })
                ->Iterations(1)
                ->UseManualTime()
                ->Unit(benchmark::kMillisecond);
        }
    }
}

/// Takes `--figures=FILE` out of the arguments; empty when it is not there.
std::string take_figures_file(int& argc, char* argv[]) {
    constexpr std::string_view option = "--figures=";
    char** const end = argv + argc;
    char** const found = std::find_if(
        argv, end, [option](const char* argument) { return std::string_view(argument).starts_with(option); });
    if (found == end) return {};
    std::string file = *found + option.size();
    std::rotate(found, found + 1, end);
    --argc;
    return file;
}

int run(int argc, char* argv[]) {
    const std::string file = take_figures_file(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
#ifndef NDEBUG
    std::cerr << "gicsim-bench: this is no Release build; the figures mean nothing\n";
#endif
    Bench bench(reference_cases());
    register_all(bench);
    // The single measurements are talk; stdout gets what was asked for: requirements and figures.
    benchmark::ConsoleReporter reporter(benchmark::ConsoleReporter::OO_None);
    reporter.SetOutputStream(&std::cerr);
    reporter.SetErrorStream(&std::cerr);
    benchmark::RunSpecifiedBenchmarks(&reporter);
    if (!bench.complete()) {
        std::cerr << "gicsim-bench: a part was left out, so there is no verdict\n";
        return 0;
    }
    const Figures figures = bench.figures();
    std::cout << figures.table();
    if (!file.empty()) {
        std::ofstream stream(file);
        stream << figures.json();
        if (!stream.flush()) {
            std::cerr << "gicsim-bench: cannot write '" << file << "'\n";
            return 3;
        }
    }
    return figures.meets_requirements() ? 0 : 1;
}

}  // namespace
}  // namespace gicsim::bench

// SystemC wants to own main(); its banner on stdout would spoil the table.
int main(int argc, char* argv[]) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char* argv[]) {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    try {
        return gicsim::bench::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "gicsim-bench: " << error.what() << "\n";
        return 70;
    }
}
