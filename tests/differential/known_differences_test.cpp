#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "differential/comparison.h"
#include "gic/pe_pair.h"
#include "support/catch.h"

// Every known difference is there, and is what it is said to be; and the document says the same.

namespace gicsim::test {
namespace {

using enum IccRegister;
using Target = Access::Target;

constexpr CpuId cpu0{0};
constexpr auto secure = Security::secure;
constexpr auto non_secure = Security::non_secure;

constexpr MachineOptions one_state{1, false, false};
constexpr MachineOptions one_state_eight_bits{1, false, true};
constexpr MachineOptions two_states{1, true, false};
constexpr MachineOptions two_states_eight_bits{1, true, true};

/// What the last of some accesses gives on both sides.
struct Shown {
    std::string_view name;
    MachineOptions options;
    std::vector<Access> accesses;
    std::uint64_t ours;
    std::uint64_t theirs;
    bool ours_refused = false;
    bool theirs_refused = false;
};

Access gicd(std::uint32_t offset, std::uint64_t value, Security security) {
    return Access::store(cpu0, Target::gicd, offset, value, security);
}
Access gicr(std::uint32_t offset, std::uint64_t value, Security security, std::uint8_t size = 4) {
    return Access::store(cpu0, Target::gicr, offset, value, security, cpu0, size);
}
Access read_gicd(std::uint32_t offset, Security security) {
    return Access::load(cpu0, Target::gicd, offset, security);
}
Access read_gicr(std::uint32_t offset, Security security, std::uint8_t size = 4) {
    return Access::load(cpu0, Target::gicr, offset, security, cpu0, size);
}
Access msr(IccRegister reg, std::uint64_t value, Security security) {
    return Access::msr(cpu0, reg, value, security);
}
Access mrs(IccRegister reg, Security security) {
    return Access::mrs(cpu0, reg, security);
}

/// Everything open; INTIDs below 16 in Group 0 and those above in (Non-secure) Group 1, all with priority 0x80.
std::vector<Access> open_then(const MachineOptions& options, std::vector<Access> more) {
    const Security top = options.two_security_states ? secure : non_secure;
    std::vector<Access> all = {gicr(gicr::waker, 0, top),          gicr(gicr::igroupr0, 0xFFFF'0000, top),
                               gicr(gicr::isenabler0, ~0U, top),   msr(ICC_PMR_EL1, 0xFF, top),
                               msr(ICC_IGRPEN0_EL1, 1, top),       msr(ICC_IGRPEN1_EL1, 1, top),
                               msr(ICC_IGRPEN1_EL1, 1, non_secure)};
    for (unsigned word = 0; word < 8; ++word) all.push_back(gicr(gicr::ipriorityr + 4 * word, 0x8080'8080, top));
    all.push_back(gicd(0, options.two_security_states ? 0x37 : 0x13, top));
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::uint64_t sgi_value(unsigned n, unsigned rs = 0) {
    SgiRequest request = sgi(n);
    request.target_list = 1;
    request.rs = static_cast<std::uint8_t>(rs);
    return request.encode();
}

std::vector<Shown> all_shown() {
    const auto s = secure;
    const auto n = non_secure;
    const std::uint32_t group0_best = 0x2080'8080;  // INTID 3 before the others of its word
    return {
        {"Access sizes that a register does not have", one_state, {read_gicr(gicr::igroupr0, n, 2)}, 0, 0, true, false},
        {"Identification registers", one_state, {read_gicd(0xFFE8, n)}, 0x30, 0x3B},
        {"GICD_TYPER.ITLinesNumber", one_state, {read_gicd(0x004, n)}, 0x0779'0008, 0x037A'0007},
        {"GICD_TYPER.RSS and MBIS", one_state, {read_gicd(0x004, n)}, 0x0779'0008, 0x037A'0007},
        {"GICD_TYPER.LPIS", one_state, {read_gicd(0x004, n)}, 0x0779'0008, 0x037A'0007},
        {"GICD_SETSPI_NSR and the other message registers",
         one_state,
         {gicd(0xC10, ~0U, n), gicd(0x040, 64, n), read_gicd(0x208, n)},
         1,
         0},
        {"GICD_IROUTER<n>.Interrupt_Routing_Mode",
         one_state,
         {gicd(0x6000 + 8 * 40, 1U << 31, n), read_gicd(0x6000 + 8 * 40, n)},
         0,
         1U << 31},
        {"GICD_IIDR and GICR_IIDR", one_state, {read_gicd(0x008, n)}, 0, 0x43B},
        {"GICD_CTLR.E1NWF", one_state, {gicd(0, 0x80, n), read_gicd(0, n)}, 0xD0, 0x50},
        {"GICR_TYPER.PLPIS and CommonLPIAff", one_state, {read_gicr(gicr::typer, n)}, 0x10, 0x0100'0011},
        {"GICR_CTLR.CES", one_state, {read_gicr(gicr::ctlr, n)}, 0, 2},
        {"GICR_WAKER.ProcessorSleep", one_state,
         open_then(one_state, {gicr(gicr::waker, 2, n), gicr(gicr::ispendr0, 1, n), mrs(ICC_IAR0_EL1, n)}), 1023, 0},
        {"GICR_WAKER and Non-secure accesses", two_states, {read_gicr(gicr::waker, n)}, 0, 6},
        {"Unimplemented bits of a priority",
         one_state,
         {gicr(gicr::ipriorityr, 0xA7, n, 1), read_gicr(gicr::ipriorityr, n, 1)},
         0xA0,
         0xA7},
        {"ICC_CTLR_EL1.RSS", one_state, {mrs(ICC_CTLR_EL1, n)}, 0x4'8400, 0x8C00},
        {"ICC_CTLR_EL1.PMHE", one_state, {msr(ICC_CTLR_EL1, 0x40, n), mrs(ICC_CTLR_EL1, n)}, 0x4'8440, 0x8C00},
        {"Active priorities registers beyond the last level", one_state, {mrs(ICC_AP0R1_EL1, n)}, 0, 0, false, true},
        {"Preemption levels 31, 63, 95 and 127", one_state_eight_bits,
         open_then(one_state_eight_bits, {gicr(gicr::ipriorityr, 0x3E, n, 1), gicr(gicr::ispendr0, 1, n),
                                          mrs(ICC_IAR0_EL1, n), mrs(ICC_AP0R0_EL1, n)}),
         0x8000'0000, 0xFFFF'FFFF'8000'0000},
        {"Non-secure writes of ICC_AP1R<n>_EL1",
         two_states,
         {msr(ICC_AP1R0_EL1, 0x10000, n), mrs(ICC_AP1R0_EL1, n)},
         0x10000,
         0},
        {"Non-secure accesses to Group 0 registers", two_states, {mrs(ICC_IAR0_EL1, n)}, 1023, 0, false, true},
        {"ICC_PMR_EL1 = 0xFF as Non-secure software sees it",
         two_states_eight_bits,
         {msr(ICC_PMR_EL1, 0xFF, s), mrs(ICC_PMR_EL1, n)},
         0xFE,
         0xFF},
        {"A disabled group hides the others", one_state,
         open_then(one_state, {msr(ICC_IGRPEN0_EL1, 0, n), gicr(gicr::ipriorityr, group0_best, n),
                               gicr(gicr::ispendr0, 0x10'0008, n), mrs(ICC_IAR1_EL1, n)}),
         20, 1023},
        {"ICC_HPPIR<n>_EL1 while a disabled group hides the others", one_state,
         open_then(one_state, {msr(ICC_IGRPEN0_EL1, 0, n), gicr(gicr::ipriorityr, group0_best, n),
                               gicr(gicr::ispendr0, 0x10'0008, n), mrs(ICC_HPPIR1_EL1, n)}),
         20, 1023},
        {"Which of several interrupts of equal priority", one_state,
         open_then(one_state, {gicr(gicr::ispendr0, 4, n), gicr(gicr::ispendr0, 2, n), mrs(ICC_IAR0_EL1, n)}), 2, 1},
        {"ICC_HPPIR<n>_EL1 and interrupts of equal priority", one_state,
         open_then(one_state, {gicr(gicr::ispendr0, 4, n), gicr(gicr::ispendr0, 2, n), mrs(ICC_HPPIR0_EL1, n)}), 2, 1},
        {"Completing an interrupt of another group", one_state,
         open_then(one_state, {gicr(gicr::ispendr0, 2, n), mrs(ICC_IAR0_EL1, n), gicr(gicr::igroupr0, ~0U, n),
                               msr(ICC_EOIR0_EL1, 1, n), read_gicr(gicr::isactiver0, n)}),
         2, 0},
        {"ICC_SGI1R_EL1 and Group 0 with one Security state", one_state,
         open_then(one_state, {msr(ICC_SGI1R_EL1, sgi_value(5), n), read_gicr(gicr::ispendr0, n)}), 1U << 5, 0},
        {"Secure ICC_SGI1R_EL1 and Group 0", two_states,
         open_then(two_states, {msr(ICC_SGI1R_EL1, sgi_value(5), s), read_gicr(gicr::ispendr0, s)}), 0, 1U << 5},
        {"Non-secure ICC_SGI1R_EL1 and GICR_NSACR", two_states,
         open_then(two_states,
                   {gicr(gicr::nsacr, ~0U, s), msr(ICC_SGI1R_EL1, sgi_value(5), n), read_gicr(gicr::ispendr0, s)}),
         1U << 5, 0},
        {"Range selector", one_state,
         open_then(one_state, {msr(ICC_SGI0R_EL1, sgi_value(5, 1), n), read_gicr(gicr::ispendr0, n)}), 0, 1U << 5},
    };
}

}  // namespace

TEST_CASE("every known difference is as it is described", "[known]") {
    std::vector<std::string_view> shown;
    for (const Shown& each : all_shown()) {
        INFO(each.name);
        shown.push_back(each.name);
        const auto known = known_differences();
        const auto row = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.name == each.name; });
        REQUIRE(row != known.end());
        Comparison both(each.options);
        bool applied = false;
        for (const Access& access : each.accesses) {
            applied = applied || row->applies(access, both.gic(), each.options);
            both.add(access);
        }
        CHECK(applied);
        const Step last = both.run().back();
        CHECK(last.ours.value == each.ours);
        CHECK(last.theirs.value == each.theirs);
        CHECK(last.ours.refused == each.ours_refused);
        CHECK(last.theirs.refused == each.theirs_refused);
    }
    for (const KnownDifference& each : known_differences()) {
        INFO(each.name);
        CHECK(std::count(shown.begin(), shown.end(), each.name) == 1);
    }
}

TEST_CASE("docs/gicv3-differences.md lists the known differences", "[known]") {
    const std::string path = GICSIM_SOURCE_DIR "/docs/gicv3-differences.md";
    const std::string wanted = differences_document();
    if (std::getenv("GICSIM_UPDATE_DOCS") != nullptr) std::ofstream(path, std::ios::binary) << wanted;
    std::ifstream in(path, std::ios::binary);
    const std::string found(std::istreambuf_iterator<char>(in), {});
    INFO("script/update-docs writes the document");
    CHECK((found == wanted));
}

}  // namespace gicsim::test
