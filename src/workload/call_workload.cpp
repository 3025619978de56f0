#include "gicsim/workload/call_workload.h"

namespace gicsim {

CallWorkload::CallWorkload(Kernel& kernel)
    : kernel_(kernel),
      options_(kernel.description().options),
      queues_(kernel),
      rendezvous_(kernel),
      remote_(kernel, rendezvous_) {
    const unsigned die = kernel_.platform().place(options_.sender).die;
    for (unsigned i = 0; i < options_.payload_lines; ++i) {
        payload_.push_back({kernel_.pages().line("module data", die, i), 0});
    }
}

// All CPUs, targets or not: with IRM = 1 an SGI comes to every one.
void CallWorkload::start() {
    Platform& platform = kernel_.platform();
    body_ = [this](Core& cpu, Intid) { return queues_.flush(cpu); };
    handler_program_ = [this](Core& cpu) { return kernel_.handle_interrupt(cpu, body_); };
    target_program_ = [this](Core& cpu) { return options_.receiver_running ? kernel_.busy(cpu) : kernel_.idle(cpu); };
    owner_program_ = [this](Core& cpu) { return remote_.own(cpu); };
    sender_program_ = [this](Core& cpu) { return sender(cpu); };
    for (std::size_t n = 0; n < platform.cpu_count(); ++n) {
        Core& core = platform.core(cpu_id(n));
        core.set_interrupt_handler(handler_program_);
        if (cpu_id(n) == options_.sender) {
            core.run(sender_program_);
        } else if (remote_.any() && cpu_id(n) == remote_.owner()) {
            core.run(owner_program_);
        } else {
            core.run(target_program_);
        }
    }
}

// Without a barrier of the policy, stores of the call before may still be on their way.
Task<> CallWorkload::give_lines_back(Core& cpu) {
    static constexpr Barrier dsb_sy(Barrier::Kind::dsb, Barrier::Type::all, Barrier::Domain::full_system);
    co_await barrier(cpu, dsb_sy);
    co_await remote_.give_back(cpu);
}

}  // namespace gicsim
