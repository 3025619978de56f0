#ifndef GICSIM_TESTS_DIFFERENTIAL_GENERATOR_H
#define GICSIM_TESTS_DIFFERENTIAL_GENERATOR_H

#include <cstdint>
#include <random>
#include <vector>

#include "differential/access.h"

namespace gicsim::test {

/// Accesses drawn at random, with what our side has done so far in mind: what was acknowledged is often completed.
class Generator {
public:
    Generator(const MachineOptions& options, std::uint64_t seed);

    /// Writes that bring every register the sequences use to a value that depends on the seed only.
    std::vector<Access> prelude(const SettledGic& gic);
    /// Keeps away from the known differences that are to be avoided.
    Access next(const SettledGic& gic);
    /// Tells what an access gave.
    void note(const Access& access, const Outcome& ours);

private:
    struct Acknowledged {
        std::uint32_t intid;
        IccRegister completion;
        Security security;
    };

    [[nodiscard]] std::uint64_t draw(std::uint64_t below) { return random_() % below; }
    [[nodiscard]] bool chance(unsigned percent) { return draw(100) < percent; }
    [[nodiscard]] std::uint32_t few_bits();
    [[nodiscard]] std::uint8_t some_priority();
    [[nodiscard]] Security some_security();
    [[nodiscard]] CpuId some_cpu() { return cpu_id(draw(options_.cpus)); }

    Access any(const SettledGic& gic);
    Access acknowledge(const SettledGic& gic);
    Access complete();
    Access configure_interface();
    Access observe_interface();
    Access generate_sgi();
    Access private_register();
    Access distributor_register();
    Access shared_register();
    Access odd_access();
    [[nodiscard]] std::uint64_t some_priorities(unsigned bytes);
    [[nodiscard]] std::uint64_t some_route();

    MachineOptions options_;
    std::mt19937_64 random_;
    CpuId cpu_{};
    std::vector<std::vector<Acknowledged>> acknowledged_;  ///< by CPU, the last one behind
};

}  // namespace gicsim::test

#endif
