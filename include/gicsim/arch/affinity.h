#ifndef GICSIM_ARCH_AFFINITY_H
#define GICSIM_ARCH_AFFINITY_H

#include <compare>
#include <cstdint>
#include <functional>

namespace gicsim {

/// Linux's logical CPU number: an index, 0 to the number of CPUs - 1.
enum class CpuId : std::uint32_t {};

constexpr std::uint32_t index(CpuId cpu) {
    return static_cast<std::uint32_t>(cpu);
}
constexpr CpuId cpu_id(std::size_t n) {
    return static_cast<CpuId>(n);
}

/// The four affinity levels of MPIDR_EL1 (DDI 0487, D17.2.101).
struct Affinity {
    std::uint8_t aff3 = 0;
    std::uint8_t aff2 = 0;
    std::uint8_t aff1 = 0;
    std::uint8_t aff0 = 0;

    constexpr auto operator<=>(const Affinity&) const = default;

    /// From the affinity fields of an MPIDR_EL1 value: Aff3 at [39:32], Aff2-0 at [23:0].
    static constexpr Affinity from_mpidr(std::uint64_t mpidr) {
        return {static_cast<std::uint8_t>(mpidr >> 32), static_cast<std::uint8_t>(mpidr >> 16),
                static_cast<std::uint8_t>(mpidr >> 8), static_cast<std::uint8_t>(mpidr)};
    }
    [[nodiscard]] constexpr std::uint64_t mpidr() const {
        return static_cast<std::uint64_t>(aff3) << 32 | static_cast<std::uint64_t>(aff2) << 16 |
               static_cast<std::uint64_t>(aff1) << 8 | aff0;
    }
    /// Aff3.Aff2.Aff1.Aff0 packed in 32 bits, as GICR_TYPER[63:32] holds them (IHI 0069, GICR_TYPER).
    [[nodiscard]] constexpr std::uint32_t packed() const {
        return static_cast<std::uint32_t>(aff3) << 24 | static_cast<std::uint32_t>(aff2) << 16 |
               static_cast<std::uint32_t>(aff1) << 8 | aff0;
    }
    /// Aff3.Aff2.Aff1, what one SGI register write addresses.
    [[nodiscard]] constexpr std::uint32_t group() const { return packed() >> 8; }
};

}  // namespace gicsim

#endif
