#include "gicsim/cli/cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "gicsim/cli/parameter_list.h"
#include "support/catch.h"

using namespace gicsim;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

struct Answer {
    ExitCode code;
    std::string out;
    std::string err;
};

/// Gives every run a total of 1000 ns a call; what else a test needs, `change` does.
class FakeRunner {
public:
    ExperimentResult operator()(const ExperimentDescription& experiment, const RunnerOptions& options,
                                Progress& progress) {
        ++calls;
        seen_options = options;
        ExperimentResult result{experiment.name, experiment.description, {}, false};
        for (const CaseDescription& each : experiment.cases) {
            CaseResult done{each, {}};
            for (unsigned k = 0; k < each.runs; ++k) {
                RunResult run;
                run.seed = each.seed + k;
                run.calls = each.options.rounds * each.options.targets.size();
                run.ipis = run.calls;
                run.total = Time::ns(1000) * static_cast<std::int64_t>(run.calls);
                run.end_reason = "all rounds done";
                run.classes = {{"same die", run.calls, run.total, {{"store buffer", run.total}}}};
                done.runs.push_back(run);
                progress.advance(k, each.runs);
            }
            result.cases.push_back(done);
        }
        if (change) change(result);
        return result;
    }
    int calls = 0;
    RunnerOptions seen_options;
    std::function<void(ExperimentResult&)> change;
};

Answer gicsim_with(FakeRunner& runner, const std::vector<std::string>& arguments, bool terminal = false) {
    std::ostringstream out;
    std::ostringstream err;
    const ExitCode code = run_cli(arguments, {out, err, terminal, false}, std::ref(runner));
    return {code, out.str(), err.str()};
}

Answer call(const std::vector<std::string>& arguments) {
    FakeRunner runner;
    return gicsim_with(runner, arguments);
}

std::filesystem::path scratch(const std::string& name) {
    auto folder = std::filesystem::temp_directory_path() / fmt::format("gicsim-cli-{}-{}", getpid(), name);
    std::filesystem::remove_all(folder);
    return folder;
}

}  // namespace

TEST_CASE("help and version go to stdout, each command has its own help with an example") {
    CHECK_THAT(call({"--help"}).out, StartsWith("Usage: gicsim COMMAND") && Contains("Example:"));
    CHECK_THAT(call({"--version"}).out, StartsWith("gicsim 0."));
    for (const std::string command : {"run", "check", "dump-config", "list"}) {
        const Answer answer = call({command, "--help"});
        CHECK(answer.code == ExitCode::ok);
        CHECK_THAT(answer.out, StartsWith("Usage: gicsim " + command) && Contains("Example:\n  gicsim " + command));
        CHECK(answer.err.empty());
    }
}

