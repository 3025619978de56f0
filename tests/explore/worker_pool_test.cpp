// Work in processes of their own: what comes of failures, deaths and a stop.
#include "gicsim/explore/worker_pool.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <map>
#include <thread>

#include "gicsim/config/error.h"
#include "gicsim/workload/kernel.h"
#include "support/catch.h"

using namespace gicsim;

namespace {

struct Outcome {
    bool complete = false;
    std::map<std::size_t, std::string> done;
    std::map<std::size_t, std::string> lost;
};

Outcome run(unsigned workers, std::size_t count, const WorkerPool::Factory& factory) {
    Outcome outcome;
    WorkerPool pool;
    pool.workers = workers;
    pool.make_worker = factory;
    pool.done = [&](std::size_t i, const std::string& text) { outcome.done[i] = text; };
    pool.lost = [&](std::size_t i, const std::string& how) { outcome.lost[i] = how; };
    pool.go_on = [] { return true; };
    outcome.complete = pool.run(count);
    return outcome;
}

WorkerPool::Factory each(const WorkerPool::Piece& piece) {
    return [piece](const std::function<bool()>&) { return piece; };
}

void pause(int ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

}  // namespace

TEST_CASE("Workers 1. Every piece is done once") {
    const Outcome outcome = run(3, 20, each([](std::size_t i) { return std::to_string(i * i); }));
    CHECK(outcome.complete);
    REQUIRE(outcome.done.size() == 20);
    CHECK(outcome.done.at(19) == "361");
    CHECK(outcome.lost.empty());
}

TEST_CASE("Workers 2. The error of a file keeps its kind and its place") {
    const auto fail = each([](std::size_t) -> std::string {
        throw ConfigError(Origin::in_file("a.litmus", 4, 2), "path", "is wrong", "hint");
    });
    try {
        run(2, 3, fail);
        FAIL("nothing was thrown");
    } catch (const ConfigError& error) {
        CHECK_FALSE(error.from_command_line());
        CHECK(error.origin().line == 4);
        CHECK(error.path() == "path");
        CHECK(std::string(error.what()) == "a.litmus:4:2: path: is wrong (hint)");
    }
    CHECK_THROWS_AS(run(2, 3, each([](std::size_t) -> std::string { throw ModelError("m"); })), ModelError);
    CHECK_THROWS_WITH(run(2, 3, each([](std::size_t) -> std::string { throw std::logic_error("l"); })), "l");
}

TEST_CASE("Workers 3. A worker that is killed loses what it was at and nothing else") {
    const Outcome outcome = run(2, 8, each([](std::size_t i) {
                                    if (i == 3) kill(getpid(), SIGKILL);
                                    return std::to_string(i);
                                }));
    CHECK(outcome.complete);
    CHECK(outcome.done.size() == 7);
    REQUIRE(outcome.lost.size() == 1);
    CHECK(outcome.lost.at(3) == "was killed by signal 9");
    // With it the last one: the rest was never begun.
    const Outcome alone = run(1, 3, each([](std::size_t) -> std::string { _exit(5); }));
    CHECK(alone.done.empty());
    REQUIRE(alone.lost.size() == 3);
    CHECK(alone.lost.at(0) == "ended with code 5");
}

TEST_CASE("Workers 4. When it is stopped, what is under way returns what it has") {
    Outcome outcome;
    WorkerPool pool;
    pool.workers = 2;
    pool.make_worker = [](const std::function<bool()>& go_on) -> WorkerPool::Piece {
        return [go_on](std::size_t) -> std::string {
            while (go_on()) pause(1);
            return "so far";
        };
    };
    pool.done = [&](std::size_t i, const std::string& text) { outcome.done[i] = text; };
    unsigned asked = 0;
    pool.go_on = [&] { return ++asked < 3; };
    CHECK_FALSE(pool.run(10));
    CHECK(outcome.done.size() == 2);
    CHECK(outcome.done.begin()->second == "so far");
}

TEST_CASE("Workers 5. Workers end with the process that they work for, even when it is killed") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t parent = fork();
    REQUIRE(parent >= 0);
    if (parent == 0) {
        close(ends[0]);
        WorkerPool pool;
        pool.workers = 2;
        const int out = ends[1];
        pool.make_worker = each([out](std::size_t) -> std::string {
            const char ready = 'r';
            if (write(out, &ready, 1) == 1) pause(60'000);
            return {};
        });
        pool.done = [](std::size_t, const std::string&) {};
        pool.go_on = [] { return true; };
        pool.run(2);
        _exit(0);
    }
    close(ends[1]);
    char byte = 0;
    REQUIRE(read(ends[0], &byte, 1) == 1);
    REQUIRE(read(ends[0], &byte, 1) == 1);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    // The pipe ends when the last process that has it open does.
    const auto begin = std::chrono::steady_clock::now();
    CHECK(read(ends[0], &byte, 1) == 0);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
    close(ends[0]);
}
