#include "differential/pe_view.h"

#include <bit>

#include "gic/pe_pair.h"

namespace gicsim::test {
namespace {

using enum IccRegister;

// GICD arrays by INTID (IHI 0069, 12.9).
constexpr std::uint32_t gicd_igroupr = 0x080;
constexpr std::uint32_t gicd_isenabler = 0x100;
constexpr std::uint32_t gicd_ispendr = 0x200;
constexpr std::uint32_t gicd_isactiver = 0x300;
constexpr std::uint32_t gicd_ipriorityr = 0x400;
constexpr std::uint32_t gicd_igrpmodr = 0xD00;
constexpr std::uint32_t gicd_irouter = 0x6000;

/// Word of an array with a bit for each INTID, as Secure software sees it.
std::uint32_t word_of(const SettledGic& gic, CpuId cpu, std::uint32_t array, unsigned word) {
    const AccessResult result = word == 0 ? gic.redistributor(cpu).peek(0x10000 + array, 4, Security::secure)
                                          : gic.distributor().peek(array + 4 * word, 4, Security::secure);
    return static_cast<std::uint32_t>(result.value);
}

bool bit_of(const SettledGic& gic, CpuId cpu, std::uint32_t array, unsigned intid) {
    return (word_of(gic, cpu, array, intid / 32) >> intid % 32 & 1) != 0;
}

bool routed_to(const SettledGic& gic, CpuId cpu, unsigned intid) {
    if (intid < 32) return true;
    const std::uint64_t route = gic.distributor().peek(gicd_irouter + 8 * intid, 8, Security::secure).value;
    return Affinity::from_mpidr(route) == gic.redistributor(cpu).affinity();
}

}  // namespace

Group group_of(const SettledGic& gic, CpuId cpu, unsigned intid) {
    if (bit_of(gic, cpu, gicd_igroupr, intid)) return Group::g1ns;
    return bit_of(gic, cpu, gicd_igrpmodr, intid) ? Group::g1s : Group::g0;
}

std::uint8_t priority_of(const SettledGic& gic, CpuId cpu, unsigned intid) {
    const AccessResult byte = intid < 32 ? gic.redistributor(cpu).peek(gicr::ipriorityr + intid, 1, Security::secure)
                                         : gic.distributor().peek(gicd_ipriorityr + intid, 1, Security::secure);
    return static_cast<std::uint8_t>(byte.value);
}

unsigned nsacr_of(const SettledGic& gic, CpuId cpu, unsigned sgi) {
    return gic.redistributor(cpu).peek(gicr::nsacr, 4, Security::secure).value >> (2 * sgi) & 0b11;
}

bool group_enabled(const SettledGic& gic, CpuId cpu, Group group) {
    const Security security = group == Group::g1ns ? Security::non_secure : Security::secure;
    const IccRegister reg = group == Group::g0 ? ICC_IGRPEN0_EL1 : ICC_IGRPEN1_EL1;
    return gic.cpu_interface(cpu).peek(reg, security) != 0;
}

std::optional<unsigned> best_of_all_groups(const SettledGic& gic, CpuId cpu) {
    std::optional<unsigned> best;
    std::uint8_t best_priority = 0xFF;
    const GroupSet groups = gic.distributor().group_enables();
    for (unsigned word = 0; word < end_of_spis / 32; ++word) {
        std::uint32_t left = word_of(gic, cpu, gicd_ispendr, word) & word_of(gic, cpu, gicd_isenabler, word) &
                             ~word_of(gic, cpu, gicd_isactiver, word);
        for (; left != 0; left &= left - 1) {
            const unsigned n = 32 * word + static_cast<unsigned>(std::countr_zero(left));
            if (!routed_to(gic, cpu, n) || !groups.contains(group_of(gic, cpu, n))) continue;
            const std::uint8_t priority = priority_of(gic, cpu, n);
            if (priority >= best_priority) continue;
            best = n;
            best_priority = priority;
        }
    }
    return best;
}

bool best_is_disabled(const SettledGic& gic, CpuId cpu) {
    const std::optional<unsigned> best = best_of_all_groups(gic, cpu);
    return best && !group_enabled(gic, cpu, group_of(gic, cpu, *best));
}

bool holds_other_of_equals(const SettledGic& gic, CpuId cpu) {
    const std::optional<unsigned> best = best_of_all_groups(gic, cpu);
    const std::optional<Intid> held = gic.cpu_interface(cpu).held();
    return best && held && index(*held) != *best && priority_of(gic, cpu, *best) == priority_of(gic, cpu, index(*held));
}

}  // namespace gicsim::test
