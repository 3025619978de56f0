#include <fmt/format.h>

#include <cstdlib>

#include "differential/comparison.h"
#include "differential/generator.h"
#include "support/catch.h"

// GICv3 State classes against the GICv3 of QEMU: the same random accesses, one after the other, on both.

namespace gicsim::test {
namespace {

constexpr unsigned sequence_length = 700;

unsigned sequences() {
    return std::getenv("GICSIM_LONG_TESTS") != nullptr ? 200 : 18;
}

/// Seeds of one machine; other ones in the long test.
std::uint64_t first_seed(const MachineOptions& options) {
    const std::uint64_t machine =
        options.cpus + (options.eight_priority_bits ? 100 : 0) + (options.two_security_states ? 1000 : 0);
    return machine * 100'000 + (std::getenv("GICSIM_LONG_TESTS") != nullptr ? 50'000 : 0);
}

Activity run_sequences(const MachineOptions& options) {
    Comparison both(options);
    for (unsigned s = 0; s < sequences(); ++s) {
        const std::uint64_t seed = first_seed(options) + s;
        Generator generator(options, seed);
        for (const Access& access : generator.prelude(both.gic())) both.add(access);
        for (unsigned n = 0; n < sequence_length; ++n) {
            const Access access = generator.next(both.gic());
            generator.note(access, both.add(access));
        }
        const std::string difference = both.check();
        if (difference.empty()) continue;
        // Not by Catch, which would break the lines.
        fmt::print(stderr, "sequence {} (seed {}), {}", s, seed, difference);
        FAIL("sequence " << s << " (seed " << seed << ") differs");
    }
    return both.activity();
}

}  // namespace

TEST_CASE("one Security state: random accesses give what QEMU gives", "[random]") {
    Activity all;
    for (const bool eight : {false, true}) {
        for (unsigned cpus = 1; cpus <= 8; ++cpus) all += run_sequences({cpus, false, eight});
        // More than one value of Aff1.
        all += run_sequences({18, false, eight});
    }
    fmt::print("{}\n", all.text());
    CHECK(all.accesses >= 150'000);
    CHECK(all.acknowledged >= all.accesses / 60);
    CHECK(all.shared >= all.acknowledged / 10);
    CHECK(all.signalled >= all.accesses / 20);
    CHECK(all.with_leeway <= all.accesses / 10);
}

TEST_CASE("two Security states: random accesses give what QEMU gives", "[random]") {
    Activity all;
    for (const bool eight : {false, true}) {
        for (const unsigned cpus : {1U, 2U, 3U, 4U, 8U}) all += run_sequences({cpus, true, eight});
    }
    fmt::print("{}\n", all.text());
    CHECK(all.accesses >= 100'000);
    CHECK(all.acknowledged >= all.accesses / 60);
    CHECK(all.shared >= all.acknowledged / 10);
    CHECK(all.signalled >= all.accesses / 20);
    CHECK(all.preempted >= all.accesses / 200);
    CHECK(all.with_leeway <= all.accesses / 10);
}

}  // namespace gicsim::test
