// Running ahead is an optimisation: whatever happens, it happens at the same times and in the same order as in step.
#include <algorithm>
#include <random>

#include "timeline/timeline_rig.h"

using namespace gicsim;

namespace {

/// A world of agents that post, defer and advance, and of a foreign process that interferes; all drawn from one seed.
/// Foreign times are odd and those of agents even, because ties between the two are SystemC's to break.
class RandomWorld {
public:
    struct Entry {
        std::uint64_t what;
        Time at;
    };

    void restart(unsigned seed) {
        random_.seed(seed);
        timeline.reset();
        start_ = timeline.now();
        log.clear();
        left_ = 400;
        for (unsigned i = 0; i < 8; ++i) timeline.post<&RandomWorld::event>(start_ + even(), this, i);
    }

    void event(std::uint64_t what) {
        log.push_back({what, timeline.now() - start_});
        for (std::uint64_t n = random_() % 3; n > 0 && left_ > 0; --n) {
            --left_;
            spawn(random_() % 1000);
        }
    }
    void deferred(std::uint64_t what) {
        log.push_back({what, timeline.now() - start_});
        // As a core does: on at once if nothing is due before, by an event otherwise.
        const Time later = timeline.now() + even();
        if (timeline.try_advance(later)) {
            event(what + 1);
        } else {
            timeline.post<&RandomWorld::event>(later, this, what + 1);
        }
    }
    void interfere(Time at) {
        timeline.catch_up();
        log.push_back({9999, timeline.now() - start_});
        CHECK(timeline.now() - start_ == at);
        timeline.post<&RandomWorld::event>(timeline.now() + Time::fs(1) + even(), this, 8000);
    }
    [[nodiscard]] Time start() const { return start_; }

    Timeline timeline{"timeline"};
    std::vector<Entry> log;

private:
    Time even() { return Time::fs(2 * static_cast<std::int64_t>(random_() % 40)); }

    void spawn(std::uint64_t what) {
        const auto rank = static_cast<Rank>(random_() % 3);
        const Time at = timeline.now() + even();
        switch (random_() % 4) {
            case 0: timeline.defer<&RandomWorld::deferred>(this, what); break;
            case 1: timeline.post_boundary<&RandomWorld::event>(at, this, what, rank); break;
            default: timeline.post<&RandomWorld::event>(at, this, what, rank); break;
        }
    }

    std::mt19937 random_;
    Time start_;
    unsigned left_ = 0;
};

}  // namespace

TEST_CASE("Timeline 15. A random mix of events runs alike in step and ahead, with and without interference") {
    RandomWorld world;
    sc_core::sc_event begin("begin");
    bool interferes = false;
    Foreign foreign("foreign", [&] {
        for (;;) {
            sc_core::wait(begin);
            for (std::int64_t at = 31; interferes && at < 900; at += 62) {
                sc_core::wait(world.timeline.to_systemc(world.start() + Time::fs(at)) - sc_core::sc_time_stamp());
                world.interfere(Time::fs(at));
            }
        }
    });
    const Time length = Time::fs(100'000);
    const auto run = [&](unsigned seed, bool ahead) {
        world.restart(seed);
        world.timeline.grant_until(ahead ? world.timeline.now() + length : Time{});
        begin.notify(sc_core::SC_ZERO_TIME);
        sc_core::sc_start(world.timeline.to_systemc(length));
        CHECK(world.timeline.idle());
        CHECK_FALSE(world.timeline.take_failure());
        return world.log;
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::size_t events = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        interferes = seed % 2 == 1;
        const auto in_step = run(seed, false);
        const std::uint64_t activations = world.timeline.events_run();
        const auto ahead = run(seed, true);
        INFO("seed " << seed);
        for (std::size_t i = 0; i < std::min(in_step.size(), ahead.size()); ++i) {
            INFO("event " << i);
            REQUIRE(in_step[i].what == ahead[i].what);
            REQUIRE(in_step[i].at.in_fs() == ahead[i].at.in_fs());
        }
        REQUIRE(in_step.size() == ahead.size());
        CHECK(world.timeline.events_run() <= activations);
        events += in_step.size();
    }
    CHECK(events > 10'000);
}

namespace {

/// Posts events all over the place while it runs, many of them pending at a time, and checks that none comes early.
class Crowd {
public:
    void event(std::uint64_t key) {
        CHECK(static_cast<std::int64_t>(key >> 32) == timeline.now().in_fs());
        ordered_ = ordered_ && last_ <= key;
        last_ = key;
        ++run;
        // Waves: growing to hundreds of pending events, then shrinking, again and again.
        const bool growing = run / 300 % 2 == 0;
        for (unsigned n = growing ? 2 : 0; n > 0 && posted < 5'000; --n) post();
    }
    void post() {
        // Mostly soon, sometimes far away, and often at the same time as others.
        const bool far = random_() % 8 == 0;
        const auto ahead = static_cast<std::int64_t>(random_() % (far ? 4000 : 60));
        const Time at = timeline.now() + Time::fs(ahead);
        const std::uint64_t key = static_cast<std::uint64_t>(at.in_fs()) << 32 | posted++;
        timeline.post<&Crowd::event>(at, this, key);
    }
    [[nodiscard]] bool ordered() const { return ordered_; }

    Timeline timeline{"timeline"};
    std::uint64_t run = 0;
    std::uint64_t posted = 0;

private:
    std::mt19937 random_{1};
    std::uint64_t last_ = 0;
    bool ordered_ = true;
};

}  // namespace

TEST_CASE("Timeline 18. With hundreds of events pending, each still runs at its time and in its turn") {
    Crowd crowd;
    for (unsigned i = 0; i < 200; ++i) crowd.post();
    crowd.timeline.grant_until(Time::ns(10));
    sc_core::sc_start(crowd.timeline.to_systemc(Time::ns(10)));
    while (crowd.posted < 5'000) {
        for (unsigned i = 0; i < 200; ++i) crowd.post();
        crowd.timeline.grant_until(crowd.timeline.now() + Time::ns(10));
        sc_core::sc_start(crowd.timeline.to_systemc(Time::ns(10)));
        crowd.timeline.catch_up();
    }
    CHECK(crowd.run == crowd.posted);
    CHECK(crowd.timeline.idle());
    CHECK(crowd.ordered());
}
