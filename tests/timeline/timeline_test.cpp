#include <stdexcept>
#include <string>

#include "timeline/timeline_rig.h"

using namespace gicsim;

using Ids = std::vector<std::uint64_t>;

TEST_CASE("Timeline 1. Events run by time, then rank, then in the order in which they were posted") {
    TimelineRig rig;
    for (const bool ahead : {false, true}) {
        rig.timeline.reset();
        rig.log.clear();
        const Time start = rig.timeline.now();
        rig.post(start + Time::ns(2), 6);
        rig.post(start + Time::ns(1), 5, Rank::late);
        rig.post(start + Time::ns(1), 3);
        rig.post(start + Time::ns(1), 4);
        rig.post(start + Time::ns(1), 1, Rank::early);
        rig.post(start + Time::ns(1), 2, Rank::early);
        ahead ? rig.start_ahead(Time::ns(3)) : rig.start(Time::ns(3));
        CHECK(rig.ids() == Ids{1, 2, 3, 4, 5, 6});
        CHECK(rig.timeline.events_run() == 6);
        CHECK(rig.timeline.idle());
    }
}

TEST_CASE("Timeline 2. A burst runs in one activation, up to the horizon and not at it") {
    TimelineRig rig;
    const Time horizon = Time::ns(10);
    rig.post(Time::ns(1), 1);
    rig.post(Time::ns(7), 2);
    rig.post(horizon - Time::fs(1), 3);
    rig.post(horizon, 4);
    rig.timeline.grant_until(horizon);
    rig.start(Time::ns(5));
    CHECK(rig.log == std::vector<TimelineRig::Entry>{{1, Time::ns(1), Time::ns(1)},
                                                     {2, Time::ns(7), Time::ns(1)},
                                                     {3, horizon - Time::fs(1), Time::ns(1)}});
    // sc_start() leaves what is due at its very end to the next one.
    rig.start(Time::ns(6));
    REQUIRE(rig.log.size() == 4);
    CHECK(rig.log[3] == TimelineRig::Entry{4, horizon, horizon});
}

TEST_CASE("Timeline 3. Without a horizon it runs in step with SystemC") {
    TimelineRig rig;
    for (unsigned i = 1; i <= 5; ++i) rig.post(Time::ns(i), i);
    rig.start(Time::ns(10));
    REQUIRE(rig.log.size() == 5);
    for (const TimelineRig::Entry& entry : rig.log) CHECK(entry.stamp == entry.now);
}

TEST_CASE("Timeline 4. It never runs to or past what is pending elsewhere in SystemC") {
    TimelineRig rig;
    std::size_t seen = 0;
    Foreign foreign("foreign", [&] {
        sc_core::wait(5, sc_core::SC_NS);
        seen = rig.log.size();
    });
    rig.post(Time::ns(1), 1);
    rig.post(Time::ns(5) - Time::fs(1), 2);
    rig.post(Time::ns(5) + Time::fs(1), 3);
    rig.start_ahead(Time::ns(20));
    CHECK(seen == 2);
    REQUIRE(rig.log.size() == 3);
    CHECK(rig.log[1].stamp == Time::ns(1));
    CHECK(rig.log[2].stamp == Time::ns(5) + Time::fs(1));
}

TEST_CASE("Timeline 5. A boundary event runs when SystemC's time has got there, and nothing overtakes it") {
    TimelineRig rig;
    rig.post(Time::ns(1), 1);
    rig.post_boundary(Time::ns(3), 2);
    rig.post(Time::ns(3), 3);
    rig.post(Time::ns(4), 4);
    rig.start_ahead(Time::ns(10));
    CHECK(rig.ids() == Ids{1, 2, 3, 4});
    CHECK(rig.log[1].stamp == Time::ns(3));
    // What comes after it runs ahead again.
    CHECK(rig.log[3].stamp == Time::ns(3));
}

TEST_CASE("Timeline 6. What a boundary event starts elsewhere ends the way ahead") {
    TimelineRig rig;
    sc_core::sc_event pin("pin");
    Time reacted;
    Foreign foreign("foreign", [&] {
        sc_core::wait(pin);
        sc_core::wait(2, sc_core::SC_NS);
        reacted = rig.timeline.from_systemc(sc_core::sc_time_stamp());
        rig.timeline.catch_up();
        rig.post(rig.timeline.now(), 9);
    });
    struct Notifier {
        sc_core::sc_event& event;
        void fire() { event.notify(); }
    } notifier{pin};
    rig.timeline.post_boundary<&Notifier::fire>(Time::ns(3), &notifier);
    rig.post(Time::ns(4), 1);
    rig.post(Time::ns(6), 2);
    rig.start_ahead(Time::ns(10));
    CHECK(reacted == Time::ns(5));
    CHECK(rig.ids() == Ids{1, 9, 2});
    CHECK(rig.log[1].now == Time::ns(5));
}

TEST_CASE("Timeline 7. A foreign process posts at its own time or later, never into the past") {
    TimelineRig rig;
    bool refused = false;
    Foreign foreign("foreign", [&] {
        sc_core::wait(5, sc_core::SC_NS);
        rig.timeline.catch_up();
        CHECK(rig.timeline.now() == Time::ns(5));
        rig.post(Time::ns(5), 1);
        rig.post(Time::ns(7), 2);
        try {
            rig.post(Time::ns(5) - Time::fs(1), 3);
        } catch (const std::logic_error&) {
            refused = true;
        }
    });
    // Something that could carry the Timeline far ahead, if it did not look at what is pending.
    rig.post(Time::ns(1), 10);
    rig.post(Time::ns(6), 11);
    rig.start_ahead(Time::ns(20));
    CHECK(refused);
    CHECK(rig.ids() == Ids{10, 1, 11, 2});
    CHECK(rig.log[1].now == Time::ns(5));
    CHECK(rig.log[3].now == Time::ns(7));
}

