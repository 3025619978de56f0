#ifndef GICSIM_WORKLOAD_KERNEL_H
#define GICSIM_WORKLOAD_KERNEL_H

#include <cstdint>
#include <span>
#include <vector>

#include "gicsim/config/experiment.h"
#include "gicsim/core/operations.h"
#include "gicsim/platform/platform.h"
#include "gicsim/workload/page_allocator.h"

namespace gicsim {

/// The software's costs as times of the core clock.
struct KernelTimes {
    Time call_entry;
    Time send_lookup;
    Time wait_loop;
    Time call_return;
    Time local_call;
    Time irq_entry;
    Time irq_dispatch;
    Time flush_queue;
    Time function;
    Time irq_exit;

    KernelTimes(const SoftwareDescription& software, const ClockDomain& clock);
};

/// SGIs as Linux numbers them (arch/arm64/kernel/smp.c).
constexpr Intid ipi_reschedule = Intid{0};
constexpr Intid ipi_call_function = Intid{1};

/// The value of ICC_SGI1R_EL1 that sends `ipi` to one CPU.
std::uint64_t sgi1r_for(const Affinity& affinity, Intid ipi);
/// One value for each Aff3.Aff2.Aff1 and range of sixteen Aff0, in order of the affinity (gic_ipi_send_mask in Linux,
/// drivers/irqchip/irq-gic-v3.c, forms its target lists so).
std::vector<std::uint64_t> sgi1r_groups(const Platform& platform, std::span<const CpuId> targets, Intid ipi);
/// IRM = 1: all but the sender.
std::uint64_t sgi1r_broadcast(Intid ipi);

/// What the kernel side of every workload shares: costs, the sending sequence with its barriers, and the interrupt
/// handler's frame around the part that is the workload's own.
class Kernel {
public:
    /// What the handler does between acknowledgement and deactivation.
    using Body = std::function<Task<>(Core& cpu, Intid acknowledged)>;

    Kernel(Platform& platform, const CaseDescription& description, std::uint64_t seed);

    /// The barrier and ISB placements of the policy around the writes of `values`.
    Task<> send_sgis(Core& cpu, std::span<const std::uint64_t> values);
    /// R1 to R15 around `body`; `body` outlives the run.
    Task<> handle_interrupt(Core& cpu, const Body& body);
    /// cpu_do_idle: DSB SY and WFI with interrupts masked, then a look at what woke it. For ever.
    Task<> idle(Core& cpu);
    /// A program that computes and is interrupted now and then, in place of idle(). For ever.
    Task<> busy(Core& cpu);
    /// For whom a CPU waits, and what that one has to do: "to unlock its call data". For reports of runs that hang.
    struct Reason {
        CpuId whom{};
        const char* what = nullptr;
    };
    /// smp_cond_load_acquire(flag, !(VAL & mask)): LDAR, and between two looks SEVL, WFE, LDXR, WFE.
    Task<> wait_until_clear(Core& cpu, Location flag, Word mask, Reason reason);
    /// The same for a value that has to reach `least`.
    Task<> wait_until_reached(Core& cpu, Location counter, Word least, Reason reason);

    [[nodiscard]] const KernelTimes& times() const { return times_; }
    [[nodiscard]] const CaseDescription& description() const { return description_; }
    [[nodiscard]] Platform& platform() { return platform_; }
    [[nodiscard]] const PageAllocator& pages() const { return pages_; }
    /// The die that a placement ("sender", "target", "die2") stands for.
    [[nodiscard]] unsigned die_of(const std::string& placement, CpuId sender, CpuId target) const;
    [[nodiscard]] std::uint64_t spurious() const { return spurious_; }
    /// What a CPU waits for in one of the two loops above; `what` is nullptr when it is in neither.
    [[nodiscard]] const Reason& reason(CpuId cpu) const { return reasons_[index(cpu)]; }

private:
    Task<> wait_for_change(Core& cpu, Location location, Word seen);

    Platform& platform_;
    const CaseDescription& description_;
    KernelTimes times_;
    PageAllocator pages_;
    std::vector<std::vector<Location>> stack_lines_;  ///< by CPU: where the register save goes
    std::vector<Reason> reasons_;                     ///< by CPU
    std::uint64_t spurious_ = 0;
};

/// Brings the whole machine up: firmware (Secure) on every CPU, then Linux (Non-secure); with one Security state,
/// firmware and Linux act in it alike. Throws ModelError when a CPU does not come up within a simulated second.
void boot(Platform& platform, const SoftwareDescription& software);

/// A model or a program did what it must not; `what()` says which.
class ModelError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace gicsim

#endif
