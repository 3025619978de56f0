#include "gicsim/workload/latency_probe.h"

#include "gicsim/workload/segment_book.h"

namespace gicsim {

LatencyProbe::LatencyProbe(Kernel& kernel) : kernel_(kernel), options_(kernel.description().options) {}

void LatencyProbe::start() {
    sender_program_ = [this](Core& cpu) { return sender(cpu); };
    kernel_.platform().core(options_.sender).run(sender_program_);
}

Task<> LatencyProbe::sender(Core& cpu) {
    for (std::uint64_t round = 0; round < options_.rounds; ++round) {
        for (const CpuId target : options_.targets) {
            const Time time = co_await measure(cpu, target);
            Totals& totals = totals_[static_cast<std::size_t>(kernel_.platform().distance(cpu.id(), target))];
            totals.time += time;
            ++totals.count;
            total_ += time;
        }
        ++rounds_done_;
    }
    kernel_.platform().timeline().halt();
}

void LatencyProbe::finish(RunResult& result) {
    result.total = total_;
    for (std::size_t c = 0; c < distance_class_count; ++c) {
        if (totals_[c].count == 0) continue;
        result.calls += totals_[c].count;
        result.classes.push_back(
            {distance_class_name(static_cast<DistanceClass>(c)), totals_[c].count, totals_[c].time, {}});
    }
}

PingPong::PingPong(Kernel& kernel) : LatencyProbe(kernel) {
    partner_program_ = [this](Core& cpu) { return partner(cpu, word_); };
}

Task<> PingPong::partner(Core& cpu, Location word) {
    for (int i = 0; i < exchanges; ++i) {
        Word found = 0;
        while (found != 1) found = co_await compare_and_swap(cpu, word, 1, 0, AtomicOrder::acquire_release);
    }
}

Task<Time> PingPong::measure(Core& cpu, CpuId target) {
    if (target == cpu.id()) co_return Time{};
    const unsigned die = kernel_.die_of(options_.csd_home, cpu.id(), target);
    word_ = {kernel_.pages().line("ping-pong " + std::to_string(pages_++), die, 0), 0};
    kernel_.platform().core(target).run(partner_program_);
    Time start;
    for (int i = 0; i < exchanges; ++i) {
        Word found = 1;
        while (found != 0) found = co_await compare_and_swap(cpu, word_, 0, 1, AtomicOrder::acquire_release);
        // The first exchanges bring the line in.
        if (i == 3) start = cpu.local();
    }
    co_return Time::fs((cpu.local() - start).in_fs() / (std::int64_t{2} * (exchanges - 4)));
}

Task<Time> MemoryLatency::measure(Core& cpu, CpuId target) {
    const unsigned die = kernel_.platform().place(target).die;
    const Location word{kernel_.pages().line("memory " + std::to_string(pages_++), die, 0), 0};
    const Time start = cpu.local();
    co_await load(cpu, word);
    co_return cpu.local() - start;
}

Task<Time> RegisterLatency::measure(Core& cpu, CpuId target) {
    constexpr std::uint64_t gicr_typer = 0x0008;
    const Time start = cpu.local();
    co_await device_read(cpu, kernel_.platform().place(target).gicr_base + gicr_typer, 8);
    co_return cpu.local() - start;
}

}  // namespace gicsim
