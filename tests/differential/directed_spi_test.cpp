#include <array>

#include "differential/pe_view.h"
#include "differential/script.h"
#include "support/catch.h"
#include "support/gic_offsets.h"

// Rules of SPIs gone through value by value, on both sides.

namespace gicsim::test {
namespace {

using enum IccRegister;

constexpr CpuId cpu0{0};
constexpr unsigned spi = 40;
constexpr std::uint32_t word = 4 * (spi / 32);
constexpr std::uint32_t bit = 1U << spi % 32;
constexpr std::uint32_t route = gicd::irouter + 8 * spi;

/// The SPI's fields, each in a way that a wrong neighbour shows.
void put_into(Script& script, Group group) {
    script.gicd(gicd::igroupr + word, group == Group::g1ns ? bit : 0);
    script.gicd(gicd::igrpmodr + word, group == Group::g1s ? bit : 0);
}

}  // namespace

TEST_CASE("what a Non-secure access may do to an SPI goes by its group and GICD_NSACR as in QEMU", "[directed]") {
    for (const bool two : {false, true}) {
        Script script({1, two, true});
        script.open(cpu0);
        script.gicd(0, 0);
        const std::array<std::uint32_t, 7> bitmaps = {gicd::isenabler, gicd::icenabler, gicd::ispendr, gicd::icpendr,
                                                      gicd::isactiver, gicd::icactiver, gicd::igroupr};
        for (const Group group : groups_of(two)) {
            for (unsigned nsacr = 0; nsacr < 4; ++nsacr) {
                put_into(script, group);
                script.gicd(gicd::nsacr + spi / 16 * 4, std::uint64_t{nsacr} << 2 * (spi % 16));
                for (const bool set : {false, true}) {
                    for (const std::uint32_t array : bitmaps) {
                        script.gicd(gicd::isenabler + word, set ? bit : 0);
                        script.gicd(gicd::icenabler + word, set ? 0 : bit);
                        script.gicd(gicd::ispendr + word, set ? bit : 0);
                        script.gicd(gicd::icpendr + word, set ? 0 : bit);
                        script.gicd(gicd::isactiver + word, set ? bit : 0);
                        script.gicd(gicd::icactiver + word, set ? 0 : bit);
                        script.read_gicd(array + word, non_secure);
                        script.gicd_as(non_secure, array + word, bit);
                        for (const std::uint32_t after : bitmaps) script.read_gicd(after + word, script.top());
                        if (array == gicd::igroupr) put_into(script, group);
                    }
                }
                script.gicd(route, 0, 8);
                script.gicd_as(non_secure, route, 1, 8);
                script.read_gicd(route, non_secure, 8);
                script.read_gicd(route, script.top(), 8);
                script.gicd_as(non_secure, gicd::icfgr + spi / 16 * 4, 2U << 2 * (spi % 16));
                script.read_gicd(gicd::icfgr + spi / 16 * 4, non_secure);
                script.read_gicd(gicd::icfgr + spi / 16 * 4, script.top());
                script.gicd(gicd::icfgr + spi / 16 * 4, 0);
                script.gicd(gicd::ipriorityr + spi, 0x45, 1);
                script.read_gicd(gicd::ipriorityr + spi, non_secure, 1);
                script.gicd_as(non_secure, gicd::ipriorityr + spi, 0x66, 1);
                script.read_gicd(gicd::ipriorityr + spi, non_secure, 1);
                script.read_gicd(gicd::ipriorityr + spi, script.top(), 1);
                for (const std::uint32_t secret : {gicd::igrpmodr + word, gicd::nsacr + spi / 16 * 4}) {
                    script.read_gicd(secret, non_secure);
                    script.gicd_as(non_secure, secret, ~0U);
                    script.read_gicd(secret, script.top());
                }
            }
        }
        script.finish();
    }
}

TEST_CASE("every priority of an SPI reads back as QEMU has it, in both views", "[directed]") {
    for (const bool two : {false, true}) {
        for (const bool eight : {false, true}) {
            Script script({1, two, eight});
            script.gicd(gicd::igroupr + word, bit);
            for (unsigned value = 0; value < 256; ++value) {
                for (const Security writer : {script.top(), non_secure}) {
                    if (!eight && (value & (two && writer == non_secure ? 0xF : 7)) != 0) continue;
                    script.gicd_as(writer, gicd::ipriorityr + spi, value, 1);
                    script.read_gicd(gicd::ipriorityr + spi, script.top(), 1);
                    script.read_gicd(gicd::ipriorityr + spi, non_secure, 1);
                    script.read_gicd(gicd::ipriorityr + spi, non_secure);
                }
            }
            script.finish();
        }
    }
}

TEST_CASE("an SPI goes to the CPU of its route as in QEMU, and follows it while it is pending", "[directed]") {
    for (const bool two : {false, true}) {
        Script script({18, two, false});
        for (unsigned n = 0; n < 18; ++n) script.open(cpu_id(n));
        put_into(script, Group::g1ns);
        script.gicd(gicd::isenabler + word, bit);
        const auto look = [&] {
            for (const unsigned n : {0U, 1U, 15U, 16U, 17U}) script.mrs(cpu_id(n), ICC_HPPIR1_EL1, non_secure);
        };
        for (const std::uint64_t to : {0x0ULL, 0x1ULL, 0xFULL, 0x100ULL, 0x101ULL, 0x10ULL, 0x200ULL, 0x1'0000ULL,
                                       0x1'0000'0000ULL, 0x11'0000'0001ULL}) {
            script.gicd(route, to, 8);
            script.gicd(gicd::ispendr + word, bit);
            look();
            // In halves, the low one first; and back.
            script.gicd(route, 0x101);
            look();
            script.gicd(route + 4, 0);
            look();
            script.read_gicd(route, script.top(), 8);
            script.read_gicd(route + 4, script.top());
            REQUIRE(script.mrs(cpu_id(17), ICC_IAR1_EL1, non_secure) == spi);
            script.read_gicd(gicd::isactiver + word, script.top());
            // Completed elsewhere, with split modes.
            script.msr(cpu_id(17), ICC_EOIR1_EL1, spi, non_secure);
            script.read_gicd(gicd::isactiver + word, script.top());
        }
        script.finish();
    }
}

TEST_CASE("SGIs, PPIs and SPIs compete, nest and are completed as in QEMU", "[directed]") {
    for (const bool two : {false, true}) {
        Script script({1, two, false});
        for (const Group group : groups_of(two)) {
            const Security state = group == Group::g1ns ? non_secure : script.top();
            script.open(cpu0);
            script.put_into(cpu0, group, ~0U);
            put_into(script, group);
            script.gicd(route, 0, 8);
            script.gicd(gicd::isenabler + word, bit);
            constexpr std::array<unsigned, 4> priorities = {0x20, 0x40, 0x80, 0xF0};
            for (const unsigned of_spi : priorities) {
                for (const unsigned of_sgi : priorities) {
                    for (const unsigned of_ppi : priorities) {
                        script.gicd(gicd::ipriorityr + spi, of_spi, 1);
                        script.gicr(cpu0, gicr::ipriorityr + 3, of_sgi, 1);
                        script.gicr(cpu0, gicr::ipriorityr + 20, of_ppi, 1);
                        // The lowest INTID first, so that no worse one is held already.
                        script.gicr(cpu0, gicr::ispendr0, 1U << 3);
                        script.gicr(cpu0, gicr::ispendr0, 1U << 20);
                        script.gicd(gicd::ispendr + word, bit);
                        for (unsigned n = 0; n < 3; ++n) {
                            const std::uint64_t id = script.mrs(cpu0, iar_of(group), state);
                            script.mrs(cpu0, ICC_RPR_EL1, state);
                            script.read_gicd(gicd::isactiver + word, script.top());
                            if (id < 1020) script.msr(cpu0, eoir_of(group), id, state);
                            script.read_gicd(gicd::isactiver + word, script.top());
                        }
                    }
                }
            }
            script.finish();
        }
    }
}

}  // namespace gicsim::test
