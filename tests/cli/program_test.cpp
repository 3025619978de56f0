// The program as a user meets it: exit codes, what goes to stdout, and the same bytes for the same seed.
#include "cli/program.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("stdout holds data and nothing else: no banner of SystemC, no progress") {
    CHECK_THAT(program("--version").out, StartsWith("gicsim "));
    const Answer json = program("run small-ipi --format json");
    CHECK(json.code == 0);
    CHECK(nlohmann::json::parse(json.out)["experiment"] == "small-ipi");
    CHECK(program("run small-ipi --format csv 2>&1 >/dev/null").out.empty());
}

TEST_CASE("the shell gets the documented exit codes") {
    CHECK(program("list barriers").code == 0);
    CHECK(program("run small-ipi --runs 0").code == 2);
    CHECK(program("run no-such-experiment").code == 2);
    CHECK(program("run ./no-such-file.toml").code == 3);
    CHECK(program("list barriers >/dev/full").code == 3);
    CHECK(program("run small-ipi --out /dev/null/x").code == 3);
}

TEST_CASE("same seed, same bytes, from two processes") {
    const Answer first = program("run small-ipi --runs 2 --format json");
    CHECK(first.code == 0);
    CHECK(first.out == program("run small-ipi --runs 2 --format json").out);
}

TEST_CASE("run k of an experiment equals a lone run with its seed") {
    const auto runs_of = [](const std::string& arguments) {
        return nlohmann::json::parse(
            program("run small-ipi --format json --barrier 'dsb st' " + arguments).out)["cases"][0]["runs"];
    };
    const auto three = runs_of("--runs 3 --seed 5");
    REQUIRE(three.size() == 3);
    CHECK(three[2] == runs_of("--runs 1 --seed 7")[0]);
}

TEST_CASE("the segments of --explain add up to the total to the femtosecond") {
    const auto json = nlohmann::json::parse(program("run small-ipi --explain --format json").out);
    for (const auto& part : json["cases"][0]["runs"][0]["classes"]) {
        INFO(part.dump());
        if (part["name"] == "self") continue;  // one step: there is nothing to divide
        CHECK_FALSE(part["segments"].empty());
        std::int64_t sum = 0;
        for (const auto& segment : part["segments"]) sum += segment["sum_fs"].get<std::int64_t>();
        CHECK(sum == part["total_fs"].get<std::int64_t>());
    }
}

TEST_CASE("litmus --software: a table, JSON and CSV of IPI sequences") {
    const std::string small = "litmus --software tf-a,xvisor,linux-gicv2 --iterations 400 --cost-machine small-8";
    const Answer table = program(small);
    CHECK(table.code == 0);
    CHECK_THAT(table.out, Contains("safe (derived)") && Contains("dmb ishst, sgi") && Contains("use --witness"));
    CHECK(program(small + " --jobs 1").out == table.out);
    const auto json = nlohmann::json::parse(program(small + " --format json").out);
    CHECK(json["software"].size() == 3);
    CHECK(json["software"][0]["verdict"] == "safe");
    CHECK_THAT(program(small + " --format csv").out, StartsWith("software,version,"));
    CHECK(program("litmus --software xvizor").code == 2);
    CHECK(program("litmus --software tf-a,tf-a").code == 2);
    CHECK(program("litmus --software tf-a some.litmus").code == 2);
    CHECK_THAT(program("list software").out, Contains("xvisor"));
    CHECK(program("check xvisor").code == 0);
}
