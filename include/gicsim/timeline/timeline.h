#ifndef GICSIM_TIMELINE_TIMELINE_H
#define GICSIM_TIMELINE_TIMELINE_H

#include <algorithm>
#include <cstdint>
#include <exception>
#include <systemc>
#include <utility>
#include <vector>

#include "gicsim/arch/time.h"
#include "gicsim/timeline/event_queue.h"

namespace gicsim {

/// The ordered queue that every model of one platform posts its events to, run by a single SystemC process.
///
/// Events run back to back inside one activation of that process, ahead of sc_time_stamp(), as far as nothing outside
/// the Timeline can happen in between: until the next pending SystemC activity or the horizon, whichever is earlier.
/// Models therefore read `now()`, never sc_time_stamp(). What foreign modules can see is posted as a *boundary* event,
/// which runs only when SystemC's own time has got there.
class Timeline : public sc_core::sc_module, public virtual sc_core::sc_interface {
public:
    using Event = EventQueue::Event;
    using Action = EventQueue::Action;

    SC_HAS_PROCESS(Timeline);
    explicit Timeline(const sc_core::sc_module_name& name);

    [[nodiscard]] Time now() const { return now_; }

    /// For calls from outside the Timeline's own events: brings now() up to sc_time_stamp().
    void catch_up() {
        if (!running_) now_ = std::max(now_, from_systemc(sc_core::sc_time_stamp()));
    }

    /// Calls `(object->*Method)(argument)` at time `at`, which is not before now().
    template <auto Method, class Object>
    void post(Time at, Object* object, std::uint64_t argument = 0, Rank rank = Rank::normal) {
        push(at, rank, false, &invoke<Method, Object>, object, argument);
    }

    /// As post(), for effects that foreign modules can see: runs at sc_time_stamp() == at.
    template <auto Method, class Object>
    void post_boundary(Time at, Object* object, std::uint64_t argument = 0, Rank rank = Rank::normal) {
        push(at, rank, true, &invoke<Method, Object>, object, argument);
    }

    /// Calls `(object->*Method)(argument)` as soon as the running event has returned, before any other event. For
    /// agents that advance time themselves and so must not run inside another model's call.
    template <auto Method, class Object>
    void defer(Object* object, std::uint64_t argument = 0) {
        deferred_.push_back(Event{now_, 0, &invoke<Method, Object>, object, argument});
        if (!running_) arm(now_);
    }

    /// Moves now() to `t` if nothing is due before, so that the running event may go on at `t` as if it had posted
    /// itself there. Only for an event (or deferred call) that touches nothing else afterwards under the old time.
    [[nodiscard]] bool try_advance(Time t) {
        if (t < now_ || !running_ || t >= limit_ || deferred_next_ < deferred_.size()) return t == now_;
        if (!queue_.empty() && queue_.front().at <= t) return t == now_;
        now_ = t;
        return true;
    }

    /// How far events may run ahead of SystemC when nothing else is pending; granted by gicsim's own run loop. Without
    /// a grant the Timeline runs in step with SystemC.
    void grant_until(Time horizon) { horizon_ = horizon; }

    /// Called whenever nothing is left to do; may post more, and then the Timeline goes on with that at once. For work
    /// that comes in many small independent pieces.
    class IdleHandler {
    public:
        virtual ~IdleHandler() = default;
        virtual void idle() = 0;
    };
    /// @param handler outlives its use; null for none.
    void set_idle_handler(IdleHandler* handler) { idle_handler_ = handler; }

    /// Stops the running activation after the current event; what is queued stays queued.
    void halt() { halted_ = true; }
    /// Goes on after a halt, with what is queued.
    void proceed() { halted_ = false; }
    [[nodiscard]] bool halted() const { return halted_; }
    [[nodiscard]] bool idle() const { return queue_.empty() && deferred_next_ >= deferred_.size(); }

    /// Forgets all events and clears halt; time goes on from sc_time_stamp().
    void reset();

    /// An exception that left an event: it halts the Timeline and waits here for the run loop to rethrow it.
    [[nodiscard]] std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

    [[nodiscard]] std::uint64_t events_run() const { return events_run_; }

    /// SystemC's time in gicsim's unit, and the other way, rounded up to SystemC's resolution.
    [[nodiscard]] Time from_systemc(const sc_core::sc_time& t) const;
    [[nodiscard]] sc_core::sc_time to_systemc(Time t) const;

private:
    template <auto Method, class Object>
    static void invoke(void* object, std::uint64_t argument) {
        if constexpr (requires(Object & o) { (o.*Method)(argument); }) {
            (static_cast<Object*>(object)->*Method)(argument);
        } else {
            (static_cast<Object*>(object)->*Method)();
        }
    }

    void push(Time at, Rank rank, bool boundary, Action action, void* object, std::uint64_t argument) {
        if (at < now_) refuse_past();
        queue_.push({at, EventQueue::order(rank, sequence_++, boundary), action, object, argument});
        if (!running_) arm(at);
    }
    [[noreturn]] static void refuse_past();
    void arm(Time at);
    void run();
    void run_until_limit();
    void run_queue(Time here);
    void run_deferred();
    [[nodiscard]] Time ahead_limit() const;

    EventQueue queue_;
    std::vector<Event> deferred_;  ///< a FIFO from deferred_next_ on
    std::size_t deferred_next_ = 0;
    Time now_;
    Time limit_;
    Time horizon_;
    std::int64_t resolution_fs_;
    std::uint64_t sequence_ = 0;
    std::uint64_t events_run_ = 0;
    bool running_ = false;
    bool halted_ = false;
    std::exception_ptr failure_;
    IdleHandler* idle_handler_ = nullptr;
    sc_core::sc_event wake_;
};

}  // namespace gicsim

#endif