TEST_CASE("Timeline 8. An event may post at its own time, and not before it") {
    TimelineRig rig;
    rig.post_action(Time::ns(2), [&] {
        rig.post(Time::ns(2), 7);
        CHECK_THROWS_AS(rig.post(Time::ns(2) - Time::fs(1), 8), std::logic_error);
    });
    rig.start_ahead(Time::ns(10));
    CHECK(rig.ids() == Ids{0, 7});
}

TEST_CASE("Timeline 9. halt() stops after the running event, and reset() forgets the rest and goes on") {
    TimelineRig rig;
    rig.post_action(Time::ns(2), [&] { rig.timeline.halt(); });
    rig.post(Time::ns(2), 7);
    rig.post(Time::ns(3), 8);
    rig.start_ahead(Time::ns(10));
    CHECK(rig.ids() == Ids{0});
    CHECK(rig.timeline.halted());
    CHECK_FALSE(rig.timeline.idle());
    rig.start(Time::ns(10));
    CHECK(rig.ids() == Ids{0});

    rig.timeline.reset();
    CHECK_FALSE(rig.timeline.halted());
    CHECK(rig.timeline.idle());
    CHECK(rig.timeline.events_run() == 0);
    CHECK(rig.timeline.now() == Time::ns(20));
    rig.post(Time::ns(21), 9);
    rig.start_ahead(Time::ns(10));
    CHECK(rig.ids() == Ids{0, 9});
}

TEST_CASE("Timeline 10. An exception leaves with its type, halts, and is handed out once") {
    struct Special : std::runtime_error {
        using std::runtime_error::runtime_error;
    };
    TimelineRig rig;
    rig.post_action(Time::ns(1), [] { throw Special("seven"); });
    rig.post(Time::ns(2), 7);
    REQUIRE_NOTHROW(rig.start_ahead(Time::ns(10)));
    CHECK(rig.timeline.halted());
    const std::exception_ptr failure = rig.timeline.take_failure();
    REQUIRE(failure);
    CHECK_THROWS_AS(std::rethrow_exception(failure), Special);
    CHECK_FALSE(rig.timeline.take_failure());
    CHECK(rig.ids() == Ids{0});
}

TEST_CASE("Timeline 11. try_advance() goes as far as nothing is due, and refuses at what is due at that very time") {
    TimelineRig rig;
    rig.post(Time::ns(5), 7);
    rig.post_action(Time::ns(1), [&] {
        CHECK(rig.timeline.try_advance(Time::ns(1)));
        CHECK_FALSE(rig.timeline.try_advance(Time::ns(5)));
        CHECK_FALSE(rig.timeline.try_advance(Time::ns(6)));
        CHECK_FALSE(rig.timeline.try_advance(Time::ns(1) - Time::fs(1)));
        CHECK(rig.timeline.now() == Time::ns(1));
        CHECK(rig.timeline.try_advance(Time::ns(5) - Time::fs(1)));
        CHECK(rig.timeline.now() == Time::ns(5) - Time::fs(1));
    });
    rig.post_action(Time::ns(6), [&] {
        CHECK_FALSE(rig.timeline.try_advance(Time::ns(10)));
        CHECK(rig.timeline.try_advance(Time::ns(10) - Time::fs(1)));
    });
    rig.start_ahead(Time::ns(10));
    CHECK(rig.ids() == Ids{0, 7, 1});
}

TEST_CASE("Timeline 12. try_advance() goes nowhere in step, outside an event, or while a deferred call waits") {
    TimelineRig rig;
    CHECK_FALSE(rig.timeline.try_advance(Time::ns(1)));
    rig.post_action(Time::ns(1), [&] { CHECK_FALSE(rig.timeline.try_advance(Time::ns(2))); });
    rig.start(Time::ns(5));
    rig.post_action(Time::ns(6), [&] {
        rig.timeline.defer<&TimelineRig::note>(&rig, 7);
        CHECK_FALSE(rig.timeline.try_advance(Time::ns(7)));
    });
    rig.timeline.grant_until(Time::ns(20));
    rig.start(Time::ns(5));
    CHECK(rig.ids() == Ids{0, 1, 7});
}

TEST_CASE("Timeline 13. Deferred calls run right after the event, in order, before any other event") {
    TimelineRig rig;
    rig.post_action(Time::ns(1), [&] {
        rig.timeline.defer<&TimelineRig::note>(&rig, 7);
        rig.timeline.defer<&TimelineRig::note>(&rig, 8);
        rig.note(6);
    });
    rig.post(Time::ns(1), 9, Rank::normal);
    rig.start_ahead(Time::ns(5));
    CHECK(rig.ids() == Ids{0, 6, 7, 8, 9});
}

TEST_CASE("Timeline 14. A call deferred from outside runs at SystemC's present time") {
    TimelineRig rig;
    Foreign foreign("foreign", [&] {
        sc_core::wait(5, sc_core::SC_NS);
        rig.timeline.catch_up();
        rig.timeline.defer<&TimelineRig::note>(&rig, 7);
    });
    rig.start_ahead(Time::ns(10));
    REQUIRE(rig.ids() == Ids{7});
    CHECK(rig.log[0].now == Time::ns(5));
    CHECK(rig.log[0].stamp == Time::ns(5));
}
