#include "gicsim/workload/signal.h"

namespace gicsim {

Signal::Signal(Kernel& kernel, Intid ipi)
    : kernel_(kernel),
      options_(kernel.description().options),
      segments_(kernel.platform()),
      rendezvous_(kernel),
      remote_(kernel, rendezvous_) {
    Platform& platform = kernel_.platform();
    for (std::size_t n = 0; n < platform.cpu_count(); ++n) {
        const CpuPlace& place = platform.place(cpu_id(n));
        const LineId done = kernel_.pages().boot_line("handled " + std::to_string(n), place.die, 0);
        targets_.push_back({{done, 0}, sgi1r_for(place.affinity, ipi)});
    }
    for (const CpuId target : options_.targets) {
        if (target != options_.sender) receivers_.push_back(target);
    }
}

void Signal::start() {
    body_ = [this](Core& cpu, Intid) { return look(cpu); };
    handler_program_ = [this](Core& cpu) { return handle(cpu); };
    sender_program_ = [this](Core& cpu) { return sender(cpu); };
    partner_program_ = [this](Core& cpu) { return partner(cpu); };
    Platform& platform = kernel_.platform();
    platform.core(options_.sender).run(sender_program_);
    std::vector<bool> started(platform.cpu_count(), false);
    started[index(options_.sender)] = true;
    const auto start_partner = [&](CpuId cpu) {
        if (started[index(cpu)]) return;
        started[index(cpu)] = true;
        platform.core(cpu).set_interrupt_handler(handler_program_);
        platform.core(cpu).run(partner_program_);
    };
    for (const CpuId receiver : receivers_) start_partner(receiver);
    if (remote_.any()) start_partner(remote_.owner());
}

Task<> Signal::sender(Core& cpu) {
    for (std::uint64_t round = 0; round < options_.rounds; ++round) {
        for (const CpuId receiver : receivers_) co_await signal(cpu, receiver);
        ++rounds_done_;
    }
    kernel_.platform().timeline().halt();
}

Task<> Signal::signal(Core& cpu, CpuId target) {
    static constexpr Barrier dsb_sy(Barrier::Kind::dsb, Barrier::Type::all, Barrier::Domain::full_system);
    Target& receiver = targets_[index(target)];
    // Without a barrier of the policy, stores of the round before may still be on their way.
    co_await barrier(cpu, dsb_sy);
    co_await remote_.give_back(cpu);
    co_await rendezvous_.order(cpu, target, Rendezvous::Step::get_ready);

    cpu.mark(Point::call_start, cpu.id());
    const Time start = cpu.local();
    ++receiver.sent;
    ++ipis_;
    co_await remote_.store_all(cpu, ipis_);
    co_await publish(cpu, target, ipis_);
    cpu.mark(Point::queued, cpu.id());
    cpu.compute(kernel_.times().send_lookup);
    co_await kernel_.send_sgis(cpu, std::span(&receiver.sgi_value, 1));
    co_await kernel_.wait_until_reached(cpu, receiver.done, receiver.sent, {target, "to handle its interrupt"});
    cpu.mark(Point::seen, cpu.id());
    cpu.mark(Point::call_end, cpu.id());
    total_ += cpu.local() - start;
    segments_.enter(cpu.id(), target);
}

Task<> Signal::partner(Core& cpu) {
    cpu.unmask_interrupts();
    for (;;) {
        const Rendezvous::Step step = co_await rendezvous_.next(cpu);
        if (step == Rendezvous::Step::take_lines) {
            co_await remote_.rewrite(cpu);
            co_await rendezvous_.answer(cpu);
        } else {
            co_await get_ready(cpu);
            co_await rendezvous_.answer(cpu);
            co_await await_interrupt(cpu);
        }
    }
}

// Idle as cpu_do_idle is, or computing with a look at the count now and then. The idle CPU masks before it looks, as
// do_idle() does, so that the interrupt cannot come between the look and the WFI.
Task<> Signal::await_interrupt(Core& cpu) {
    static constexpr Barrier dsb_sy(Barrier::Kind::dsb, Barrier::Type::all, Barrier::Domain::full_system);
    constexpr Cycles stretch(1000);
    Target& self = targets_[index(cpu.id())];
    ++self.expected;
    for (;;) {
        if (!options_.receiver_running) cpu.mask_interrupts();
        const Word done = co_await load(cpu, self.done);
        if (done >= self.expected) break;
        if (options_.receiver_running) {
            cpu.compute(stretch);
        } else {
            co_await barrier(cpu, dsb_sy);
            co_await wfi(cpu);
            cpu.unmask_interrupts();
            co_await isb(cpu);
        }
    }
    cpu.unmask_interrupts();
}

Task<> Signal::handle(Core& cpu) {
    return kernel_.handle_interrupt(cpu, body_);
}

Task<> Signal::report_handled(Core& cpu) {
    Target& self = targets_[index(cpu.id())];
    ++self.handled;
    co_await store(cpu, self.done, self.handled, StoreOrder::release);
    cpu.mark(Point::unlocked, cpu.id());
}

void Signal::finish(RunResult& result) {
    result.total = total_;
    result.calls = ipis_;
    result.ipis = ipis_;
    result.classes = segments_.classes();
}

}  // namespace gicsim
