// The boot program brings every shipped machine up: what the registers hold afterwards, seen without side effects.
#include "gicsim/config/load.h"
#include "gicsim/workload/kernel.h"
#include "support/catch.h"

using namespace gicsim;

namespace {

constexpr auto secure = Security::secure;
constexpr auto non_secure = Security::non_secure;

std::uint64_t gicr(Platform& platform, CpuId cpu, std::uint32_t offset, unsigned size, Security security) {
    const AccessResult result = platform.gic().redistributor(cpu).state().peek(offset, size, security);
    CHECK(result.status == AccessStatus::ok);
    CHECK(result.built);
    return result.value;
}

std::uint64_t gicd_ctlr(Platform& platform, Security security) {
    return platform.gic().distributor(0).state().peek(0, 4, security).value;
}

/// What holds on every CPU whatever the number of Security states. Offsets: IHI 0069, 12.11.
void check_cpu(Platform& platform, CpuId cpu, Security kernel) {
    INFO("cpu" << index(cpu));
    CHECK(platform.core(cpu).finished());
    CHECK(platform.core(cpu).failed_accesses() == 0);
    CHECK(platform.core(cpu).security() == kernel);
    CHECK(gicr(platform, cpu, 0x00014, 4, secure) == 0);             // GICR_WAKER: awake, and so are the children
    CHECK(gicr(platform, cpu, 0x10080, 4, secure) == 0xFFFF'FFFF);   // GICR_IGROUPR0: all in Group 1
    CHECK(gicr(platform, cpu, 0x10100, 4, secure) == 0xFFFF);        // GICR_ISENABLER0: the SGIs
    CHECK(gicr(platform, cpu, 0x10300, 4, secure) == 0);             // GICR_ISACTIVER0
    CHECK(gicr(platform, cpu, 0x10400, 4, kernel) == 0xA0A0'A0A0);   // GICR_IPRIORITYR0
    CHECK((gicr(platform, cpu, 0x00000, 4, secure) & 1 << 3) == 0);  // GICR_CTLR.RWP
    // GICR_TYPER names the CPU that the machine file puts there.
    CHECK(gicr(platform, cpu, 0x00008, 8, secure) >> 32 == platform.place(cpu).affinity.packed());

    const CpuInterfaceState& state = platform.gic().cpu_interface(cpu).state();
    CHECK(state.peek(IccRegister::ICC_PMR_EL1, kernel) == 0xF0);
    CHECK(state.peek(IccRegister::ICC_IGRPEN1_EL1, kernel) == 1);
    CHECK(state.peek(IccRegister::ICC_SRE_EL1, kernel) == 7);
    CHECK((state.peek(IccRegister::ICC_CTLR_EL1, kernel) & 2) == 2);  // EOImode
    CHECK(state.upstream_idle());
    CHECK_FALSE(state.irq());
    CHECK_FALSE(state.fiq());
    CHECK(state.guest_errors() == 0);
    CHECK(state.protocol_errors() == 0);
}

void check_boot(const std::string& machine, const std::vector<Override>& overrides = {}) {
    const MachineDescription description = load_machine(machine, overrides);
    const SoftwareDescription software = load_software("linux-5.17");
    Platform platform(description);
    // The second boot starts from a reset machine and ends in the same state.
    for (unsigned round = 0; round < 2; ++round) {
        boot(platform, software);
        const bool single = description.gic.single_security;
        for (std::size_t n = 0; n < platform.cpu_count(); ++n) {
            check_cpu(platform, cpu_id(n), single ? secure : non_secure);
        }
        if (single) {
            CHECK(gicd_ctlr(platform, secure) == 0x53);  // DS, ARE, EnableGrp1, EnableGrp0
        } else {
            CHECK(gicd_ctlr(platform, secure) == 0x32);      // ARE_NS, ARE_S, EnableGrp1NS
            CHECK(gicd_ctlr(platform, non_secure) == 0x12);  // ARE_NS, EnableGrp1A
        }
        platform.reset(description);
        CHECK(gicr(platform, cpu_id(0), 0x00014, 4, secure) == 0b110);
    }
}

const std::vector<std::string> booted = {"kunpeng920-96", "litmus-8",     "small-4",  "small-8",
                                         "synthetic-960", "thunderx1-48", "twochip-8"};

}  // namespace

TEST_CASE("Boot 1. No shipped machine is left out below") {
    CHECK(known_configs(ConfigKind::machine) == booted);
}

// One elaboration a process: each machine is a test of its own.
TEST_CASE("Boot 2. kunpeng920-96 comes up") {
    check_boot("kunpeng920-96");
}
TEST_CASE("Boot 3. small-4 comes up") {
    check_boot("small-4");
}
TEST_CASE("Boot 4. small-8 comes up") {
    check_boot("small-8");
}
TEST_CASE("Boot 5. synthetic-960 comes up") {
    check_boot("synthetic-960");
}
TEST_CASE("Boot 6. thunderx1-48 comes up") {
    check_boot("thunderx1-48");
}
TEST_CASE("Boot 7. twochip-8 comes up") {
    check_boot("twochip-8");
}
TEST_CASE("Boot 8. small-4 comes up with one Security state") {
    check_boot("small-4", {{"gic.single_security", "true", "test"}});
}
TEST_CASE("Boot 9. twochip-8 comes up with one Security state") {
    check_boot("twochip-8", {{"gic.single_security", "true", "test"}});
}
TEST_CASE("Boot 10. litmus-8 comes up") {
    check_boot("litmus-8");
}
