#include <algorithm>

#include "gicsim/workload/kernel.h"

namespace gicsim {
namespace {

// Offsets and bits: IHI 0069, 12.9 (GICD), 12.11 (GICR).
constexpr std::uint64_t gicd_ctlr = 0x0000;
constexpr std::uint64_t ctlr_rwp = std::uint64_t{1} << 31;
constexpr std::uint64_t secure_ctlr_groups = 1 << 1;            // EnableGrp1NS
constexpr std::uint64_t secure_ctlr_are = 1 << 4 | 1 << 5;      // ARE_S, ARE_NS
constexpr std::uint64_t single_ctlr_are = 1 << 4;               // ARE
constexpr std::uint64_t non_secure_ctlr = 1 << 4 | 1 << 1 | 1;  // ARE_NS, EnableGrp1A, EnableGrp1: as Linux writes it
constexpr std::uint64_t gicr_ctlr = 0x0000;
constexpr std::uint64_t gicr_ctlr_rwp = 1 << 3;
constexpr std::uint64_t gicr_waker = 0x0014;
constexpr std::uint64_t waker_processor_sleep = 1 << 1;
constexpr std::uint64_t waker_children_asleep = 1 << 2;
constexpr std::uint64_t sgi_base = 0x10000;
constexpr std::uint64_t gicr_igroupr0 = sgi_base + 0x0080;
constexpr std::uint64_t gicr_isenabler0 = sgi_base + 0x0100;
constexpr std::uint64_t gicr_icenabler0 = sgi_base + 0x0180;
constexpr std::uint64_t gicr_icactiver0 = sgi_base + 0x0380;
constexpr std::uint64_t gicr_ipriorityr0 = sgi_base + 0x0400;

constexpr std::uint64_t all_ones = 0xFFFF'FFFF;
constexpr std::uint64_t default_priority = 0xA0A0'A0A0;
constexpr std::uint64_t default_pmr = 0xF0;

Task<> poll_until_zero(Core& cpu, std::uint64_t address, std::uint64_t bits) {
    for (;;) {
        const std::uint64_t value = co_await device_read(cpu, address);
        if ((value & bits) == 0) co_return;
    }
}

Task<> firmware(Core& cpu, const MachineDescription& machine) {
    const std::uint64_t gicr = machine.cpus[index(cpu.id())].gicr_base;
    cpu.set_security(Security::secure);
    if (index(cpu.id()) == 0) {
        const std::uint64_t are = machine.gic.single_security ? single_ctlr_are : secure_ctlr_are;
        co_await device_write(cpu, machine.gicd_base + gicd_ctlr, are);
        co_await poll_until_zero(cpu, machine.gicd_base + gicd_ctlr, ctlr_rwp);
        co_await device_write(cpu, machine.gicd_base + gicd_ctlr, are | secure_ctlr_groups);
        co_await poll_until_zero(cpu, machine.gicd_base + gicd_ctlr, ctlr_rwp);
    }
    const std::uint64_t waker = co_await device_read(cpu, gicr + gicr_waker);
    co_await device_write(cpu, gicr + gicr_waker, waker & ~waker_processor_sleep);
    co_await poll_until_zero(cpu, gicr + gicr_waker, waker_children_asleep);
    co_await device_write(cpu, gicr + gicr_igroupr0, all_ones);
    // A Non-secure write to ICC_PMR_EL1 is ignored while the mask lies in the Secure half (IHI 0069, 4.8.1), where it
    // is after reset: firmware opens it.
    co_await write(cpu, IccRegister::ICC_SRE_EL1, 7);
    co_await isb(cpu);
    co_await write(cpu, IccRegister::ICC_PMR_EL1, 0xFF);
    co_await isb(cpu);
}

// The order of irq-gic-v3.c: gic_dist_init on the boot CPU, then gic_cpu_init on each.
Task<> linux_bring_up(Core& cpu, const MachineDescription& machine, const SoftwareDescription& software) {
    const std::uint64_t gicr = machine.cpus[index(cpu.id())].gicr_base;
    cpu.set_security(machine.gic.single_security ? Security::secure : Security::non_secure);
    if (index(cpu.id()) == 0) {
        co_await device_write(cpu, machine.gicd_base + gicd_ctlr, 0);
        co_await poll_until_zero(cpu, machine.gicd_base + gicd_ctlr, ctlr_rwp);
        co_await device_write(cpu, machine.gicd_base + gicd_ctlr, non_secure_ctlr);
        co_await poll_until_zero(cpu, machine.gicd_base + gicd_ctlr, ctlr_rwp);
    }
    co_await device_write(cpu, gicr + gicr_icactiver0, all_ones);
    co_await device_write(cpu, gicr + gicr_icenabler0, all_ones);
    for (std::uint64_t i = 0; i < 8; ++i) co_await device_write(cpu, gicr + gicr_ipriorityr0 + 4 * i, default_priority);
    co_await poll_until_zero(cpu, gicr + gicr_ctlr, gicr_ctlr_rwp);
    co_await write(cpu, IccRegister::ICC_SRE_EL1, 7);
    co_await isb(cpu);
    co_await write(cpu, IccRegister::ICC_PMR_EL1, default_pmr);
    co_await write(cpu, IccRegister::ICC_BPR1_EL1, 0);
    co_await write(cpu, IccRegister::ICC_CTLR_EL1, software.eoi_mode_1 ? 2 : 0);
    co_await write(cpu, IccRegister::ICC_AP1R0_EL1, 0);
    co_await isb(cpu);
    co_await write(cpu, IccRegister::ICC_IGRPEN1_EL1, 1);
    co_await isb(cpu);
    co_await device_write(cpu, gicr + gicr_isenabler0, 0xFFFF);
    co_await barrier(cpu, Barrier(Barrier::Kind::dsb, Barrier::Type::all, Barrier::Domain::full_system));
}

void run_everywhere(Platform& platform, const char* what, std::size_t first, std::size_t last,
                    const Core::Program& program) {
    for (std::size_t n = first; n < last; ++n) platform.core(cpu_id(n)).run(program);
    const Platform::End end = platform.run(Time::ms(1000), {});
    for (std::size_t n = first; n < last; ++n) {
        if (platform.core(cpu_id(n)).finished()) continue;
        std::string message = std::string(what) + ": cpu" + std::to_string(n) + " does not come up";
        if (end == Platform::End::time_limit) message += " within a second";
        const std::string waits = platform.core(cpu_id(n)).waits_for();
        if (!waits.empty()) message += "; it waits for " + waits;
        throw ModelError(message);
    }
}

}  // namespace

void boot(Platform& platform, const SoftwareDescription& software) {
    const MachineDescription& machine = platform.machine();
    const Core::Program secure = [&machine](Core& cpu) { return firmware(cpu, machine); };
    const Core::Program normal = [&](Core& cpu) { return linux_bring_up(cpu, machine, software); };
    // The boot CPU sets up the distributor before the others start, as PSCI CPU_ON orders it.
    run_everywhere(platform, "firmware", 0, 1, secure);
    run_everywhere(platform, "firmware", 1, platform.cpu_count(), secure);
    run_everywhere(platform, "linux", 0, 1, normal);
    run_everywhere(platform, "linux", 1, platform.cpu_count(), normal);
}

}  // namespace gicsim
