#include "gicsim/workload/ipi_resched.h"

namespace gicsim {
namespace {

constexpr Word tif_need_resched = 1 << 1;
constexpr Word hardirq_offset = 1 << 16;

}  // namespace

IpiResched::IpiResched(Kernel& kernel) : Signal(kernel, ipi_reschedule) {
    for (std::size_t n = 0; n < kernel.platform().cpu_count(); ++n) {
        const unsigned die = kernel.platform().place(cpu_id(n)).die;
        const LineId line = kernel.pages().boot_line("thread_info " + std::to_string(n), die, 0);
        threads_.push_back({{line, 0}, {line, 1}});
    }
}

// Whatever became of the round before, the flag is clear and the line is the target's own when a round starts.
Task<> IpiResched::get_ready(Core& cpu) {
    const ThreadInfo& thread = threads_[index(cpu.id())];
    co_await atomic(cpu, AtomicOperation::Kind::clear_bits, thread.flags, tif_need_resched, AtomicOrder::relaxed);
}

Task<> IpiResched::publish(Core& cpu, CpuId target, Word) {
    co_await set_bits_no_return(cpu, threads_[index(target)].flags, tif_need_resched);
}

// scheduler_ipi() has been empty since commit 90b5363acd47: all happens on the way out.
Task<> IpiResched::look(Core& cpu) {
    threads_[index(cpu.id())].ipi = true;
    cpu.mark(Point::dequeued, cpu.id());
    co_return;
}

// Entry and exit count the interrupt in preempt_count, which shares the line of the flags.
Task<> IpiResched::handle(Core& cpu) {
    ThreadInfo& thread = threads_[index(cpu.id())];
    co_await store(cpu, thread.preempt_count, hardirq_offset);
    co_await Signal::handle(cpu);
    co_await store(cpu, thread.preempt_count, 0);
    if (!std::exchange(thread.ipi, false)) co_return;
    const Word flags = co_await load(cpu, thread.flags);
    cpu.mark(Point::function_called, cpu.id());
    if ((flags & tif_need_resched) != 0) {
        // __schedule: clear_tsk_need_resched.
        co_await atomic(cpu, AtomicOperation::Kind::clear_bits, thread.flags, tif_need_resched, AtomicOrder::relaxed);
        ++rescheduled_;
    } else {
        ++lost_;
    }
    co_await report_handled(cpu);
}

void IpiResched::finish(RunResult& result) {
    Signal::finish(result);
    result.ok = rescheduled_;
    result.lost = lost_;
}

}  // namespace gicsim
