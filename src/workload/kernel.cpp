#include "gicsim/workload/kernel.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gicsim {

KernelTimes::KernelTimes(const SoftwareDescription& software, const ClockDomain& clock)
    : call_entry(clock.to_time(software.call_entry)),
      send_lookup(clock.to_time(software.send_lookup)),
      wait_loop(clock.to_time(software.wait_loop)),
      call_return(clock.to_time(software.call_return)),
      local_call(clock.to_time(software.local_call)),
      irq_entry(clock.to_time(software.irq_entry)),
      irq_dispatch(clock.to_time(software.irq_dispatch)),
      flush_queue(clock.to_time(software.flush_queue)),
      function(clock.to_time(software.function)),
      irq_exit(clock.to_time(software.irq_exit)) {}

std::uint64_t sgi1r_for(const Affinity& affinity, Intid ipi) {
    SgiRequest request;
    request.intid = ipi;
    request.rs = affinity.aff0 >> 4;
    request.aff3 = affinity.aff3;
    request.aff2 = affinity.aff2;
    request.aff1 = affinity.aff1;
    request.target_list = static_cast<std::uint16_t>(1U << (affinity.aff0 & 0xF));
    return request.encode();
}

std::vector<std::uint64_t> sgi1r_groups(const Platform& platform, std::span<const CpuId> targets, Intid ipi) {
    std::map<std::uint64_t, std::uint64_t> by_group;
    for (const CpuId target : targets) {
        const std::uint64_t value = sgi1r_for(platform.place(target).affinity, ipi);
        constexpr std::uint64_t target_list = 0xFFFF;
        by_group[value & ~target_list] |= value & target_list;
    }
    std::vector<std::uint64_t> values;
    values.reserve(by_group.size());
    for (const auto& [group, list] : by_group) values.push_back(group | list);
    return values;
}

std::uint64_t sgi1r_broadcast(Intid ipi) {
    SgiRequest request;
    request.intid = ipi;
    request.irm = true;
    return request.encode();
}

Kernel::Kernel(Platform& platform, const CaseDescription& description, std::uint64_t seed)
    : platform_(platform),
      description_(description),
      times_(description.software, description.machine.core.clock),
      pages_(platform.memory(), seed, description.options.page_draw) {
    stack_lines_.resize(platform.cpu_count());
    reasons_.resize(platform.cpu_count());
    for (std::size_t n = 0; n < platform.cpu_count(); ++n) {
        for (unsigned i = 0; i < description.software.saved_lines; ++i) {
            const LineId line = pages_.boot_line("irq stack " + std::to_string(n), platform.place(cpu_id(n)).die, i);
            stack_lines_[n].push_back({line, 0});
        }
    }
}

unsigned Kernel::die_of(const std::string& placement, CpuId sender, CpuId target) const {
    if (placement == "sender") return platform_.place(sender).die;
    if (placement == "target") return platform_.place(target).die;
    return static_cast<unsigned>(std::stoul(placement.substr(3)));
}

Task<> Kernel::send_sgis(Core& cpu, std::span<const std::uint64_t> values) {
    const SendPolicy& policy = description_.options.send;
    const CpuId self = cpu.id();
    if (policy.placement == Placement::before_group) co_await barrier(cpu, policy.barrier);
    if (policy.isb_before) co_await isb(cpu);
    cpu.mark(Point::barrier_done, self);
    for (const std::uint64_t value : values) {
        if (policy.placement == Placement::before_each) {
            co_await barrier(cpu, policy.barrier);
            cpu.mark(Point::barrier_done, self);
        }
        co_await write(cpu, IccRegister::ICC_SGI1R_EL1, value);
        cpu.mark(Point::sgi_written, self);
    }
    if (policy.placement == Placement::after) co_await barrier(cpu, policy.barrier);
    if (policy.isb_after) co_await isb(cpu);
}

Task<> Kernel::handle_interrupt(Core& cpu, const Body& body) {
    static constexpr Barrier dsb_sy(Barrier::Kind::dsb, Barrier::Type::all, Barrier::Domain::full_system);
    const bool split = description_.software.eoi_mode_1;
    for (const Location& line : stack_lines_[index(cpu.id())]) co_await store(cpu, line, 1);
    cpu.compute(times_.irq_entry);
    const std::uint64_t iar = co_await read(cpu, IccRegister::ICC_IAR1_EL1);
    cpu.mark(Point::acknowledged, cpu.id());
    // The acknowledgement has to be seen by the Redistributor before anything else happens (IHI 0069, 4.1.1).
    co_await barrier(cpu, dsb_sy);
    const Intid acknowledged = intid(static_cast<std::uint32_t>(iar));
    if (is_special(acknowledged)) {
        ++spurious_;
        cpu.compute(times_.irq_exit);
        co_return;
    }
    if (split) co_await write(cpu, IccRegister::ICC_EOIR1_EL1, iar);
    co_await isb(cpu);
    cpu.compute(times_.irq_dispatch);
    co_await body(cpu, acknowledged);
    co_await write(cpu, split ? IccRegister::ICC_DIR_EL1 : IccRegister::ICC_EOIR1_EL1, iar);
    co_await isb(cpu);
    cpu.compute(times_.irq_exit);
}

Task<> Kernel::idle(Core& cpu) {
    static constexpr Barrier dsb_sy(Barrier::Kind::dsb, Barrier::Type::all, Barrier::Domain::full_system);
    for (;;) {
        cpu.mask_interrupts();
        co_await barrier(cpu, dsb_sy);
        co_await wfi(cpu);
        cpu.unmask_interrupts();
        co_await isb(cpu);
    }
}

Task<> Kernel::busy(Core& cpu) {
    // Interrupts come within a stretch as well as between two; its length costs host time only.
    constexpr Time stretch = Time::us(10);
    cpu.unmask_interrupts();
    for (;;) {
        cpu.compute(stretch);
        co_await isb(cpu);
    }
}

// The monitor is armed by the exclusive load; a change between the first look and that load is seen by the comparison.
Task<> Kernel::wait_for_change(Core& cpu, Location location, Word seen) {
    cpu.set_event();
    co_await wfe(cpu);
    const Word value = co_await load_exclusive(cpu, location);
    if (value == seen) co_await wfe(cpu);
}

Task<> Kernel::wait_until_clear(Core& cpu, Location flag, Word mask, Reason reason) {
    reasons_[index(cpu.id())] = reason;
    for (;;) {
        const Word value = co_await load(cpu, flag, LoadOrder::acquire);
        cpu.compute(times_.wait_loop);
        if ((value & mask) == 0) break;
        co_await wait_for_change(cpu, flag, value);
    }
    reasons_[index(cpu.id())] = {};
}

Task<> Kernel::wait_until_reached(Core& cpu, Location counter, Word least, Reason reason) {
    reasons_[index(cpu.id())] = reason;
    for (;;) {
        const Word value = co_await load(cpu, counter, LoadOrder::acquire);
        cpu.compute(times_.wait_loop);
        if (value >= least) break;
        co_await wait_for_change(cpu, counter, value);
    }
    reasons_[index(cpu.id())] = {};
}

}  // namespace gicsim
