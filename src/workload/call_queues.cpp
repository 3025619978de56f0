#include "gicsim/workload/call_queues.h"

namespace gicsim {

CallQueues::CallQueues(Kernel& kernel) : kernel_(kernel), wait_(kernel.description().options.wait) {
    const WorkloadOptions& options = kernel.description().options;
    for (std::size_t n = 0; n < kernel.platform().cpu_count(); ++n) {
        const unsigned die = kernel.die_of(options.queue_home, options.sender, cpu_id(n));
        queues_.push_back({{kernel.pages().boot_line("call_single_queue " + std::to_string(n), die, 0), 0}});
    }
}

Task<bool> CallQueues::add(Core& cpu, const CallData& csd, CpuId target) {
    const Location head = queues_[index(target)].first;
    Word first = co_await load(cpu, head);
    for (;;) {
        co_await store(cpu, csd.next, first);
        const Word found = co_await compare_and_swap(cpu, head, first, csd.pointer(), AtomicOrder::acquire_release);
        if (found == first) co_return first == 0;
        first = found;
    }
}

// R8 to R12.
Task<> CallQueues::flush(Core& cpu) {
    const KernelTimes& times = kernel_.times();
    Queue& queue = queues_[index(cpu.id())];
    Word entry = co_await atomic(cpu, AtomicOperation::Kind::swap, queue.first, 0, AtomicOrder::acquire_release);
    cpu.mark(Point::dequeued, cpu.id());
    if (entry == 0) ++queue.found_empty;
    // llist_reverse_order: the oldest entry is run first.
    Word reversed = 0;
    while (entry != 0) {
        const CallData csd = CallData::at(entry);
        const Word next = co_await load(cpu, csd.next);
        co_await store(cpu, csd.next, reversed);
        reversed = entry;
        entry = next;
    }
    while (reversed != 0) {
        const CallData csd = CallData::at(reversed);
        reversed = co_await load(cpu, csd.next);
        cpu.compute(times.flush_queue);
        co_await load(cpu, csd.function);
        if (!wait_) co_await store(cpu, csd.flags, 0, StoreOrder::release);
        cpu.mark(Point::function_called, cpu.id());
        cpu.compute(times.function);
        ++queue.functions_run;
        ++functions_run_;
        if (wait_) co_await store(cpu, csd.flags, 0, StoreOrder::release);
        cpu.mark(Point::unlocked, cpu.id());
    }
}

}  // namespace gicsim
