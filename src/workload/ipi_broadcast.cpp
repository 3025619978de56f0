#include "gicsim/workload/ipi_broadcast.h"

#include <algorithm>

namespace gicsim {

// Linux allocates the csds of smp_call_function_many() per CPU (cfd_data.pcpu, alloc_percpu) and takes the one of the
// target, so that csd_home = "target" is what the kernel does; each has a line of its own.
IpiBroadcast::IpiBroadcast(Kernel& kernel) : CallWorkload(kernel) {
    const PageAllocator& pages = kernel_.pages();
    const CpuId sender = options_.sender;
    for (const CpuId target : options_.targets) {
        if (target == sender) continue;
        targets_.push_back(target);
        const std::string name = "cfd_data " + std::to_string(index(sender)) + " for " + std::to_string(index(target));
        csds_.push_back(CallData::in(pages.boot_line(name, kernel_.die_of(options_.csd_home, sender, target), 0)));
    }
    all_values_ = sgi_values(targets_);
    to_ring_.reserve(targets_.size());
}

std::vector<std::uint64_t> IpiBroadcast::sgi_values(std::span<const CpuId> targets) const {
    if (targets.empty()) return {};
    if (options_.irm) return {sgi1r_broadcast(ipi_call_function)};
    return sgi1r_groups(kernel_.platform(), targets, ipi_call_function);
}

Task<> IpiBroadcast::sender(Core& cpu) {
    cpu.unmask_interrupts();
    for (std::uint64_t round = 0; round < options_.rounds; ++round) {
        if (remote_.any()) co_await give_lines_back(cpu);
        const Time start = cpu.local();
        cpu.mark(Point::call_start, cpu.id());
        co_await remote_.store_all(cpu, round);
        for (const Location& line : payload_) co_await store(cpu, line, round);
        co_await call_many(cpu);
        cpu.mark(Point::call_end, cpu.id());
        total_ += cpu.local() - start;
        ++rounds_done_;
    }
    // Calls without waiting are over when their csds are unlocked.
    if (!options_.wait) co_await wait_for_all(cpu);
    kernel_.platform().timeline().halt();
}

Task<> IpiBroadcast::call_many(Core& cpu) {
    cpu.compute(kernel_.times().call_entry);
    to_ring_.clear();
    for (std::size_t i = 0; i < targets_.size(); ++i) co_await lock_and_queue(cpu, i);
    cpu.mark(Point::queued, cpu.id());
    co_await ring_doorbells(cpu);
    if (options_.wait) co_await wait_for_all(cpu);
    cpu.mark(Point::seen, cpu.id());
    cpu.compute(kernel_.times().call_return);
}

Task<> IpiBroadcast::lock_and_queue(Core& cpu, std::size_t i) {
    static constexpr Barrier smp_wmb(Barrier::Kind::dmb, Barrier::Type::stores, Barrier::Domain::inner_shareable);
    const CallData& csd = csds_[i];
    // csd_lock.
    co_await kernel_.wait_until_clear(cpu, csd.flags, csd_flag_lock, unlock_by(targets_[i]));
    co_await store(cpu, csd.flags, options_.wait ? csd_flag_lock | csd_type_sync : csd_flag_lock);
    co_await barrier(cpu, smp_wmb);
    co_await store(cpu, csd.function, 1);
    co_await store(cpu, csd.info, 0);
    const bool was_empty = co_await queues_.add(cpu, csd, targets_[i]);
    if (was_empty) to_ring_.push_back(targets_[i]);
}

Task<> IpiBroadcast::ring_doorbells(Core& cpu) {
    if (to_ring_.empty()) co_return;
    cpu.compute(kernel_.times().send_lookup);
    ipis_ += to_ring_.size();
    if (to_ring_.size() == targets_.size()) {
        sgi_writes_ += all_values_.size();
        co_await kernel_.send_sgis(cpu, all_values_);
    } else {
        const std::vector<std::uint64_t> values = sgi_values(to_ring_);
        sgi_writes_ += values.size();
        co_await kernel_.send_sgis(cpu, values);
    }
}

Task<> IpiBroadcast::wait_for_all(Core& cpu) {
    for (std::size_t i = 0; i < csds_.size(); ++i) {
        co_await kernel_.wait_until_clear(cpu, csds_[i].flags, csd_flag_lock, unlock_by(targets_[i]));
    }
}

// Lost: the handler of a target found its queue empty. With IRM = 1 that is what CPUs outside the mask must find.
void IpiBroadcast::finish(RunResult& result) {
    result.total = total_;
    result.calls = rounds_done_;
    result.ipis = ipis_;
    std::uint64_t fewest = targets_.empty() ? 0 : rounds_done_;
    for (const CpuId target : targets_) {
        result.lost += queues_.found_empty(target);
        fewest = std::min(fewest, queues_.functions_run(target));
    }
    result.ok = ipis_ - result.lost;
    result.counters.push_back({"sgi writes", sgi_writes_});
    result.counters.push_back({"functions run", queues_.functions_run()});
    result.counters.push_back({"fewest functions run on a target", fewest});
}

}  // namespace gicsim
