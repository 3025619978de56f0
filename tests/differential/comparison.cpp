#include "differential/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "differential/pe_view.h"

namespace gicsim::test {
namespace {

GicParameters parameters_for(const MachineOptions& options) {
    GicParameters parameters;
    parameters.single_security = !options.two_security_states;
    parameters.priority_bits = options.eight_priority_bits ? 8 : 5;
    parameters.spis = spis_of_virt;
    return parameters;
}

/// As QEMU numbers its CPUs: sixteen for each value of Aff1.
std::vector<Affinity> affinities_for(const MachineOptions& options) {
    std::vector<Affinity> all;
    for (unsigned n = 0; n < options.cpus; ++n) {
        all.push_back(Affinity{0, 0, static_cast<std::uint8_t>(n / 16), static_cast<std::uint8_t>(n % 16)});
    }
    return all;
}

/// How many accesses a report shows before the one that differs.
std::size_t context() {
    const char* wanted = std::getenv("GICSIM_DIFFERENTIAL_CONTEXT");
    return wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : 10;
}

}  // namespace

Activity& Activity::operator+=(const Activity& other) {
    accesses += other.accesses;
    acknowledged += other.acknowledged;
    shared += other.shared;
    preempted += other.preempted;
    signalled += other.signalled;
    with_leeway += other.with_leeway;
    return *this;
}

std::string Activity::text() const {
    return fmt::format(
        "{} accesses: {} acknowledged an interrupt, of which {} were SPIs; {} were preempted by a FIQ; after {} a pin "
        "was high; of {} the value or the pins were not compared as they are",
        accesses, acknowledged, shared, preempted, signalled, with_leeway);
}

Comparison::Comparison(const MachineOptions& options)
    : options_(options), gic_(parameters_for(options), affinities_for(options)), qemu_(options) {
    if (!options.two_security_states) return;
    // Where guest_server.s waits.
    for (unsigned n = 0; n < options.cpus; ++n) gic_.set_pe(cpu_id(n), PeState::in(Security::secure));
}

Outcome Comparison::add(const Access& access) {
    Step step;
    step.access = access;
    step.leeway = leeway(access, gic_, options_);
    step.ours = perform(gic_, access, options_);
    step.leeway.after = pin_rule(gic_, access.cpu);
    steps_.push_back(step);
    ++activity_.accesses;
    const bool acknowledges = access.is_icc(IccRegister::ICC_IAR0_EL1) || access.is_icc(IccRegister::ICC_IAR1_EL1);
    if (acknowledges && !step.ours.preempted && step.ours.value < 1020) {
        ++activity_.acknowledged;
        if (step.ours.value >= first_spi) ++activity_.shared;
    }
    if (step.ours.preempted) ++activity_.preempted;
    if (step.ours.after.irq || step.ours.after.fiq) ++activity_.signalled;
    const Leeway& free = step.leeway;
    const bool some_pin = free.before != PinRule::equal || free.after != PinRule::equal;
    if (free.value_bits == ~std::uint64_t{0} || some_pin) ++activity_.with_leeway;
    return step.ours;
}

std::vector<Step> Comparison::run() {
    std::vector<Step> steps = std::exchange(steps_, {});
    std::vector<GuestCommand> commands;
    commands.reserve(steps.size());
    for (const Step& step : steps) commands.push_back(guest_command(step.access, options_));
    std::vector<GuestResult> results(commands.size());
    for (std::size_t at = 0; at < commands.size(); at += QemuMachine::most_commands) {
        const std::size_t count = std::min(commands.size() - at, QemuMachine::most_commands);
        qemu_.run(std::span(commands).subspan(at, count), std::span(results).subspan(at, count));
    }
    for (std::size_t n = 0; n < steps.size(); ++n) steps[n].theirs = outcome(steps[n].access, results[n]);
    return steps;
}

std::string Comparison::check() {
    const std::vector<Step> steps = run();
    for (std::size_t n = 0; n < steps.size(); ++n) {
        const std::string what = disagreement(steps[n]);
        if (!what.empty()) return report(steps, n, what);
    }
    const std::uint64_t errors = gic_.protocol_errors();
    return errors == 0 ? std::string() : fmt::format("{} packets fitted no exchange\n", errors);
}

std::string Comparison::report(const std::vector<Step>& steps, std::size_t n, const std::string& what) const {
    std::string text = fmt::format("{}: access {} differs in {}\n", options_.text(), n, what);
    for (std::size_t i = n > context() ? n - context() : 0; i < n; ++i) {
        text += fmt::format("  {:4}  {} : {}\n", i, steps[i].access.text(), steps[i].ours.text());
    }
    return text + fmt::format("  {:4}  {}\n        gicsim: {}\n        QEMU:   {}\n", n, steps[n].access.text(),
                              steps[n].ours.text(), steps[n].theirs.text());
}

}  // namespace gicsim::test
