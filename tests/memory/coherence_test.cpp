#include <random>

#include "support/memory_rig.h"

using namespace gicsim;

namespace {

/// Steps the rig until the condition holds; returns the Timeline's time at that moment relative to the start.
struct FillTime {
    Time at{};
    bool seen = false;
};

Time time_to_fill(MemoryRig& rig, unsigned cache, LineId line, bool exclusive) {
    FillTime fill;
    rig.clients[cache]->on_fill = [&](LineId filled) {
        if (filled == line) fill = {rig.timeline.now(), true};
    };
    const Time start = rig.timeline.now();
    rig.caches[cache]->request(line, exclusive);
    rig.run_for(Time::us(1));
    rig.clients[cache]->on_fill = nullptr;
    REQUIRE(fill.seen);
    return fill.at - start;
}

}  // namespace

TEST_CASE("1. A line nobody holds comes from the DRAM of its home") {
    MemoryRig rig;
    // miss 1 + core link 1 + slice 1 + home 1 + dram 50 + slice 1 + core link 1
    CHECK(time_to_fill(rig, 0, rig.map.allocate(0, 0), false) == Time::ns(56));
    // ... and from the other die's DRAM: two crossings of 10 more.
    CHECK(time_to_fill(rig, 0, rig.map.allocate(1, 0), false) == Time::ns(76));
}

TEST_CASE("2. The first reader gets the line exclusively and may write it without asking") {
    MemoryRig rig;
    const LineId line = rig.map.allocate(0, 0);
    time_to_fill(rig, 0, line, false);
    CHECK(rig.caches[0]->writable(line));
    CHECK(rig.directories[0]->owner(line) == 0);
}

TEST_CASE("3. A dirty line passes from core to core inside a die without the home") {
    MemoryRig rig;
    const LineId line = rig.map.allocate(1, 0);
    time_to_fill(rig, 0, line, true);
    rig.caches[0]->write({line, 3}, 42);
    const std::uint64_t before = rig.transport.messages_sent();
    // miss 1 + 1 + slice 1 + 1 + snoop 1 + 1 + slice 1 + 1
    CHECK(time_to_fill(rig, 1, line, true) == Time::ns(8));
    CHECK(rig.transport.messages_sent() - before == 4);
    CHECK(rig.caches[1]->read({line, 3}) == 42);
    CHECK_FALSE(rig.caches[0]->readable(line));
}

TEST_CASE("4. A dirty line passes from die to die by way of its home") {
    MemoryRig rig;
    const LineId line = rig.map.allocate(0, 0);
    time_to_fill(rig, 0, line, true);
    rig.caches[0]->write({line, 0}, 7);
    // 1 + 1 + slice 1 + 10 + home 1 + slice 1 + 1 + snoop 1 + 1 + slice 1 + home 1 + 10 + slice 1 + 1
    CHECK(time_to_fill(rig, 2, line, false) == Time::ns(32));
    CHECK(rig.caches[2]->read({line, 0}) == 7);
    CHECK(rig.caches[0]->readable(line));
    CHECK_FALSE(rig.caches[0]->writable(line));
    CHECK_FALSE(rig.caches[2]->writable(line));
}

TEST_CASE("5. A line is granted exclusively only when every other copy is gone") {
    MemoryRig rig;
    const LineId line = rig.map.allocate(0, 0);
    for (unsigned cache = 0; cache < 4; ++cache) time_to_fill(rig, cache, line, false);
    bool alone = false;
    rig.clients[3]->on_fill = [&](LineId) {
        alone = !rig.caches[0]->readable(line) && !rig.caches[1]->readable(line) && !rig.caches[2]->readable(line);
    };
    rig.caches[3]->request(line, true);
    rig.run_for(Time::us(1));
    CHECK(alone);
    CHECK(rig.caches[3]->writable(line));
    CHECK(rig.clients[0]->invalidations == 1);
}

TEST_CASE("6. An upgrade that loses the race gets the winner's data") {
    MemoryRig rig;
    const LineId line = rig.map.allocate(0, 0);
    for (unsigned cache = 0; cache < 4; ++cache) time_to_fill(rig, cache, line, false);
    for (unsigned cache = 0; cache < 4; ++cache) {
        rig.clients[cache]->on_fill = [&, cache](LineId) {
            REQUIRE(rig.caches[cache]->writable(line));
            rig.caches[cache]->write({line, 0}, rig.caches[cache]->read({line, 0}) + 1);
        };
        rig.caches[cache]->request(line, true);
    }
    rig.run_for(Time::us(2));
    unsigned owners = 0;
    for (unsigned cache = 0; cache < 4; ++cache) {
        if (!rig.caches[cache]->writable(line)) continue;
        ++owners;
        CHECK(rig.caches[cache]->read({line, 0}) == 4);
    }
    CHECK(owners == 1);
}

TEST_CASE("7. The point of coherence confirms a line after one round trip") {
    MemoryRig rig;
    const LineId line = rig.map.allocate(0, 0);
    time_to_fill(rig, 0, line, true);
    const Time start = rig.timeline.now();
    rig.caches[0]->confirm(line, start);
    rig.run_for(Time::ns(3) - Time::fs(1));  // 1 + slice 1 + 1
    CHECK(rig.clients[0]->confirmations == 0);
    rig.run_for(Time::fs(2));
    CHECK(rig.clients[0]->confirmations == 1);
}

