#include "gicsim/workload/ipi_call.h"

namespace gicsim {
namespace {

constexpr Word csd_flag_lock = 0x01;
constexpr Word csd_flags_sync = 0x11;  // CSD_FLAG_LOCK | CSD_TYPE_SYNC
constexpr unsigned stack_lines = 256;  // THREAD_SIZE of 16 KiB
constexpr unsigned csd_stack_line = 250;

/// What a queue head or a `next` holds for a csd in this line; 0 is NULL.
constexpr Word pointer_to(LineId line) {
    return Word{index(line)} + 1;
}
constexpr LineId line_at(Word pointer) {
    return line_id(pointer - 1);
}

}  // namespace

IpiCall::IpiCall(Kernel& kernel)
    : kernel_(kernel), options_(kernel.description().options), segments_(kernel.platform()) {
    Platform& platform = kernel_.platform();
    const PageAllocator& pages = kernel_.pages();
    const CpuId sender = options_.sender;
    const unsigned csd_die = kernel_.die_of(options_.csd_home, sender, sender);
    if (options_.wait) {
        // The caller's stack: pages of its own for each module load.
        csd_ = call_data(pages.line("stack page " + std::to_string(csd_stack_line / 64), csd_die, csd_stack_line % 64));
        static_assert(csd_stack_line < stack_lines);
    } else {
        csd_ = call_data(pages.boot_line("csd_data " + std::to_string(index(sender)), csd_die, 0));
    }
    for (std::size_t n = 0; n < platform.cpu_count(); ++n) {
        const unsigned die = kernel_.die_of(options_.queue_home, sender, cpu_id(n));
        queues_.push_back({pages.boot_line("call_single_queue " + std::to_string(n), die, 0), 0});
        sgi_value_.push_back(sgi1r_for(platform.place(cpu_id(n)).affinity, ipi_call_function));
    }
    for (unsigned i = 0; i < options_.payload_lines; ++i) {
        payload_.push_back({pages.line("module data", platform.place(sender).die, i), 0});
    }
}

void IpiCall::start() {
    Platform& platform = kernel_.platform();
    body_ = [this](Core& cpu, Intid) { return flush_queue(cpu); };
    handler_program_ = [this](Core& cpu) { return kernel_.handle_interrupt(cpu, body_); };
    idle_program_ = [this](Core& cpu) { return kernel_.idle(cpu); };
    sender_program_ = [this](Core& cpu) { return sender(cpu); };
    for (std::size_t n = 0; n < platform.cpu_count(); ++n) {
        Core& core = platform.core(cpu_id(n));
        core.set_interrupt_handler(handler_program_);
        core.run(cpu_id(n) == options_.sender ? sender_program_ : idle_program_);
    }
}

Task<> IpiCall::sender(Core& cpu) {
    cpu.unmask_interrupts();
    const Time start = cpu.local();
    for (std::uint64_t round = 0; round < options_.rounds; ++round) {
        for (const CpuId target : options_.targets) {
            cpu.mark(Point::call_start, cpu.id());
            if (target == cpu.id()) {
                for (const Location& line : payload_) co_await store(cpu, line, round);
                cpu.compute(kernel_.times().local_call);
                ++functions_run_;
                cpu.mark(Point::call_end, cpu.id());
            } else {
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
    if (!options_.wait) co_await kernel_.wait_until_clear(cpu, csd_.flags, csd_flag_lock);
    co_await isb(cpu);
    total_ = cpu.local() - start;
    kernel_.platform().timeline().halt();
}

Task<> IpiCall::call(Core& cpu, CpuId target) {
    const KernelTimes& times = kernel_.times();
    const Location queue = queues_[index(target)];
    // S2: the csd on the stack is a local variable with an initialiser, the first thing the function does; S1, S3 (get_cpu
    // and the checks) come before the rest of it is filled in. A call without waiting takes the per-CPU csd, which may
    // still be in use (csd_lock).
    if (options_.wait) {
        co_await store(cpu, csd_.flags, csd_flags_sync);
        co_await store(cpu, csd_.next, 0);
        cpu.compute(times.call_entry);
    } else {
        cpu.compute(times.call_entry);
        co_await kernel_.wait_until_clear(cpu, csd_.flags, csd_flag_lock);
        co_await store(cpu, csd_.flags, csd_flags_sync);
        co_await store(cpu, csd_.next, 0);
    }
    co_await store(cpu, csd_.function, 1);
    co_await store(cpu, csd_.info, 0);
    // S4: llist_add.
    const Word self = pointer_to(csd_.flags.line);
    Word first = co_await load(cpu, queue);
    for (;;) {
        co_await store(cpu, csd_.next, first);
        const Word found = co_await compare_and_swap(cpu, queue, first, self, AtomicOrder::acquire_release);
        if (found == first) break;
        first = found;
    }
    cpu.mark(Point::queued, cpu.id());
    // S5, S6: the doorbell is rung for the first entry only.
    if (first == 0) {
        cpu.compute(times.send_lookup);
        ++ipis_;
        co_await kernel_.send_sgis(cpu, std::span(&sgi_value_[index(target)], 1));
    }
    // S7, S8.
    if (options_.wait) co_await kernel_.wait_until_clear(cpu, csd_.flags, csd_flag_lock);
    cpu.mark(Point::seen, cpu.id());
    // S9.
    cpu.compute(times.call_return);
}

// R8 to R12: flush_smp_call_function_queue.
Task<> IpiCall::flush_queue(Core& cpu) {
    const KernelTimes& times = kernel_.times();
    Word entry =
        co_await atomic(cpu, AtomicOperation::Kind::swap, queues_[index(cpu.id())], 0, AtomicOrder::acquire_release);
    cpu.mark(Point::dequeued, cpu.id());
    if (entry == 0) ++empty_queues_;
    // llist_reverse_order: the oldest entry is run first.
    Word reversed = 0;
    while (entry != 0) {
        const CallData csd = call_data(line_at(entry));
        const Word next = co_await load(cpu, csd.next);
        co_await store(cpu, csd.next, reversed);
        reversed = entry;
        entry = next;
    }
    while (reversed != 0) {
        const CallData csd = call_data(line_at(reversed));
        reversed = co_await load(cpu, csd.next);
        cpu.compute(times.flush_queue);
        co_await load(cpu, csd.function);
        if (!options_.wait) co_await store(cpu, csd.flags, 0, StoreOrder::release);
        cpu.mark(Point::function_called, cpu.id());
        cpu.compute(times.function);
        ++functions_run_;
        if (options_.wait) co_await store(cpu, csd.flags, 0, StoreOrder::release);
        cpu.mark(Point::unlocked, cpu.id());
    }
}

void IpiCall::finish(RunResult& result) {
    result.total = total_;
    result.calls = calls_;
    result.ipis = ipis_;
    // Lost: a handler that looked at its queue while work was being queued and found none.
    result.lost = empty_queues_;
    result.ok = ipis_ - empty_queues_;
    result.classes = segments_.classes();
    result.counters.push_back({"functions run", functions_run_});
}

}  // namespace gicsim
