#ifndef GICSIM_TESTS_DIFFERENTIAL_PE_VIEW_H
#define GICSIM_TESTS_DIFFERENTIAL_PE_VIEW_H

#include <cstdint>
#include <optional>

#include "support/settled_gic.h"

// Questions about the interrupts of one PE, answered from the registers.

namespace gicsim::test {

/// How many SPIs QEMU's virt machine has.
inline constexpr unsigned spis_of_virt = 256;
/// The SPIs that the sequences use: two words of each array.
inline constexpr unsigned first_spi = 32;
inline constexpr unsigned end_of_spis = 96;

Group group_of(const SettledGic& gic, CpuId cpu, unsigned intid);
std::uint8_t priority_of(const SettledGic& gic, CpuId cpu, unsigned intid);
/// GICR_NSACR field of an SGI.
unsigned nsacr_of(const SettledGic& gic, CpuId cpu, unsigned sgi);
/// Whether ICC_IGRPEN<n>_EL1 has the group enabled.
bool group_enabled(const SettledGic& gic, CpuId cpu, Group group);

/// The pending interrupt of best priority, and lowest INTID, that the Distributor and the interrupt's own enable let
/// through, whether or not the CPU interface has its group enabled.
std::optional<unsigned> best_of_all_groups(const SettledGic& gic, CpuId cpu);
/// That one's group is disabled.
bool best_is_disabled(const SettledGic& gic, CpuId cpu);
/// The CPU interface holds an interrupt of that one's priority, but not that one.
bool holds_other_of_equals(const SettledGic& gic, CpuId cpu);

}  // namespace gicsim::test

#endif
