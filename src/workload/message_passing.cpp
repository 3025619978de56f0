#include "gicsim/workload/message_passing.h"

#include <algorithm>

namespace gicsim {

MessagePassing::MessagePassing(Kernel& kernel) : Signal(kernel, ipi_call_function) {
    const unsigned die = kernel.platform().place(options_.sender).die;
    constexpr unsigned lines_a_page = PageAllocator::page_bytes / 64;
    // A message without payload would say nothing.
    const unsigned lines = std::max(options_.payload_lines, 1U);
    for (unsigned i = 0; i < lines; ++i) {
        const std::string page = "payload page " + std::to_string(i / lines_a_page);
        payload_.push_back({kernel.pages().line(page, die, i % lines_a_page), 0});
    }
    position_.resize(kernel.platform().cpu_count(), 0);
    for (std::size_t i = 0; i < receivers().size(); ++i) position_[index(receivers()[i])] = i + 1;
}

Task<> MessagePassing::get_ready(Core& cpu) {
    for (const Location& word : payload_) co_await load(cpu, word);
}

Task<> MessagePassing::publish(Core& cpu, CpuId, Word number) {
    for (const Location& word : payload_) co_await store(cpu, word, number);
}

// The handler knows which message it is told of: the messages of a round go to the receivers in turn, and it counts
// its interrupts.
Task<> MessagePassing::look(Core& cpu) {
    const Word expected = handled(cpu.id()) * receivers().size() + position_[index(cpu.id())];
    cpu.mark(Point::dequeued, cpu.id());
    bool old = false;
    for (const Location& word : payload_) {
        const Word found = co_await load(cpu, word);
        old |= found < expected;
    }
    cpu.mark(Point::function_called, cpu.id());
    ++(old ? stale_ : ok_);
    co_await report_handled(cpu);
}

void MessagePassing::finish(RunResult& result) {
    Signal::finish(result);
    result.ok = ok_;
    result.stale = stale_;
}

}  // namespace gicsim
