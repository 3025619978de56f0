#ifndef GICSIM_TESTS_SUPPORT_GIC_OFFSETS_H
#define GICSIM_TESTS_SUPPORT_GIC_OFFSETS_H

#include <cstdint>

// Where software finds the registers (IHI 0069, 12.8 and 12.10). Written down again here, so that a wrong offset in a
// register table does not go unnoticed.

namespace gicsim::test {

namespace gicd {
constexpr std::uint32_t ctlr = 0x0000;
constexpr std::uint32_t typer = 0x0004;
constexpr std::uint32_t iidr = 0x0008;
constexpr std::uint32_t setspi_nsr = 0x0040;
constexpr std::uint32_t clrspi_nsr = 0x0048;
constexpr std::uint32_t setspi_sr = 0x0050;
constexpr std::uint32_t igroupr = 0x0080;
constexpr std::uint32_t isenabler = 0x0100;
constexpr std::uint32_t icenabler = 0x0180;
constexpr std::uint32_t ispendr = 0x0200;
constexpr std::uint32_t icpendr = 0x0280;
constexpr std::uint32_t isactiver = 0x0300;
constexpr std::uint32_t icactiver = 0x0380;
constexpr std::uint32_t ipriorityr = 0x0400;
constexpr std::uint32_t icfgr = 0x0C00;
constexpr std::uint32_t igrpmodr = 0x0D00;
constexpr std::uint32_t nsacr = 0x0E00;
constexpr std::uint32_t inmir = 0x0F80;
constexpr std::uint32_t igroupr_e = 0x1000;
constexpr std::uint32_t isenabler_e = 0x1200;
constexpr std::uint32_t icenabler_e = 0x1400;
constexpr std::uint32_t ispendr_e = 0x1600;
constexpr std::uint32_t icpendr_e = 0x1800;
constexpr std::uint32_t isactiver_e = 0x1A00;
constexpr std::uint32_t icactiver_e = 0x1C00;
constexpr std::uint32_t ipriorityr_e = 0x2000;
constexpr std::uint32_t icfgr_e = 0x3000;
constexpr std::uint32_t irouter = 0x6000;  ///< of INTID n at 8 * n from here
constexpr std::uint32_t irouter_e = 0x8000;
constexpr std::uint32_t pidr2 = 0xFFE8;
constexpr std::uint64_t rwp = std::uint64_t{1} << 31;
constexpr std::uint64_t irm = std::uint64_t{1} << 31;  ///< GICD_IROUTER<n>.Interrupt_Routing_Mode
}  // namespace gicd

/// From RD_base; SGI_base is at 0x10000.
namespace gicr {
constexpr std::uint32_t ctlr = 0x0000;
constexpr std::uint32_t typer = 0x0008;
constexpr std::uint32_t waker = 0x0014;
constexpr std::uint32_t igroupr0 = 0x10080;
constexpr std::uint32_t isenabler0 = 0x10100;
constexpr std::uint32_t icenabler0 = 0x10180;
constexpr std::uint32_t ispendr0 = 0x10200;
constexpr std::uint32_t icpendr0 = 0x10280;
constexpr std::uint32_t isactiver0 = 0x10300;
constexpr std::uint32_t icactiver0 = 0x10380;
constexpr std::uint32_t ipriorityr = 0x10400;
constexpr std::uint32_t icfgr0 = 0x10C00;
constexpr std::uint32_t icfgr1 = 0x10C04;
constexpr std::uint32_t igrpmodr0 = 0x10D00;
constexpr std::uint32_t nsacr = 0x10E00;
}  // namespace gicr

}  // namespace gicsim::test

#endif