TEST_CASE("a bad command line ends with 2, says what is wrong, prints nothing on stdout and runs nothing") {
    struct Bad {
        std::vector<std::string> arguments;
        std::string message;
    };
    const auto [arguments, message] = GENERATE(values<Bad>({
        {std::vector<std::string>(), "Usage: gicsim COMMAND"},
        {{"rum"}, "unknown command 'rum'; did you mean 'run'?"},
        {{"run"}, "name an experiment (known: "},
        {{"run", "small-ipi", "small-ipi"}, "'small-ipi' is one argument too many"},
        {{"run", "smal-ipi"}, "unknown experiment 'smal-ipi' (did you mean 'small-ipi'?)"},
        {{"run", "small-ipi", "--barier", "x"}, "unknown option '--barier'; did you mean '--barrier'?"},
        {{"run", "small-ipi", "--barr", "dsb st"}, "unknown option '--barr'"},
        {{"run", "small-ipi", "--barrier", "mfence"},
         "--barrier: options.barrier: unknown barrier 'mfence' (known: none, dmb"},
        {{"run", "small-ipi", "--runs", "0"}, "--runs: run.runs: '0' is out of bounds (allowed: 1 to 1000000)"},
        {{"run", "small-ipi", "--runs=-1"}, "--runs: run.runs: '-1' is out of bounds"},
        {{"run", "small-ipi", "--runs", "-1"}, ""},
        {{"run", "small-ipi", "--rounds", "many"}, "--rounds: run.rounds: 'many' is no whole number"},
        {{"run", "small-ipi", "--sender", "8"}, "--sender: options.sender: CPU 8 is not in the machine"},
        {{"run", "small-ipi", "--targets", "0-99"}, "--targets: options.targets: CPU 99 is not in the machine"},
        {{"run", "small-ipi", "--placement", "here"}, "unknown choice 'here' (known: none, before-group"},
        {{"run", "small-ipi", "--isb", "now"}, "--isb: unknown choice 'now' (known: none, before, after, both)"},
        {{"run", "small-ipi", "--set", "core.dsb"}, "--set: 'core.dsb' is not PATH=VALUE"},
        {{"run", "small-ipi", "--set", "core.dsb=1"}, "--set: core.dsb: '1' has no unit"},
        {{"run", "small-ipi", "--set", "core.dbs=1 ns"}, "did you mean 'core.dsb'?"},
        {{"run", "small-ipi", "--format", "xml"}, "--format: unknown choice 'xml' (known: table, json, csv)"},
        {{"run", "small-ipi", "--format", "csv", "--explain"}, "--explain: "},
        {{"run", "small-ipi", "--seed"}, "--seed"},
        {{"check"}, "check: name a file"},
        {{"list"}, "list: say what (known: barriers"},
        {{"list", "barrier"}, "did you mean 'barriers'?"},
        {{"list", "barriers", "--format", "markdown"}, "only parameters"},
    }));
    FakeRunner runner;
    const Answer answer = gicsim_with(runner, arguments);
    CHECK(answer.code == ExitCode::usage);
    CHECK_THAT(answer.err, Contains(message));
    CHECK(answer.out.empty());
    CHECK(runner.calls == 0);
}

TEST_CASE("a bad file ends with 3 and its position") {
    const auto folder = scratch("bad");
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "bad.toml").string();
    std::ofstream(file) << "schema = 1\nkind = \"experiment\"\nname = 7\n";
    Answer answer = call({"run", file});
    CHECK(answer.code == ExitCode::file);
    CHECK_THAT(answer.err, StartsWith("error: " + file + ":3:8: name: expected a string, found an integer"));
    answer = call({"check", (folder / "none.toml").string()});
    CHECK(answer.code == ExitCode::file);
    CHECK_THAT(answer.err, Contains("there is no such file"));
    std::filesystem::remove_all(folder);
}

TEST_CASE("what the run found decides the exit code") {
    FakeRunner runner;
    SECTION("fine") {
        CHECK(gicsim_with(runner, {"run", "small-ipi"}).code == ExitCode::ok);
    }
    SECTION("stale") {
        runner.change = [](ExperimentResult& result) { result.cases[0].runs[0].stale = 1; };
        CHECK(gicsim_with(runner, {"run", "small-ipi"}).code == ExitCode::violation);
    }
    SECTION("missed") {
        CHECK(gicsim_with(runner, {"run", "kunpeng920-ipi"}).code == ExitCode::violation);
    }
    SECTION("hung") {
        runner.change = [](ExperimentResult& result) {
            result.cases[0].runs[0].hung = true;
            result.cases[0].runs[0].waiting = {"cpu0 waits for csd_unlock of cpu3"};
        };
        const Answer answer = gicsim_with(runner, {"run", "small-ipi"});
        CHECK(answer.code == ExitCode::hung);
        CHECK_THAT(answer.out, Contains("cpu0 waits for csd_unlock of cpu3"));
    }
    SECTION("interrupted") {
        runner.change = [](ExperimentResult& result) {
            result.interrupted = true;
            result.cases[1].runs.clear();
        };
        const Answer answer = gicsim_with(runner, {"run", "small-ipi"});
        CHECK(answer.code == ExitCode::interrupted);
        CHECK_THAT(answer.out, Contains("not run"));
    }
    SECTION("internal") {
        runner.change = [](ExperimentResult&) { throw std::runtime_error("the cache lost a line"); };
        const Answer answer = gicsim_with(runner, {"run", "small-ipi"});
        CHECK(answer.code == ExitCode::internal);
        CHECK_THAT(answer.err, Contains("the cache lost a line"));
    }
}

