#include "gicsim/timeline/timeline.h"

#include <cmath>
#include <stdexcept>

namespace gicsim {
namespace {

constexpr std::size_t expected_events = 1024;

}  // namespace

Timeline::Timeline(const sc_core::sc_module_name& name) : sc_module(name), resolution_fs_(1) {
    // One unit of sc_time's integer value is one step of the resolution; learn how many femtoseconds that is.
    const double step_s = sc_core::sc_get_time_resolution().to_seconds();
    resolution_fs_ = std::llround(step_s * 1e15);
    if (resolution_fs_ > 1) {
        SC_REPORT_WARNING(
            "/gicsim/timeline",
            "SystemC's time resolution is coarser than 1 fs: what other modules see of gicsim is rounded up to it");
    }
    deferred_.reserve(expected_events);
    SC_METHOD(run);
    sensitive << wake_;
    dont_initialize();
}

Time Timeline::from_systemc(const sc_core::sc_time& t) const {
    return Time::fs(static_cast<std::int64_t>(t.value()) * resolution_fs_);
}

sc_core::sc_time Timeline::to_systemc(Time t) const {
    const auto steps = static_cast<sc_core::sc_time::value_type>((t.in_fs() + resolution_fs_ - 1) / resolution_fs_);
    return sc_core::sc_time::from_value(steps);
}

void Timeline::reset() {
    queue_.clear();
    deferred_.clear();
    deferred_next_ = 0;
    halted_ = false;
    failure_ = nullptr;
    sequence_ = 0;
    events_run_ = 0;
    now_ = from_systemc(sc_core::sc_time_stamp());
    wake_.cancel();
}

void Timeline::refuse_past() {
    throw std::logic_error("Timeline: an event was posted before the present time");
}

void Timeline::arm(Time at) {
    if (halted_) return;
    const sc_core::sc_time& present = sc_core::sc_time_stamp();
    const sc_core::sc_time due = to_systemc(at);
    // An earlier notification wins over a pending later one, a later one is ignored: SystemC's rule for timed
    // notifications, and just what is needed here.
    if (due > present) {
        wake_.notify(due - present);
    } else {
        wake_.notify(sc_core::SC_ZERO_TIME);
    }
}

Time Timeline::ahead_limit() const {
    const sc_core::sc_time& present = sc_core::sc_time_stamp();
    const Time here = from_systemc(present);
    if (sc_core::sc_pending_activity_at_current_time()) return here;
    const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity();
    if (pending >= sc_core::sc_max_time() - present) return horizon_;
    return std::min(horizon_, from_systemc(present + pending));
}

void Timeline::run() {
    wake_.cancel();
    if (halted_) return;
    running_ = true;
    try {
        run_until_limit();
    } catch (...) {
        // Leaving through SystemC's process handler would turn the exception into a report and lose its type.
        failure_ = std::current_exception();
        halted_ = true;
    }
    running_ = false;
    if (!halted_ && !queue_.empty()) arm(queue_.front().at);
}

void Timeline::run_until_limit() {
    const Time here = from_systemc(sc_core::sc_time_stamp());
    if (now_ < here) now_ = here;
    limit_ = ahead_limit();
    run_deferred();
    run_queue(here);
    while (idle_handler_ != nullptr && !halted_ && idle()) {
        idle_handler_->idle();
        run_deferred();
        run_queue(here);
    }
}

void Timeline::run_queue(Time here) {
    while (!queue_.empty() && !halted_) {
        const Event& next = queue_.front();
        const Time at = next.at;
        const bool boundary = next.boundary();
        if ((boundary || at >= limit_) && at > here) break;
        const Action action = next.action;
        void* const object = next.object;
        const std::uint64_t argument = next.argument;
        queue_.pop();
        if (now_ < at) now_ = at;
        ++events_run_;
        action(object, argument);
        if (!deferred_.empty()) run_deferred();
        if (boundary) limit_ = ahead_limit();
    }
}

void Timeline::run_deferred() {
    while (deferred_next_ < deferred_.size()) {
        const Event event = deferred_[deferred_next_++];
        if (deferred_next_ == deferred_.size()) {
            deferred_.clear();
            deferred_next_ = 0;
        }
        event.action(event.object, event.argument);
    }
}

}  // namespace gicsim
