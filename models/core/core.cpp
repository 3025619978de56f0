#include "gicsim/core/core.h"

namespace gicsim {

Core::Core(const sc_core::sc_module_name& name) : sc_module(name) {}

void Core::reset(const CoreParameters& parameters, CpuId id, EndpointId mmio_self) {
    parameters_ = parameters;
    id_ = id;
    mmio_self_ = mmio_self;
    one_cycle_ = parameters.clock.to_time(Cycles(1));
    handler_ = nullptr;
    contexts_.reserve(8);
    abandon();
    irq_line_ = false;
    security_ = Security::secure;
    mmio_outstanding_ = 0;
    interrupts_taken_ = failed_accesses_ = 0;
}

void Core::abandon() {
    local_ = timeline->now();
    interruptible_from_ = local_;
    blocked_ = nullptr;
    next_ = nullptr;
    contexts_.clear();
    main_ = Task<>();
    ++ticket_;
    wake_pending_ = stepping_ = poked_ = root_ended_ = main_finished_ = false;
    failure_ = nullptr;
    masked_ = true;
    event_register_ = monitor_armed_ = raised_ = false;
    time_cut_off_ = Time{};
}

void Core::run(const Program& program) {
    main_ = program(*this);
    main_finished_ = false;
    local_ = timeline->now();
    next_ = main_.start(*this);
    if (!poked_) {
        poked_ = true;
        timeline->defer<&Core::step>(this);
    }
}

void Core::set_security(Security security) {
    security_ = security;
    gic->set_pe(PeState::in(security));
}

// Everything the core does happens in here, called by the Timeline and by nobody else: programs advance the Timeline,
// so no other model may be in the middle of something.
void Core::step() {
    poked_ = false;
    stepping_ = true;
    for (;;) {
        if (next_) {
            std::exchange(next_, nullptr).resume();
            if (root_ended_) {
                root_ended_ = false;
                if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
                if (contexts_.empty()) {
                    main_finished_ = true;
                    break;
                }
                return_from_interrupt();
            }
            continue;
        }
        if (blocked_ == nullptr) break;
        if (interrupt_due() && blocked_->interruptible()) {
            if (timeline->now() < interruptible_from_ && !timeline->try_advance(interruptible_from_)) {
                wake_at(interruptible_from_);
                break;
            }
            take_interrupt();
            continue;
        }
        if (!meet_timeline() || !blocked_->attempt(*this)) break;
        next_ = std::exchange(blocked_, nullptr)->waiter;
    }
    stepping_ = false;
}

bool Core::begin(Operation& operation) {
    const bool interrupted = interrupt_due() && operation.interruptible();
    if (!interrupted && meet_timeline() && operation.attempt(*this)) return true;
    blocked_ = &operation;
    return false;
}

bool Core::meet_timeline() {
    const Time now = timeline->now();
    if (local_ <= now) {
        local_ = now;
        return true;
    }
    if (timeline->try_advance(local_)) return true;
    wake_at(local_);
    return false;
}

void Core::wake_at(Time at) {
    if (wake_pending_ && wake_time_ == at) return;
    wake_pending_ = true;
    wake_time_ = at;
    timeline->post<&Core::timer>(at, this, ++ticket_);
}

void Core::timer(std::uint64_t ticket) {
    if (ticket != ticket_) return;
    wake_pending_ = false;
    step();
}

// Events that come while the core itself is running need no further step: it looks again before it stops.
void Core::poke() {
    if (stepping_ || poked_ || blocked_ == nullptr) return;
    poked_ = true;
    timeline->defer<&Core::step>(this);
}

void Core::take_interrupt() {
    const Time now = timeline->now();
    Time left{};
    if (local_ > now) left = local_ - now;
    local_ = now + blocked_->interrupted(*this);
    if (!replaces_program_) contexts_.push_back({blocked_, left, masked_, Task<>()});
    blocked_ = nullptr;
    masked_ = true;
    monitor_armed_ = raised_ = false;
    ++interrupts_taken_;
    mark(Point::irq_taken, id_);
    local_ += parameters_.exception_entry;
    if (handler_ == nullptr)
        throw std::logic_error(std::string(name()) + ": an interrupt was taken and no handler is set");
    if (replaces_program_) {
        time_cut_off_ = left;
        main_ = (*handler_)(*this);
        next_ = main_.start(*this);
        return;
    }
    contexts_.back().handler = (*handler_)(*this);
    next_ = contexts_.back().handler.start(*this);
}

void Core::return_from_exception() {
    local_ += parameters_.exception_return;
    interruptible_from_ = local_;
    clear_monitor();
    lsu->forget_exclusives();
    // A WFE after it does not sleep through a change that came while the monitor was disarmed.
    event_register_ = true;
}

void Core::return_from_interrupt() {
    Context& context = contexts_.back();
    return_from_exception();
    local_ += context.compute_left;
    blocked_ = context.blocked;
    masked_ = context.masked;
    contexts_.pop_back();
}

void Core::finished(std::exception_ptr failure) {
    root_ended_ = true;
    failure_ = std::move(failure);
}

void Core::line_lost(LineId line) {
    if (!monitor_armed_ || monitor_ != line) return;
    // The monitor leaves Exclusive state: that is an event (DDI 0487, D1.6.1).
    monitor_armed_ = false;
    event_register_ = true;
    poke();
}

void Core::interrupt_lines_changed() {
    irq_line_ = gic->irq() || gic->fiq();
    poke();
}

void Core::send_mmio(const MmioMessage& message) {
    ++mmio_outstanding_;
    mmio->send(mmio_self_, decoder_(message.address), timeline->now(), MmioMessage::bytes, message);
}

void Core::receive(EndpointId, const MmioMessage& message) {
    --mmio_outstanding_;
    if (message.failed) ++failed_accesses_;
    if (!message.write) mmio_answer_ = message;
    poke();
}

std::string Core::waits_for() const {
    if (blocked_ == nullptr) return {};
    return blocked_->waits_for();
}

}  // namespace gicsim
