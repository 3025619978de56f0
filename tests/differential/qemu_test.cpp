#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "differential/generator.h"
#include "differential/known_differences.h"
#include "support/catch.h"

// GICv3 State classes against the GICv3 of QEMU 7.2: the same accesses, one after the other, on both.

namespace gicsim::test {
namespace {

GicParameters parameters_for(const MachineOptions& options) {
    GicParameters parameters;
    parameters.single_security = !options.two_security_states;
    parameters.priority_bits = options.eight_priority_bits ? 8 : 5;
    return parameters;
}

std::vector<Affinity> affinities_for(const MachineOptions& options) {
    std::vector<Affinity> all;
    for (unsigned n = 0; n < options.cpus; ++n) {
        all.push_back(Affinity{0, 0, static_cast<std::uint8_t>(n / 16), static_cast<std::uint8_t>(n % 16)});
    }
    return all;
}

/// Both sides.
class Comparison {
public:
    explicit Comparison(const MachineOptions& options)
        : options_(options), gic_(parameters_for(options), affinities_for(options)), qemu_(options) {
        if (!options.two_security_states) return;
        for (unsigned n = 0; n < options.cpus; ++n) gic_.set_security(cpu_id(n), Security::secure);
    }

    [[nodiscard]] SettledGic& gic() { return gic_; }

    /// On our side only, until check().
    Outcome add(const Access& access) {
        Step step;
        step.access = access;
        step.leeway = leeway(access, gic_, options_);
        step.ours = perform(gic_, access, options_);
        step.leeway.pins_after = pins_differ(gic_, access.cpu);
        steps_.push_back(step);
        return step.ours;
    }

    /// What was added, on QEMU's side. The text is empty if all agrees, else the first step that does not, with what
    /// came before it.
    std::string check() {
        std::vector<GuestCommand> commands;
        for (const Step& step : steps_) commands.push_back(guest_command(step.access, options_));
        std::vector<GuestResult> results(commands.size());
        qemu_.run(commands, results);
        for (std::size_t n = 0; n < steps_.size(); ++n) steps_[n].theirs = outcome(steps_[n].access, results[n]);
        std::string text;
        for (std::size_t n = 0; n < steps_.size() && text.empty(); ++n) {
            const std::string what = disagreement(steps_[n]);
            if (!what.empty()) text = report(n, what);
        }
        steps_.clear();
        return text;
    }

private:
    [[nodiscard]] std::string report(std::size_t n, const std::string& what) const {
        std::string text = fmt::format("access {} differs in: {}\n", n, what);
        const char* wanted = std::getenv("GICSIM_DIFFERENTIAL_CONTEXT");
        const std::size_t context = wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : 10;
        for (std::size_t i = n > context ? n - context : 0; i < n; ++i) {
            text += fmt::format("  {:4}  {} : {}\n", i, steps_[i].access.text(), steps_[i].ours.text());
        }
        text += fmt::format("  {:4}  {}\n        gicsim: {}\n        QEMU:   {}\n", n, steps_[n].access.text(),
                            steps_[n].ours.text(), steps_[n].theirs.text());
        return text;
    }

    MachineOptions options_;
    SettledGic gic_;
    QemuMachine qemu_;
    std::vector<Step> steps_;
};

constexpr unsigned sequence_length = 400;

void run_random(const MachineOptions& options, std::uint64_t first_seed, unsigned sequences) {
    Comparison both(options);
    unsigned bad = 0;
    for (unsigned s = 0; s < sequences; ++s) {
        const std::uint64_t seed = first_seed + s;
        Generator generator(options, seed);
        for (const Access& access : generator.prelude(both.gic())) both.add(access);
        for (unsigned n = 0; n < sequence_length; ++n) {
            const Access access = generator.next(both.gic());
            generator.note(access, both.add(access));
        }
        const std::string difference = both.check();
        CHECK(both.gic().protocol_errors() == 0);
        if (difference.empty()) continue;
        // Not by Catch, which would break the lines.
        fmt::print(stderr, "{}, sequence {}, seed {}: {}", options.text(), s, seed, difference);
        FAIL_CHECK("sequence " << s << ", seed " << seed << " differs");
        if (++bad >= 3) return;
    }
}

}  // namespace

TEST_CASE("one Security state: random accesses give what QEMU gives", "[random]") {
    const bool eight = GENERATE(false, true);
    const unsigned cpus = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U);
    run_random({cpus, false, eight}, 1000 * cpus + (eight ? 100'000 : 0), 30);
}

TEST_CASE("two Security states: random accesses give what QEMU gives", "[random]") {
    const bool eight = GENERATE(false, true);
    const unsigned cpus = GENERATE(1U, 2U, 4U, 8U);
    run_random({cpus, true, eight}, 500'000 + 1000 * cpus + (eight ? 100'000 : 0), 30);
}

}  // namespace gicsim::test
