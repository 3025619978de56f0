// What a user may rely on from one process to the next: the same bytes for the same input, and an honest end.
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "support/catch.h"

namespace {

struct Answer {
    int code = -1;
    std::string out;
};

/// Runs gicsim in a shell.
/// @param before what stands before the program on the command line.
Answer gicsim_run(const std::string& arguments, const std::string& before = {}) {
    const std::string command = "(" + before + " " + GICSIM_PROGRAM + " run " + arguments + ") 2>/dev/null";
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("no shell");
    Answer answer;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
        answer.out.append(buffer.data(), n);
    }
    const int status = pclose(pipe);
    answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return answer;
}

}  // namespace

TEST_CASE("Determinism 1. Two processes with the same seed give the same bytes, segments included") {
    const std::string arguments = "small-ipi --rounds 20 --format json --explain";
    const Answer first = gicsim_run(arguments);
    CHECK(first.code == 0);
    CHECK(first.out.size() > 10'000);
    CHECK(first.out == gicsim_run(arguments).out);
    // Neither the environment nor the place of the stack has a say.
    CHECK(first.out == gicsim_run(arguments, "env -i A=$(head -c 5000 /dev/zero | tr '\\0' x)").out);
    CHECK(first.out == gicsim_run(arguments, "cd / && TZ=Asia/Tokyo LC_ALL=C").out);
}

TEST_CASE("Determinism 2. Another seed gives other pages, and so other totals") {
    const auto total = [](const char* seed) {
        const auto json = nlohmann::json::parse(
            gicsim_run(std::string("small-ipi --rounds 20 --barrier 'dsb st' --format json --seed ") + seed).out);
        return json["cases"][0]["runs"][0]["total_fs"].get<std::int64_t>();
    };
    const std::int64_t first = total("1");
    bool differs = false;
    for (const char* const seed : {"2", "3", "4", "5", "6"}) differs = differs || total(seed) != first;
    CHECK(differs);
}

TEST_CASE("Determinism 3. A run that does not get on ends with exit code 4 and the list of who waits for what") {
    const std::string arguments =
        "small-ipi --targets 1 --rounds 3 --set 'software.irq_entry=1000000 cycles' "
        "--set 'software.irq_dispatch=1000000 cycles' --format ";
    const Answer json = gicsim_run(arguments + "json");
    CHECK(json.code == 4);
    const auto run = nlohmann::json::parse(json.out)["cases"][0]["runs"][0];
    CHECK(run["hung"] == true);
    CHECK_FALSE(run["waiting"].empty());
    const Answer table = gicsim_run(arguments + "table");
    CHECK(table.code == 4);
    CHECK_THAT(table.out, Catch::Contains("cpu0 waits for "));
}

TEST_CASE("Determinism 4. An interrupt from the keyboard ends with exit code 130 and keeps what was finished") {
    const std::string arguments = "small-ipi --runs 100000 --rounds 100 --format json";
    const Answer answer = gicsim_run(arguments, "timeout --preserve-status --signal=INT 1");
    CHECK(answer.code == 130);
    const auto json = nlohmann::json::parse(answer.out);
    CHECK(json["interrupted"] == true);
    const auto& runs = json["cases"][0]["runs"];
    REQUIRE_FALSE(runs.empty());
    for (const auto& run : runs) CHECK(run["calls"] == 800);
    // The finished runs are those of an uninterrupted experiment.
    const auto whole = nlohmann::json::parse(gicsim_run("small-ipi --runs 1 --rounds 100 --format json").out);
    CHECK(runs[0] == whole["cases"][0]["runs"][0]);
}
