#include "gicsim/workload/rendezvous.h"

namespace gicsim {

Rendezvous::Rendezvous(Kernel& kernel) : kernel_(kernel) {
    const PageAllocator& pages = kernel.pages();
    for (std::size_t n = 0; n < kernel.platform().cpu_count(); ++n) {
        const unsigned die = kernel.platform().place(cpu_id(n)).die;
        const std::string name = "rendezvous " + std::to_string(n);
        mailboxes_.push_back({{pages.boot_line(name, die, 0), 0}, {pages.boot_line(name, die, 1), 0}});
    }
}

// An order is the number of the order and, in bit 0, what to do.
Task<> Rendezvous::order(Core& sender, CpuId cpu, Step step) {
    Mailbox& box = mailboxes_[index(cpu)];
    ++box.ordered;
    co_await store(sender, box.order, box.ordered << 1 | static_cast<Word>(step), StoreOrder::release);
    co_await kernel_.wait_until_reached(sender, box.answer, box.ordered, {cpu, "to get ready for the next round"});
}

Task<Rendezvous::Step> Rendezvous::next(Core& cpu) {
    const Mailbox& box = mailboxes_[index(cpu.id())];
    co_await kernel_.wait_until_reached(cpu, box.order, (box.answered + 1) << 1,
                                        {kernel_.description().options.sender, "to start the next round"});
    const Word order = co_await load(cpu, box.order);
    co_return static_cast<Step>(order & 1);
}

Task<> Rendezvous::answer(Core& cpu) {
    Mailbox& box = mailboxes_[index(cpu.id())];
    ++box.answered;
    co_await store(cpu, box.answer, box.answered, StoreOrder::release);
}

}  // namespace gicsim