TEST_CASE("options reach the cases") {
    FakeRunner runner;
    std::vector<CaseDescription> seen;
    runner.change = [&seen](ExperimentResult& result) {
        for (const CaseResult& each : result.cases) seen.push_back(each.description);
    };
    gicsim_with(runner, {"run",
                         "small-ipi",
                         "--barrier",
                         "dsb sy",
                         "--placement",
                         "after",
                         "--isb",
                         "both",
                         "--sender",
                         "2",
                         "--targets",
                         "0-1,5",
                         "--rounds",
                         "3",
                         "--runs",
                         "2",
                         "--seed",
                         "9",
                         "--payload-lines",
                         "4",
                         "--set",
                         "core.dsb=7 ns",
                         "--set",
                         "csd_home=die1",
                         "--strict",
                         "--explain"});
    REQUIRE(seen.size() == 1);  // the two barriers have become one
    const WorkloadOptions& options = seen[0].options;
    CHECK(options.send.barrier.name() == "dsb sy");
    CHECK(options.send.placement == Placement::after);
    CHECK(options.send.isb_before);
    CHECK(options.send.isb_after);
    CHECK(options.sender == cpu_id(2));
    CHECK(options.targets == std::vector<CpuId>{cpu_id(0), cpu_id(1), cpu_id(5)});
    CHECK(options.rounds == 3);
    CHECK(seen[0].runs == 2);
    CHECK(seen[0].seed == 9);
    CHECK(options.payload_lines == 4);
    CHECK(options.csd_home == "die1");
    CHECK(seen[0].machine.core.dsb == Time::ns(7));
    CHECK(runner.seen_options.strict);
    CHECK(runner.seen_options.explain);
}

TEST_CASE("The option --out writes three files after the run, or nothing at all") {
    const auto folder = scratch("out");
    FakeRunner runner;
    SECTION("written") {
        CHECK(gicsim_with(runner, {"run", "small-ipi", "--out", (folder / "deep").string()}).code == ExitCode::ok);
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "deep")) {
            names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        CHECK(names == std::vector<std::string>{"report.txt", "result.json", "runs.csv"});
    }
    SECTION("under a file, refused before the run") {
        std::ofstream(folder.string()) << "a file";
        const Answer answer = gicsim_with(runner, {"run", "small-ipi", "--out", (folder / "deep").string()});
        CHECK(answer.code == ExitCode::file);
        CHECK_THAT(answer.err, Contains("is not a folder"));
        CHECK(runner.calls == 0);
    }
    SECTION("not writable, refused before the run") {
        if (geteuid() == 0) return;  // everything is writable to root
        std::filesystem::create_directories(folder);
        std::filesystem::permissions(folder, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
        const Answer answer = gicsim_with(runner, {"run", "small-ipi", "--out", folder.string()});
        CHECK(answer.code == ExitCode::file);
        CHECK_THAT(answer.err, Contains("the output folder is not writable"));
        CHECK(runner.calls == 0);
    }
    SECTION("nothing after an error") {
        runner.change = [](ExperimentResult&) { throw std::runtime_error("no"); };
        gicsim_with(runner, {"run", "small-ipi", "--out", folder.string()});
        CHECK_FALSE(std::filesystem::exists(folder));
    }
    std::filesystem::remove_all(folder);
}

