// Values changed from the command line: where they came from, and what they do to a measurement.
#include <algorithm>

#include "config_fixture.h"

using namespace gicsim;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const Setting& setting(const CaseDescription& each, const std::string& path) {
    const auto found =
        std::find_if(each.settings.begin(), each.settings.end(), [&path](const Setting& s) { return s.path == path; });
    REQUIRE(found != each.settings.end());
    return *found;
}

}  // namespace

TEST_CASE("every value says where it came from") {
    const auto experiment = load_experiment("small-ipi", {{"core.dsb", "40 ns", "--set"}, {"runs", "3", "--runs"}});
    const CaseDescription& first = experiment.cases.front();
    CHECK(first.machine.core.dsb == Time::ns(40));
    CHECK(first.runs == 3);
    CHECK(setting(first, "core.dsb").origin == "--set");
    CHECK(setting(first, "core.dsb").status == "override");
    CHECK(setting(first, "run.runs").origin == "--runs");
    CHECK_THAT(setting(first, "options.sender").origin, Contains("small-ipi.toml:"));
    CHECK(setting(first, "options.wait").origin == "default");
    CHECK_THAT(setting(first, "core.isb").origin, Contains("small-8.toml:"));
    CHECK(setting(first, "core.isb").status == "assumed");
}

TEST_CASE("a changed case loses its measurement and role, and cases that became one are merged") {
    const auto experiment = load_experiment("kunpeng920-ipi", {{"options.barrier", "dsb sy", "--barrier"}});
    CHECK(experiment.cases.size() == 5);
    for (const CaseDescription& each : experiment.cases) {
        CHECK(each.reference_ns.empty());
        CHECK(each.role.empty());
        CHECK_THAT(each.name, StartsWith("barrier dsb sy, sender "));
    }
}

TEST_CASE("a value that changes nothing keeps the measurement") {
    const auto experiment = load_experiment("kunpeng920-ipi", {{"gic.route", "0.01 us", "--set"}});
    CHECK(experiment.cases[0].name == "dsb st from cpu0");
    CHECK(experiment.cases[0].reference_ns.size() == 10);
}

TEST_CASE("a change that makes a case equal to one that is as written leaves that one, with its name and measurement") {
    const auto experiment = load_experiment("kunpeng920-ipi", {{"options.barrier", "DSB ST", "--barrier"}});
    std::vector<std::string> names;
    names.reserve(experiment.cases.size());
    for (const CaseDescription& each : experiment.cases) names.push_back(each.name);
    CHECK(names ==
          std::vector<std::string>{"dsb st from cpu0", "dsb st from cpu48", "cpu48: SGI home die0, csd home die0",
                                   "cpu48: SGI home die0, csd home sender", "cpu48: SGI chip to chip, csd home die0",
                                   "cpu48: SGI chip to chip, csd home sender"});
    CHECK(experiment.cases[0].reference_ns.size() == 10);
    // A later case that is as written wins as well.
    const auto other = load_experiment("kunpeng920-ipi", {{"barrier", "dsb ishst", "--barrier"}});
    CHECK(other.cases[0].name == "dsb ishst from cpu0");
    CHECK(other.cases[0].reference_ns.size() == 10);
}

TEST_CASE("a changed case is named by what was changed and what tells it from the others, as reports write it") {
    const auto one = load_experiment("small-ipi", {{"barrier", "DSB_SY", "--barrier"}, {"sender", "0", "--sender"}});
    REQUIRE(one.cases.size() == 1);
    CHECK(one.cases[0].name == "barrier dsb sy");
    CHECK(setting(one.cases[0], "options.barrier").value == "dsb sy");
    const auto list = load_experiment("small-ipi", {{"targets", "1,2,3,4,7", "--targets"}});
    REQUIRE(list.cases.size() == 2);
    CHECK(list.cases[0].name == "barrier dsb st, targets 1-4,7");
    CHECK(list.cases[1].name == "barrier dsb ishst, targets 1-4,7");
}

TEST_CASE("runs and seed change neither the hash nor the measurement") {
    const auto plain = load_experiment("kunpeng920-ipi");
    const auto changed = load_experiment("kunpeng920-ipi", {{"runs", "2", "--runs"}, {"seed", "77", "--seed"}});
    REQUIRE(changed.cases.size() == plain.cases.size());
    CHECK(changed.cases[0].seed == 77);
    CHECK(changed.cases[0].hash == plain.cases[0].hash);
    CHECK(changed.cases[0].reference_ns.size() == 10);
    const auto rounds = load_experiment("kunpeng920-ipi", {{"rounds", "10", "--rounds"}});
    CHECK(rounds.cases[0].hash != plain.cases[0].hash);
    CHECK(rounds.cases[0].reference_ns.empty());
}

