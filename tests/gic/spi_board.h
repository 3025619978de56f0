#ifndef GICSIM_TESTS_GIC_SPI_BOARD_H
#define GICSIM_TESTS_GIC_SPI_BOARD_H

#include <vector>

#include "support/catch.h"
#include "support/gic_offsets.h"
#include "support/settled_gic.h"

namespace gicsim::test {

inline constexpr auto secure = Security::secure;
inline constexpr auto non_secure = Security::non_secure;

inline const std::vector<Affinity>& four() {
    static const std::vector<Affinity> affinities{{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}, {1, 0, 0, 0}};
    return affinities;
}

/// Four PEs awake with groups enabled and PMR open; all interrupts Group 1 Non-secure, priority 0xA0, SPIs for PE 0.
struct Board : SettledGic {
    explicit Board(bool single_security = true) : SettledGic(fully_equipped(single_security), four()) {
        gicd(gicd::ctlr, single_security ? 0b11 : 0b111);
        for (unsigned w = 1; w < 32; ++w) gicd(gicd::igroupr + 4 * w, ~0U);
        for (unsigned w = 0; w < 32; ++w) gicd(0x1000 + 4 * w, ~0U);
        for (unsigned n = 32; n < 1020; n += 4) gicd(gicd::ipriorityr + n, 0xA0A0A0A0);
        for (unsigned n = 0; n < 1024; n += 4) gicd(0x2000 + n, 0xA0A0A0A0);
        for (unsigned n = 0; n < pe_count(); ++n) {
            const CpuId cpu = cpu_id(n);
            write_gicr(cpu, 0x14, 0, 4, secure);
            for (unsigned w = 0; w < 3; ++w) write_gicr(cpu, 0x10080 + 4 * w, ~0U, 4, secure);
            write_icc(cpu, IccRegister::ICC_PMR_EL1, 0xFF, Accessor::at_el3(secure));
            write_icc(cpu, IccRegister::ICC_IGRPEN0_EL1, 1, secure);
            write_icc(cpu, IccRegister::ICC_IGRPEN1_EL1, 1, secure);
            write_icc(cpu, IccRegister::ICC_IGRPEN1_EL1, 1, non_secure);
        }
    }
    void gicd(std::uint32_t offset, std::uint64_t value, Security security = secure, unsigned size = 4) {
        REQUIRE(write_gicd(offset, value, size, security) == AccessStatus::ok);
    }
    std::uint64_t gicd_read(std::uint32_t offset, Security security = secure, unsigned size = 4) {
        const AccessResult result = read_gicd(offset, size, security);
        REQUIRE(result.status == AccessStatus::ok);
        return result.value;
    }
    void enable(unsigned n) { gicd(gicd::isenabler + n / 32 * 4, 1U << n % 32); }
    void route(unsigned n, std::uint64_t value) { gicd(gicd::irouter + 8 * n, value, secure, 8); }
    void edge(unsigned n) {
        const std::uint32_t word = gicd::icfgr + n / 16 * 4;
        gicd(word, gicd_read(word) | 2U << 2 * (n % 16));
    }
    void priority(unsigned n, unsigned value) { gicd(gicd::ipriorityr + n, value, secure, 1); }
    std::uint64_t iar(unsigned cpu) { return read_icc(cpu_id(cpu), IccRegister::ICC_IAR1_EL1, non_secure); }
    std::uint64_t hppir(unsigned cpu) { return read_icc(cpu_id(cpu), IccRegister::ICC_HPPIR1_EL1, non_secure); }
    void eoi(unsigned cpu, std::uint64_t id) { write_icc(cpu_id(cpu), IccRegister::ICC_EOIR1_EL1, id, non_secure); }
    void line(unsigned n, bool level) { set_spi_line(intid(n), level); }
    bool bit(std::uint32_t array, unsigned n, Security security = secure) {
        return (gicd_read(array + n / 32 * 4, security) >> n % 32 & 1) != 0;
    }
};

}  // namespace gicsim::test

#endif
