#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "support/catch.h"
#include "support/settled_gic.h"

// docs/gicv3-compliance.md is written from the register tables and from what is said here about each register; this
// test sees to it that every register is spoken of, that the tests named exist, and that a register is what it is said
// to be.

namespace gicsim::test {
namespace {

enum class Standing : std::uint8_t {
    implemented,
    res0,
    absent,
};

struct Statement {
    Standing standing;
    std::string_view why;         ///< where it is not implemented
    std::vector<std::string> by;  ///< beginnings of the names of tests, up to the full stop
};

using Statements = std::map<std::string, Statement, std::less<>>;

Statement implemented(std::vector<std::string> by) {
    return {Standing::implemented, "", std::move(by)};
}
Statement res0(std::string_view why, std::vector<std::string> by) {
    return {Standing::res0, why, std::move(by)};
}
Statement absent(std::string_view why) {
    return {Standing::absent, why, {"Redistributor registers 9"}};
}

constexpr std::string_view private_word = "private interrupts live in the Redistributors while affinity routing is on";
constexpr std::string_view no_identity = "IMPLEMENTATION DEFINED; nobody in particular made it";
constexpr std::string_view no_statusr = "its implementation is optional; bad accesses are answered and counted instead";
constexpr std::string_view no_lpis = "there are no LPIs";

const Statements& statements() {
    static const Statements table = [] {
        Statements s{
            {"GICD_CTLR", implemented({"Distributor 1", "Distributor 2", "Distributor 3", "Distributor 4", "SPI 15"})},
            {"GICD_TYPER", implemented({"Distributor 6", "SPI 8"})},
            {"GICD_IIDR", res0(no_identity, {"Distributor 6"})},
            {"GICD_TYPER2", res0("no virtual interface, no GICv4.1", {"Distributor 6"})},
            {"GICD_STATUSR", res0(no_statusr, {"Distributor 6"})},
            {"GICD_SETSPI_NSR", implemented({"SPI 9", "SPI 10"})},
            {"GICD_CLRSPI_NSR", implemented({"SPI 9"})},
            {"GICD_SETSPI_SR", implemented({"SPI 10"})},
            {"GICD_CLRSPI_SR", implemented({"SPI 10"})},
            {"GICD_IGROUPR", implemented({"SPI 10"})},
            {"GICD_ISENABLER", implemented({"SPI 3", "SPI 10"})},
            {"GICD_ICENABLER", implemented({"SPI 3", "SPI 15"})},
            {"GICD_ISPENDR", implemented({"SPI 1", "SPI 10"})},
            {"GICD_ICPENDR", implemented({"SPI 10"})},
            {"GICD_ISACTIVER", implemented({"SPI 1"})},
            {"GICD_ICACTIVER", implemented({"SPI 14"})},
            {"GICD_IPRIORITYR", implemented({"SPI 5"})},
            {"GICD_ICFGR", implemented({"SPI 2"})},
            {"GICD_IGRPMODR", implemented({"Compliance 3"})},
            {"GICD_NSACR", implemented({"SPI 10"})},
            {"GICD_INMIR", implemented({"SPI 14"})},
            {"GICD_IROUTER", implemented({"SPI 4", "SPI 11"})},
            {"GICD_PIDR2", implemented({"Distributor 6"})},
            {"GICR_CTLR", implemented({"Redistributor 19", "SPI 12", "GIC timing 12"})},
            {"GICR_IIDR", res0(no_identity, {"Redistributor registers 11"})},
            {"GICR_TYPER", implemented({"Redistributor registers 1", "SPI 7", "SPI 12"})},
            {"GICR_STATUSR", res0(no_statusr, {"Redistributor registers 11"})},
            {"GICR_WAKER", implemented({"Redistributor 17", "Redistributor 18", "GIC timing 13", "SPI 13"})},
            {"GICR_PIDR2", implemented({"Redistributor registers 11"})},
            {"GICR_IGROUPR", implemented({"Redistributor registers 3", "Redistributor 5"})},
            {"GICR_ISENABLER", implemented({"Redistributor registers 2", "SPI 7"})},
            {"GICR_ICENABLER", implemented({"Redistributor registers 8", "Redistributor 19"})},
            {"GICR_ISPENDR", implemented({"Redistributor registers 8"})},
            {"GICR_ICPENDR", implemented({"Redistributor registers 8", "Redistributor 11"})},
            {"GICR_ISACTIVER", implemented({"Redistributor 3", "SPI 7"})},
            {"GICR_ICACTIVER", implemented({"Redistributor registers 8"})},
            {"GICR_IPRIORITYR", implemented({"Redistributor registers 5", "Redistributor registers 6"})},
            {"GICR_ICFGR0", implemented({"Redistributor registers 7"})},
            {"GICR_ICFGR", implemented({"Redistributor registers 7", "Redistributor 12"})},
            {"GICR_IGRPMODR", implemented({"Redistributor registers 4"})},
            {"GICR_NSACR", implemented({"Redistributor 15", "Redistributor registers 4"})},
            {"GICR_INMIR", implemented({"Compliance 3"})},
            {"ICC_PMR_EL1", implemented({"Priority 1", "Priority 2", "Priority 3"})},
            {"ICC_IAR0_EL1", implemented({"CPU interface 19", "SPI 16"})},
            {"ICC_IAR1_EL1", implemented({"CPU interface 3", "CPU interface 4", "CPU interface 20"})},
            {"ICC_EOIR0_EL1", implemented({"CPU interface 12", "CPU interface 19"})},
            {"ICC_EOIR1_EL1", implemented({"CPU interface 9", "CPU interface 12"})},
            {"ICC_HPPIR0_EL1", implemented({"SPI 16"})},
            {"ICC_HPPIR1_EL1", implemented({"SPI 3", "SPI 5"})},
            {"ICC_BPR0_EL1", implemented({"Priority 5", "Priority 6"})},
            {"ICC_BPR1_EL1", implemented({"Priority 5", "Priority 7", "Priority 8", "Priority 9"})},
            {"ICC_DIR_EL1", implemented({"CPU interface 10", "CPU interface 22"})},
            {"ICC_RPR_EL1", implemented({"Priority 4", "SPI 14"})},
            {"ICC_SGI0R_EL1", implemented({"CPU interface 14", "Redistributor 16"})},
            {"ICC_SGI1R_EL1", implemented({"CPU interface 14", "Redistributor 16"})},
            {"ICC_ASGI1R_EL1", implemented({"CPU interface 14", "Redistributor 16"})},
            {"ICC_CTLR_EL1", implemented({"CPU interface 2", "CPU interface 11"})},
            {"ICC_SRE_EL1", implemented({"CPU interface 1"})},
            {"ICC_IGRPEN0_EL1", implemented({"CPU interface 7", "CPU interface 21"})},
            {"ICC_IGRPEN1_EL1", implemented({"CPU interface 7"})},
            {"ICC_NMIAR1_EL1", implemented({"SPI 14"})},
            {"ICC_SRE_EL2", implemented({"Compliance 3"})},
            {"ICC_CTLR_EL3", implemented({"SPI 16", "Priority 9"})},
            {"ICC_SRE_EL3", implemented({"SPI 16"})},
            {"ICC_IGRPEN1_EL3", implemented({"SPI 16"})},
        };
        for (const std::string array : {"IGROUPR", "ISENABLER", "ICENABLER", "ISPENDR", "ICPENDR", "ISACTIVER",
                                        "ICACTIVER", "IPRIORITYR", "ICFGR", "IGRPMODR", "NSACR", "INMIR"}) {
            s["GICD_" + array + "0"] = res0(private_word, {"Distributor 7"});
            s["GICD_" + array + "_E"] = implemented({"SPI 7", "Compliance 2"});
        }
        s["GICD_IROUTER_E"] = implemented({"SPI 7"});
        for (const std::string frame : {"GICD_", "GICR_"}) {
            for (const char* id : {"PIDR4", "PIDR0", "PIDR3"}) s[frame + id] = res0(no_identity, {"Compliance 2"});
            for (const char* id : {"CIDR0", "CIDR1", "CIDR2", "CIDR3"}) s[frame + id] = implemented({"Compliance 2"});
        }
        for (const char* lpi : {"SETLPIR", "CLRLPIR", "PROPBASER", "PENDBASER", "INVLPIR", "INVALLR", "SYNCR"}) {
            s[std::string("GICR_") + lpi] = absent(no_lpis);
        }
        for (unsigned n = 0; n < 4; ++n) {
            s[fmt::format("ICC_AP0R{}_EL1", n)] = implemented({"Priority 11", "Priority 12"});
            s[fmt::format("ICC_AP1R{}_EL1", n)] = implemented({"Priority 12", "Priority 13"});
        }
        return s;
    }();
    return table;
}

std::vector<std::string> test_names() {
    std::vector<std::string> names;
    for (const auto& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) names.push_back(test.name);
    return names;
}

/// The whole name of the test that begins so; empty when there is none.
std::string full_name(const std::string& beginning) {
    static const std::vector<std::string> names = test_names();
    for (const std::string& name : names) {
        if (name.starts_with(beginning + ".")) return name;
    }
    return {};
}

std::string_view word(Standing standing) {
    switch (standing) {
        case Standing::implemented: return "implemented";
        case Standing::res0: return "RES0";
        case Standing::absent: return "absent";
    }
    return "";
}

std::string row_text(const std::string& place, const std::string& name, const Statement& statement) {
    std::string by;
    for (const std::string& beginning : statement.by) by += (by.empty() ? "" : "; ") + beginning;
    const std::string_view mark = statement.why.empty() ? "" : ": ";
    return fmt::format("| {} | `{}` | {}{}{} | {} |\n", place, name, word(statement.standing), mark, statement.why, by);
}

template <class Frame>
std::string frame_text(const Frame& frame, std::string_view title) {
    std::string text = fmt::format("\n## {}\n\n| Offset | Register | | Tests |\n|---|---|---|---|\n", title);
    for (const auto& row : frame.rows()) {
        const std::string name(row.name);
        const std::string place = row.count == 1 ? fmt::format("0x{:04X}", row.offset)
                                                 : fmt::format("0x{:04X}, {} times", row.offset, row.count);
        const auto statement = statements().find(name);
        INFO(name);
        REQUIRE(statement != statements().end());
        text += row_text(place, name, statement->second);
    }
    return text;
}

std::string document() {
    std::string text =
        "# GICv3: what is there\n\n"
        "Every register of the tables in the code and every system register of the physical CPU interface, with the "
        "tests\n"
        "of `test-gic` that are about it; `test-differential` compares them with QEMU besides. *Implemented* has its "
        "effect,\n*RES0* reads as zero and ignores writes, *absent* does so too and is counted\n"
        "(`unimplemented_accesses`), as is every offset that is not listed.\n\n"
        "Not in the tables: LPIs and the ITS; the virtual CPU interface (ICH_, ICV_) and GICv4; legacy operation\n"
        "(GICC_, GICD_ITARGETSR, GICD_SGIR, GICD_CPENDSGIR, GICD_SPENDSGIR), because affinity routing is always on; "
        "MPAM.\n"
        "GICR_CTLR.UWP reads as zero: what a CPU interface sends is acted on when it arrives.\n\n"
        "script/update-docs writes this file.\n";
    text += frame_text(DistributorState::frame(), "Distributor: GICD");
    text += frame_text(RedistributorState::rd_frame(), "Redistributor: RD_base");
    text += frame_text(RedistributorState::sgi_frame(), "Redistributor: SGI_base");
    text += "\n## CPU interface\n\n| Register | | Tests |\n|---|---|---|\n";
    for (unsigned n = 0; n < icc_register_count; ++n) {
        const std::string reg(name(static_cast<IccRegister>(n)));
        INFO(reg);
        REQUIRE(statements().contains(reg));
        text += row_text("", reg, statements().at(reg)).substr(3);
    }
    text += "\n## The tests\n\n";
    std::map<std::string, int> named;
    for (const auto& [reg, statement] : statements()) {
        for (const std::string& beginning : statement.by) named[full_name(beginning)] = 1;
    }
    for (const auto& [test, unused] : named) text += "- " + test + "\n";
    return text;
}

constexpr auto secure = Security::secure;

/// What a register of a row reads after all ones have been written to it.
template <class State, class Frame>
std::uint64_t after_ones(State& state, const Frame& frame, std::uint32_t base, std::string_view reg) {
    for (const auto& row : frame.rows()) {
        if (row.name != reg) continue;
        typename State::Effects effects;
        state.write(base + row.offset, ~std::uint64_t{0}, row.bits / 8, secure, effects);
        return state.peek(base + row.offset, row.bits / 8, secure).value;
    }
    return 0;
}

}  // namespace

TEST_CASE("Compliance 1. docs/gicv3-compliance.md says what the register tables and the tests say") {
    for (const auto& [reg, statement] : statements()) {
        for (const std::string& beginning : statement.by) {
            INFO(reg << ": " << beginning);
            CHECK_FALSE(full_name(beginning).empty());
        }
        INFO(reg);
        CHECK((statement.standing == Standing::implemented || !statement.why.empty()));
    }
    const std::string path = std::string(GICSIM_SOURCE_DIR) + "/docs/gicv3-compliance.md";
    const std::string text = document();
    if (std::getenv("GICSIM_UPDATE_DOCS") != nullptr) std::ofstream(path) << text;
    std::ifstream file(path);
    const std::string written((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    CHECK(written == text);
}

TEST_CASE("Compliance 2. What is RES0 or absent reads zero whatever is written, and what is implemented does not") {
    const std::vector<Affinity> one{{0, 0, 0, 0}};
    const auto check = [&](auto make, const auto& frame, std::uint32_t base) {
        for (const auto& row : frame.rows()) {
            INFO(row.name);
            auto state = make();
            const Statement& statement = statements().at(std::string(row.name));
            const bool nothing = after_ones(state, frame, base, row.name) == 0;
            const bool is_nothing = statement.standing == Standing::res0 || statement.standing == Standing::absent;
            // A write-only register, one that clears, and one whose bits need something to be there first.
            const bool reads_zero_anyway = row.access == RegisterAccess::write_only ||
                                           row.name.find("_IC") != std::string_view::npos || row.name == "GICR_WAKER" ||
                                           row.name.find("INMIR") != std::string_view::npos;
            if (!reads_zero_anyway || is_nothing) CHECK(nothing == is_nothing);
            CHECK((statement.standing == Standing::absent) == (row.read == nullptr && row.write == nullptr));
        }
    };
    check([&] { return DistributorState(fully_equipped(false), one); }, DistributorState::frame(), 0);
    const auto redistributor = [] {
        return RedistributorState(fully_equipped(false), CpuId{0}, Affinity{0, 0, 0, 1}, true);
    };
    check(redistributor, RedistributorState::rd_frame(), 0);
    check(redistributor, RedistributorState::sgi_frame(), 0x10000);
}

TEST_CASE(
    "Compliance 3. GICD_IGRPMODR makes an SPI Secure Group 1, GICR_INMIR a PPI non-maskable, and ICC_SRE_EL2 is "
    "fixed") {
    const std::vector<Affinity> one{{0, 0, 0, 0}};
    SettledGic gic(fully_equipped(false), one);
    gic.write_gicd(0, 0b111, 4, secure);
    gic.write_gicd(0xD04, 1U << 8, 4, secure);  // INTID 40
    gic.write_gicd(0x104, 1U << 8, 4, secure);
    gic.write_gicr(CpuId{0}, 0x14, 0, 4, secure);
    gic.write_icc(CpuId{0}, IccRegister::ICC_PMR_EL1, 0xFF, secure);
    gic.write_icc(CpuId{0}, IccRegister::ICC_IGRPEN1_EL1, 1, secure);
    gic.write_icc(CpuId{0}, IccRegister::ICC_IGRPEN1_EL1, 1, Security::non_secure);
    gic.set_pe(CpuId{0}, PeState::in(secure));
    gic.set_spi_line(intid(40), true);
    CHECK(gic.irq(CpuId{0}));
    CHECK(gic.read_icc(CpuId{0}, IccRegister::ICC_IAR1_EL1, Security::non_secure) == 1023);
    CHECK(gic.read_icc(CpuId{0}, IccRegister::ICC_IAR1_EL1, secure) == 40);

    gic.write_gicr(CpuId{0}, 0x10080, 1U << 27, 4, secure);
    gic.write_gicr(CpuId{0}, 0x10F80, 1U << 27, 4, secure);
    gic.write_gicr(CpuId{0}, 0x10418, 0xF000'0000, 4, secure);
    gic.write_gicr(CpuId{0}, 0x10100, 1U << 27, 4, secure);
    gic.set_spi_line(intid(40), false);
    gic.write_icc(CpuId{0}, IccRegister::ICC_EOIR1_EL1, 40, secure);
    gic.write_icc(CpuId{0}, IccRegister::ICC_PMR_EL1, 0x88, secure);
    gic.set_pe(CpuId{0}, PeState::in(Security::non_secure));
    gic.set_ppi_line(CpuId{0}, intid(27), true);
    CHECK(gic.irq(CpuId{0}));
    gic.write_icc(CpuId{0}, IccRegister::ICC_PMR_EL1, 0x78, secure);  // Secure software masks all that is Non-secure
    CHECK_FALSE(gic.irq(CpuId{0}));
    CHECK(gic.read_icc(CpuId{0}, IccRegister::ICC_SRE_EL2, secure) == 0xF);
}

}  // namespace gicsim::test