TEST_CASE("errors in overrides name the option and are the command line's") {
    const auto [path, value, message] = GENERATE(table<std::string, std::string, std::string>({
        {"core.dbs", "1 ns", "--set: core.dbs: unknown parameter or option (did you mean 'core.dsb'?)"},
        {"core.dsb", "1", "--set: core.dsb: '1' has no unit"},
        {"sender", "8", "--set: options.sender: CPU 8 is not in the machine (the machine has CPUs 0 to 7)"},
        {"barrier", "mfence", "--set: options.barrier: unknown barrier 'mfence' (known: none, dmb"},
        {"runs", "0", "--set: run.runs: '0' is out of bounds"},
        {"seed", "18446744073709551615",
         "--set: run.seed: '18446744073709551615' is out of bounds (allowed: 0 to 9223372036854775807)"},
        {"targets", "0", "--set: options.targets: the sender, CPU 0, is the only target: no interrupt would be sent"},
        {"irm", "true", "--set: options.irm: workload ipi-call knows no such option"},
    }));
    try {
        load_experiment("small-ipi", {{path, value, "--set"}});
        FAIL("no error");
    } catch (const ConfigError& error) {
        CHECK_THAT(error.what(), StartsWith(message));
        CHECK(error.from_command_line());
    }
}

TEST_CASE("one value may be changed once") {
    const auto error = [](const std::vector<Override>& overrides) {
        return error_of([&] { load_experiment("small-ipi", overrides); });
    };
    CHECK(error({{"core.dsb", "1 ns", "--set"}, {"core.dsb", "1 ns", "--set"}}) == "--set: core.dsb: is set twice");
    CHECK(error({{"options.barrier", "dsb st", "--barrier"}, {"barrier", "dsb sy", "--set"}}) ==
          "--set: options.barrier: is set by --barrier as well");
    CHECK(error_of([] {
              load_machine("small-8", {{"core.dsb", "1 ns", "--set"}, {"core.dsb", "2 ns", "--set"}});
          }) == "--set: core.dsb: is set twice");
}

TEST_CASE("the sender as only target: the error is the command line's where that made it so") {
    const ConfigCopy configs;
    configs.replace("experiments/small-ipi.toml", "targets = \"0-7\"", "targets = \"3\"");
    CHECK(error_of([] { load_experiment("small-ipi"); }) == "no error");
    CHECK_THAT(error_of([] {
                   load_experiment("small-ipi", {{"sender", "3", "--sender"}});
               }),
               StartsWith("--sender: options.sender: the sender, CPU 3, is the only target"));
    // A read of one's own redistributor is a latency like any other.
    CHECK(load_experiment("kunpeng920-gicr", {{"targets", "0", "--targets"}}).cases.size() == 1);
}

TEST_CASE("unknown names list or suggest the known ones, and missing files are the file's error") {
    try {
        load_experiment("kunpeng920-ipy");
        FAIL("no error");
    } catch (const ConfigError& error) {
        CHECK_THAT(error.what(), Contains("unknown experiment 'kunpeng920-ipy' (did you mean 'kunpeng920-ipi'?)"));
        CHECK(error.from_command_line());
    }
    try {
        load_experiment("./nowhere/x.toml");
        FAIL("no error");
    } catch (const ConfigError& error) {
        CHECK_FALSE(error.from_command_line());
    }
}

TEST_CASE("a sweep unfolds into every combination, named by what differs") {
    const auto experiment = load_experiment("kunpeng920-ipi-lines");
    CHECK(experiment.cases.size() == 60);  // 2 * 3 * 10
    CHECK(experiment.cases.front().options.payload_lines == 0);
    CHECK_FALSE(experiment.cases.front().machine.core.dsb_confirms_owned_writes);
    const CaseDescription& last = experiment.cases.back();
    CHECK(last.name == "barrier dsb sy, core.dsb_confirms_owned_writes true, payload_lines 32");
    CHECK(last.options.payload_lines == 32);
    CHECK(last.machine.core.dsb_confirms_owned_writes);
}

TEST_CASE("resolve_file lists any kind of file, and its hash follows the meaning") {
    CHECK(resolve_file("small-8").kind == ConfigKind::machine);
    CHECK(resolve_file("linux-5.17").kind == ConfigKind::software);
    CHECK(resolve_file("small-ipi").groups.size() == 2);
    const std::string plain = resolve_file("small-8").groups[0].hash;
    CHECK(resolve_file("small-8", {{"gic.route", "10000 ps", "--set"}}).groups[0].hash == plain);
    CHECK(resolve_file("small-8", {{"gic.route", "11 ns", "--set"}}).groups[0].hash != plain);
    CHECK(plain.size() == 16);
}