TEST_CASE("the progress bar is for terminals only, and the first SIGINT asks to stop") {
    FakeRunner runner;
    bool stopped = false;
    CHECK(gicsim_with(runner, {"run", "small-ipi"}).err.empty());
    CHECK_THAT(gicsim_with(runner, {"run", "small-ipi"}, true).err, Contains(" left ") && Contains("\r"));
    std::ostringstream out;
    std::ostringstream err;
    run_cli({"run", "small-ipi"}, {out, err, false, false},
            [&stopped](const ExperimentDescription& e, const RunnerOptions&, Progress& progress) {
                CHECK_FALSE(progress.stop_requested());
                std::raise(SIGINT);
                stopped = progress.stop_requested();
                return ExperimentResult{e.name, e.description, {}, true};
            });
    CHECK(stopped);
}

TEST_CASE("The option --explain says on stderr what it cannot explain") {
    FakeRunner runner;
    CHECK(gicsim_with(runner, {"run", "small-ipi", "--explain"}).err.empty());
    runner.change = [](ExperimentResult& result) {
        for (CaseResult& each : result.cases) each.runs[0].classes.clear();
    };
    CHECK(gicsim_with(runner, {"run", "small-ipi"}).err.empty());
    CHECK_THAT(gicsim_with(runner, {"run", "small-ipi", "--explain"}).err,
               Contains("--explain: some calls of workload ipi-call have no segments to show"));
}

TEST_CASE("lists name what there is") {
    const std::string barriers = call({"list", "barriers"}).out;
    CHECK(std::count(barriers.begin(), barriers.end(), '\n') == 25);
    CHECK_THAT(barriers, Contains("dmb ishst\n") && Contains("dsb oshld\n") && StartsWith("none\n"));
    CHECK_THAT(call({"list", "placements"}).out, Contains("before-each"));
    CHECK_THAT(call({"list", "machines"}).out, Contains("kunpeng920-96") && Contains("thunderx1-48"));
    CHECK_THAT(call({"list", "software"}).out, Contains("linux-5.17"));
    CHECK_THAT(call({"list", "workloads"}).out, Contains("ipi-resched") && Contains("options.csd_home"));
    CHECK_THAT(call({"list", "experiments"}).out, Contains("kunpeng920-ipi7") && !Contains("BROKEN"));
    CHECK_THAT(call({"list", "parameters"}).out,
               Contains("core.store_drain_interval") && Contains("software.irq_exit"));
    CHECK_THAT(call({"list", "parameters", "small-8", "linux-5.17"}).out,
               Contains("fabric.link.die.latency") && Contains("made up for a machine"));
}

TEST_CASE("check and dump-config") {
    CHECK(call({"check", "small-8"}).out == "machine small-8: fine\n");
    CHECK(call({"check", "small-ipi"}).out == "experiment small-ipi: fine, 2 cases\n");
    const std::string machine = call({"dump-config", "small-8"}).out;
    for (const std::string path : {"cpus.table", "fabric.die.stops", "fabric.link.die.ends"}) {
        const std::string row = machine.substr(machine.find("\n" + path) + 1);
        CHECK_THAT(row.substr(0, row.find('\n')), Contains("not settable"));
    }
    const Answer dump = call({"dump-config", "small-ipi", "--set", "core.dsb=7 ns"});
    CHECK(dump.code == ExitCode::ok);
    CHECK_THAT(dump.out, Contains("core.dsb") && Contains("7 ns") && Contains("override") && Contains("--set") &&
                             Contains("default") && Contains("small-8.toml:") && Contains("hash "));
}

TEST_CASE("docs/timing-model.md holds the table that gicsim prints (script/update-docs renews it)") {
    std::ifstream stream(GICSIM_SOURCE_DIR "/docs/timing-model.md");
    const std::string document{std::istreambuf_iterator<char>(stream), {}};
    const std::string table = list_parameters_as_markdown({resolve_file("kunpeng920-96"), resolve_file("linux-5.17")});
    CHECK(document.find(table) != std::string::npos);
}
