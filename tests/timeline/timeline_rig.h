#ifndef GICSIM_TESTS_TIMELINE_TIMELINE_RIG_H
#define GICSIM_TESTS_TIMELINE_TIMELINE_RIG_H

#include <functional>
#include <utility>
#include <vector>

#include "gicsim/timeline/timeline.h"
#include "support/catch.h"

/// Something outside gicsim: an SC_THREAD that does what the test says.
class Foreign : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Foreign);
    Foreign(const sc_core::sc_module_name& name, std::function<void()> body) : sc_module(name), body_(std::move(body)) {
        SC_THREAD(run);
    }

private:
    void run() { body_(); }
    std::function<void()> body_;
};

/// A Timeline and an object whose events write down when they ran.
class TimelineRig {
public:
    struct Entry {
        std::uint64_t id;
        gicsim::Time now;    ///< as models see it
        gicsim::Time stamp;  ///< SystemC's own
        bool operator==(const Entry&) const = default;
    };

    void note(std::uint64_t id) {
        log.push_back({id, timeline.now(), timeline.from_systemc(sc_core::sc_time_stamp())});
    }
    /// Runs `actions[i]`, and writes it down.
    void act(std::uint64_t i) {
        note(i);
        actions[i]();
    }
    void post(gicsim::Time at, std::uint64_t id, gicsim::Rank rank = gicsim::Rank::normal) {
        timeline.post<&TimelineRig::note>(at, this, id, rank);
    }
    void post_boundary(gicsim::Time at, std::uint64_t id) { timeline.post_boundary<&TimelineRig::note>(at, this, id); }
    /// At `at`, writes down the action's number and does it.
    void post_action(gicsim::Time at, std::function<void()> action) {
        actions.push_back(std::move(action));
        timeline.post<&TimelineRig::act>(at, this, actions.size() - 1);
    }
    void start(gicsim::Time time) const { sc_core::sc_start(timeline.to_systemc(time)); }
    void start_ahead(gicsim::Time time) {
        timeline.grant_until(timeline.now() + time);
        start(time);
    }
    [[nodiscard]] std::vector<std::uint64_t> ids() const {
        std::vector<std::uint64_t> list;
        list.reserve(log.size());
        for (const Entry& entry : log) list.push_back(entry.id);
        return list;
    }

    gicsim::Timeline timeline{"timeline"};
    std::vector<Entry> log;
    std::vector<std::function<void()>> actions;
};

#endif
