#include "gicsim/workload/remote_lines.h"

namespace gicsim {

RemoteLines::RemoteLines(Kernel& kernel, Rendezvous& rendezvous)
    : rendezvous_(rendezvous), owner_(kernel.description().options.remote_owner) {
    constexpr unsigned lines_a_page = PageAllocator::page_bytes / 64;
    const unsigned die = kernel.platform().place(owner_).die;
    for (unsigned i = 0; i < kernel.description().options.remote_lines; ++i) {
        const std::string page = "remote page " + std::to_string(i / lines_a_page);
        lines_.push_back({kernel.pages().line(page, die, i % lines_a_page), 0});
    }
}

Task<> RemoteLines::give_back(Core& sender) {
    if (!any()) co_return;
    if (owner_ == sender.id()) {
        co_await rewrite(sender);
    } else {
        co_await rendezvous_.order(sender, owner_, Rendezvous::Step::take_lines);
    }
}

Task<> RemoteLines::store_all(Core& sender, Word value) {
    static constexpr Barrier dmb_ishst(Barrier::Kind::dmb, Barrier::Type::stores, Barrier::Domain::inner_shareable);
    if (!any()) co_return;
    for (const Location& line : lines_) co_await store(sender, line, value);
    co_await barrier(sender, dmb_ishst);
}

Task<> RemoteLines::rewrite(Core& cpu) {
    ++rewritten_;
    for (const Location& line : lines_) co_await store(cpu, line, rewritten_);
}

Task<> RemoteLines::own(Core& cpu) {
    cpu.unmask_interrupts();
    for (;;) {
        co_await rendezvous_.next(cpu);
        co_await rewrite(cpu);
        co_await rendezvous_.answer(cpu);
    }
}

}  // namespace gicsim
