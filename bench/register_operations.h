#ifndef GICSIM_BENCH_REGISTER_OPERATIONS_H
#define GICSIM_BENCH_REGISTER_OPERATIONS_H

#include <cstdint>
#include <vector>

#include "gicsim/gic/cpu_interface_state.h"
#include "gicsim/gic/distributor_state.h"
#include "gicsim/gic/redistributor_state.h"

namespace gicsim::bench {

/// Random accesses to the registers of the GIC's State classes: a third each to GICD, to the GICRs of eight PEs and to
/// their ICC_ registers, half of them writes. Drawn before they are measured; effects go nowhere.
class RegisterOperations {
public:
    static constexpr std::size_t count = 1'000'000;

    RegisterOperations();
    /// All of them once, on states as after reset. Returns a sum of what was read, so that nothing is left out.
    std::uint64_t run();

private:
    enum class Target : std::uint8_t { gicd, gicr, icc };
    struct Operation {
        Target target;
        bool write;
        Security security;
        std::uint8_t pe;
        std::uint8_t size;
        std::uint32_t where;  ///< offset, or IccRegister
        std::uint32_t value;
    };

    GicParameters parameters_;
    std::vector<Operation> operations_;
    DistributorState distributor_;
    std::vector<RedistributorState> redistributors_;
    std::vector<CpuInterfaceState> interfaces_;
};

}  // namespace gicsim::bench

#endif
