#include "gicsim/workload/ipi_call.h"

namespace gicsim {
namespace {

constexpr unsigned stack_lines = 256;  // THREAD_SIZE of 16 KiB
constexpr unsigned csd_stack_line = 250;

}  // namespace

IpiCall::IpiCall(Kernel& kernel) : CallWorkload(kernel), segments_(kernel.platform()) {
    Platform& platform = kernel_.platform();
    const PageAllocator& pages = kernel_.pages();
    const CpuId sender = options_.sender;
    const unsigned csd_die = kernel_.die_of(options_.csd_home, sender, sender);
    if (options_.wait) {
        // The caller's stack: pages of its own for each module load.
        csd_ =
            CallData::in(pages.line("stack page " + std::to_string(csd_stack_line / 64), csd_die, csd_stack_line % 64));
        static_assert(csd_stack_line < stack_lines);
    } else {
        csd_ = CallData::in(pages.boot_line("csd_data " + std::to_string(index(sender)), csd_die, 0));
    }
    for (std::size_t n = 0; n < platform.cpu_count(); ++n) {
        sgi_value_.push_back(sgi1r_for(platform.place(cpu_id(n)).affinity, ipi_call_function));
    }
}

Task<> IpiCall::sender(Core& cpu) {
    cpu.unmask_interrupts();
    const Time start = cpu.local();
    for (std::uint64_t round = 0; round < options_.rounds; ++round) {
        for (const CpuId target : options_.targets) {
            if (remote_.any() && target != cpu.id()) {
                const Time before = cpu.local();
                co_await give_lines_back(cpu);
                between_calls_ += cpu.local() - before;
            }
            cpu.mark(Point::call_start, cpu.id());
            if (target == cpu.id()) {
                for (const Location& line : payload_) co_await store(cpu, line, round);
                cpu.compute(kernel_.times().local_call);
                ++local_calls_;
                cpu.mark(Point::call_end, cpu.id());
            } else {
                if (remote_.any()) co_await remote_.store_all(cpu, round);
                for (const Location& line : payload_) co_await store(cpu, line, round);
                co_await call(cpu, target);
                cpu.mark(Point::call_end, cpu.id());
            }
            ++calls_;
            // Without waiting, a call's later points lie in the future when it returns.
            if (options_.wait || target == cpu.id()) segments_.enter(cpu.id(), target);
        }
        ++rounds_done_;
    }
    if (!options_.wait) co_await kernel_.wait_until_clear(cpu, csd_.flags, csd_flag_lock, unlock_by(csd_user_));
    co_await isb(cpu);
    total_ = cpu.local() - start - between_calls_;
    kernel_.platform().timeline().halt();
}

Task<> IpiCall::call(Core& cpu, CpuId target) {
    const KernelTimes& times = kernel_.times();
    // S2: the csd on the stack is a local variable with an initialiser, the first thing the function does; S1, S3
    // (get_cpu and the checks) come before the rest of it is filled in. A call without waiting takes the per-CPU csd,
    // which may still be in use (csd_lock).
    if (options_.wait) {
        co_await store(cpu, csd_.flags, csd_flag_lock | csd_type_sync);
        co_await store(cpu, csd_.next, 0);
        cpu.compute(times.call_entry);
    } else {
        cpu.compute(times.call_entry);
        co_await kernel_.wait_until_clear(cpu, csd_.flags, csd_flag_lock, unlock_by(csd_user_));
        co_await store(cpu, csd_.flags, csd_flag_lock | csd_type_sync);
        co_await store(cpu, csd_.next, 0);
    }
    csd_user_ = target;
    co_await store(cpu, csd_.function, 1);
    co_await store(cpu, csd_.info, 0);
    // S4: llist_add.
    const bool was_empty = co_await queues_.add(cpu, csd_, target);
    cpu.mark(Point::queued, cpu.id());
    // S5, S6: the doorbell is rung for the first entry only.
    if (was_empty) {
        cpu.compute(times.send_lookup);
        ++ipis_;
        co_await kernel_.send_sgis(cpu, std::span(&sgi_value_[index(target)], 1));
    }
    // S7, S8.
    if (options_.wait) co_await kernel_.wait_until_clear(cpu, csd_.flags, csd_flag_lock, unlock_by(csd_user_));
    cpu.mark(Point::seen, cpu.id());
    // S9.
    cpu.compute(times.call_return);
}

void IpiCall::finish(RunResult& result) {
    result.total = total_;
    result.calls = calls_;
    result.ipis = ipis_;
    // Lost: a handler that looked at its queue while work was being queued and found none.
    for (std::size_t n = 0; n < kernel_.platform().cpu_count(); ++n) result.lost += queues_.found_empty(cpu_id(n));
    result.ok = ipis_ - result.lost;
    result.classes = segments_.classes();
    result.counters.push_back({"functions run", queues_.functions_run() + local_calls_});
}

}  // namespace gicsim