namespace {

/// Four caches ask for five lines at random, to read or to write; every grant is checked against what was written.
void random_traffic(FabricFidelity fidelity) {
    MemoryRig rig(fidelity);
    constexpr unsigned line_count = 5;
    constexpr unsigned steps_per_cache = 3000;
    std::vector<LineId> lines;
    for (std::uint64_t i = 0; i < line_count; ++i) lines.push_back(rig.map.allocate(i % 2, i * 64));
    std::mt19937_64 random(7);
    std::vector<Word> written(line_count, 0);
    std::vector<std::vector<Word>> last_seen(4, std::vector<Word>(line_count, 0));
    std::vector<unsigned> steps(4, 0);
    struct Wish {
        LineId line;
        bool exclusive;
    };
    std::vector<Wish> wish(4);
    std::function<void(unsigned)> next = [&](unsigned cache) {
        if (steps[cache]++ >= steps_per_cache) return;
        wish[cache] = {lines[random() % line_count], random() % 2 == 0};
        const bool have = wish[cache].exclusive ? rig.caches[cache]->writable(wish[cache].line)
                                                : rig.caches[cache]->readable(wish[cache].line);
        if (have) {
            next(cache);
        } else {
            rig.caches[cache]->request(wish[cache].line, wish[cache].exclusive);
        }
    };
    for (unsigned cache = 0; cache < 4; ++cache) {
        rig.clients[cache]->on_fill = [&, cache](LineId line) {
            const unsigned i = index(line);
            for (unsigned other = 0; other < 4; ++other) {
                if (other == cache) continue;
                if (rig.caches[cache]->writable(line)) REQUIRE_FALSE(rig.caches[other]->readable(line));
                if (rig.caches[other]->writable(line)) REQUIRE_FALSE(rig.caches[cache]->readable(line));
            }
            const Word value = rig.caches[cache]->read({line, 1});
            REQUIRE(value >= last_seen[cache][i]);
            REQUIRE(value == written[i]);
            last_seen[cache][i] = value;
            if (rig.caches[cache]->writable(line)) rig.caches[cache]->write({line, 1}, ++written[i]);
            next(cache);
        };
        next(cache);
    }
    rig.run_for(Time::ms(10));
    for (unsigned cache = 0; cache < 4; ++cache) CHECK(steps[cache] > steps_per_cache);
    for (unsigned i = 0; i < line_count; ++i) CHECK(written[i] > 100);
}

}  // namespace

TEST_CASE("8. No write is lost, no copy goes back in time, and nobody reads beside a writer") {
    random_traffic(FabricFidelity::latency);
}

TEST_CASE("9. ... nor where messages queue for links") {
    random_traffic(FabricFidelity::queued);
}

namespace {

struct Fill {
    unsigned cache;
    LineId line;
    bool alone;
    Time at;
    bool operator==(const Fill&) const = default;
};

/// Four caches ask for three lines at random moments; what they get, and when.
std::vector<Fill> fills_of_random_requests(MemoryRig& rig, std::uint64_t seed) {
    std::vector<LineId> lines;
    for (std::uint64_t i = 0; i < 3; ++i) lines.push_back(rig.map.allocate(i % 2, i * 64));
    std::vector<Fill> fills;
    const Time start = rig.timeline.now();
    for (unsigned cache = 0; cache < 4; ++cache) {
        rig.clients[cache]->on_fill = [&, cache](LineId line) {
            fills.push_back({cache, line, rig.caches[cache]->writable(line), rig.timeline.now() - start});
        };
    }
    std::mt19937_64 random(seed);
    for (unsigned i = 0; i < 4000; ++i) {
        const auto cache = static_cast<unsigned>(random() % 4);
        const LineId line = lines[random() % lines.size()];
        const bool exclusive = random() % 2 == 0;
        const bool have = exclusive ? rig.caches[cache]->writable(line) : rig.caches[cache]->readable(line);
        if (!have) rig.caches[cache]->request(line, exclusive);
        // In femtoseconds, so that no two things happen at the same time by chance.
        rig.run_for(Time::fs(1 + static_cast<std::int64_t>(random() % 9'000'000)));
    }
    rig.run_for(Time::us(5));
    return fills;
}

}  // namespace

// Where links are never busy, a message that queues takes as long as one that does not; but only without queues are
// answers handled before they arrive.
TEST_CASE("10. An answer that is handled ahead of its arrival changes no grant and no time") {
    MemoryRig rig;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        rig.reset(FabricFidelity::queued, Time{});
        const std::vector<Fill> in_order = fills_of_random_requests(rig, seed);
        const std::uint64_t events_in_order = rig.timeline.events_run();
        rig.reset(FabricFidelity::latency, Time{});
        const std::vector<Fill> ahead = fills_of_random_requests(rig, seed);
        CHECK(in_order.size() > 500);
        CHECK((ahead == in_order));
        CHECK(rig.timeline.events_run() < events_in_order);
    }
}
