#ifndef GICSIM_TESTS_REPLAY_SOFTWARE_H
#define GICSIM_TESTS_REPLAY_SOFTWARE_H

#include <cstdint>
#include <functional>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "support/gic_offsets.h"
#include "support/settled_gic.h"

namespace gicsim::test {

/// A GICv3 as an operating system or a bare-metal test sees it: frames, system registers, and a handler that each CPU
/// runs while a pin of it is high and interrupts are not masked. Everything settles before the next instruction, where
/// the originals wait or rely on it.
class Software : public SettledGic {
public:
    /// `clusters` values of Aff1, `cpus` CPUs in each, affinity 0.1.c.n so that no level but Aff3 is trivially zero.
    Software(const GicParameters& parameters, unsigned clusters, unsigned cpus)
        : SettledGic(parameters, affinities(clusters, cpus)),
          two_security_states_(!parameters.single_security),
          affinities_(affinities(clusters, cpus)),
          masked_(affinities_.size(), false) {}

    static std::vector<Affinity> affinities(unsigned clusters, unsigned cpus) {
        std::vector<Affinity> all;
        for (unsigned c = 0; c < clusters; ++c) {
            for (unsigned n = 0; n < cpus; ++n) {
                all.push_back(Affinity{0, 1, static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(n)});
            }
        }
        return all;
    }

    [[nodiscard]] unsigned cpus() const { return static_cast<unsigned>(affinities_.size()); }
    [[nodiscard]] Affinity affinity(unsigned cpu) const { return affinities_[cpu]; }

    /// With two Security states software below runs in the Non-secure one.
    void gicd(std::uint32_t offset, std::uint64_t value, unsigned size = 4) {
        must_be_ok(write_gicd(offset, value, size, state_));
    }
    std::uint64_t gicd_read(std::uint32_t offset, unsigned size = 4) { return ok(read_gicd(offset, size, state_)); }
    void gicr(unsigned cpu, std::uint32_t offset, std::uint64_t value, unsigned size = 4) {
        must_be_ok(write_gicr(cpu_id(cpu), offset, value, size, state_));
    }
    std::uint64_t gicr_read(unsigned cpu, std::uint32_t offset, unsigned size = 4) {
        return ok(read_gicr(cpu_id(cpu), offset, size, state_));
    }
    void msr(unsigned cpu, IccRegister reg, std::uint64_t value) { write_icc(cpu_id(cpu), reg, value, state_); }
    std::uint64_t mrs(unsigned cpu, IccRegister reg) { return read_icc(cpu_id(cpu), reg, state_); }
    std::uint64_t iar(unsigned cpu) { return mrs(cpu, IccRegister::ICC_IAR1_EL1) & 0xFF'FFFF; }
    void eoi(unsigned cpu, std::uint64_t id) { msr(cpu, IccRegister::ICC_EOIR1_EL1, id); }
    void dir(unsigned cpu, std::uint64_t id) { msr(cpu, IccRegister::ICC_DIR_EL1, id); }

    /// Polls until a write is seen everywhere; false when it never is.
    bool wait_for_rwp() {
        return poll([this] { return (gicd_read(gicd::ctlr) & gicd::rwp) == 0; });
    }
    bool wait_for_redistributor(unsigned cpu) {
        return poll([&] { return (gicr_read(cpu, gicr::ctlr) >> 3 & 1) == 0; });
    }

    /// What Secure firmware leaves behind: all interrupts Non-secure Group 1, PEs awake, PMR open. Nothing is needed
    /// with one Security state but the wake-up, and that is not Secure's affair there.
    void firmware();

    void run_in(Security state) {
        state_ = state;
        for (unsigned n = 0; n < cpus(); ++n) set_pe(cpu_id(n), PeState::in(state));
    }
    /// PSTATE.I and F.
    void mask(unsigned cpu, bool masked) { masked_[cpu] = masked; }

    /// Runs the handler of each CPU that has an interrupt until none has; how often. A CPU that keeps being interrupted
    /// makes this return `too_many`.
    static constexpr unsigned too_many = 10'000;
    template <class Handler>
    unsigned take_interrupts(Handler handler) {
        unsigned taken = 0;
        for (bool any = true; any;) {
            any = false;
            for (unsigned n = 0; n < cpus(); ++n) {
                if (masked_[n] || !(irq(cpu_id(n)) || fiq(cpu_id(n)))) continue;
                any = true;
                handler(n);
                if (++taken == too_many) return taken;
            }
        }
        return taken;
    }

private:
    template <class Condition>
    static bool poll(Condition condition) {
        for (unsigned n = 0; n < 1000; ++n) {
            if (condition()) return true;
        }
        return false;
    }
    static void must_be_ok(AccessStatus status);
    static std::uint64_t ok(const AccessResult& result) {
        must_be_ok(result.status);
        return result.value;
    }

    bool two_security_states_;
    std::vector<Affinity> affinities_;
    std::vector<bool> masked_;
    Security state_ = Security::non_secure;
};

/// ICC_SGI1R_EL1 for a list of Aff0 values below 16.
inline std::uint64_t sgi1r(unsigned n, Affinity cluster, std::uint16_t list) {
    return std::uint64_t{cluster.aff3} << 48 | std::uint64_t{cluster.aff2} << 32 | std::uint64_t{n} << 24 |
           std::uint64_t{cluster.aff1} << 16 | list;
}
inline std::uint64_t sgi1r_broadcast(unsigned n) {
    return std::uint64_t{1} << 40 | std::uint64_t{n} << 24;
}

inline GicParameters with_spis(unsigned spis, bool single_security) {
    GicParameters parameters;
    parameters.spis = spis;
    parameters.single_security = single_security;
    return parameters;
}

}  // namespace gicsim::test

#endif
