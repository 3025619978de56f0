// Every way a file can be wrong is an error that says where.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "config_fixture.h"

using namespace gicsim;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string machine_file = "machines/small-4.toml";
const std::string table_file = "machines/small-4.cpus.csv";
const std::string experiment_file = "experiments/small-ipi.toml";

std::string machine_error() {
    return error_of([] { load_machine("small-4"); });
}
std::string experiment_error() {
    return error_of([] { load_experiment("small-ipi"); });
}

}  // namespace

TEST_CASE("unknown key: position and suggestion") {
    const ConfigCopy configs;
    configs.replace(machine_file, "\nwfi_wake =", "\nwfi_wakeup =");
    CHECK_THAT(machine_error(), StartsWith(configs.position(machine_file, "wfi_wakeup")) &&
                                    Contains("core.wfi_wakeup: unknown key (did you mean 'wfi_wake'?)"));
}

TEST_CASE("unknown table and unknown key inside a parameter") {
    const ConfigCopy configs;
    SECTION("table") {
        configs.replace(machine_file, "[gic]", "[gicc]\nx = 1\n[gic]");
        CHECK_THAT(machine_error(), Contains("gicc: unknown key (did you mean 'gic'?)"));
    }
    SECTION("parameter") {
        configs.replace(machine_file, "source =", "sorce =");
        CHECK_THAT(machine_error(), StartsWith(configs.position(machine_file, "sorce")) &&
                                        Contains("unknown key (did you mean 'source'?)"));
    }
}

TEST_CASE("a parameter needs value, source and status") {
    const ConfigCopy configs;
    SECTION("source") {
        configs.replace(machine_file, ", source = \"made up for a machine that exists only here\"", "");
        CHECK_THAT(machine_error(), Contains("clock.core: 'source' is missing"));
    }
    SECTION("status") {
        configs.replace(machine_file, ", status = \"assumed\"", "");
        CHECK_THAT(machine_error(), Contains("clock.core: 'status' is missing"));
    }
    SECTION("blank source") {
        configs.replace(machine_file, "source = \"made up for a machine that exists only here\"", "source = \"  \"");
        CHECK_THAT(machine_error(), StartsWith(configs.position(machine_file, "source = \"  \"")) &&
                                        Contains("clock.core.source: is blank"));
    }
    SECTION("bad status") {
        configs.replace(machine_file, "status = \"assumed\"", "status = \"guessed\"");
        CHECK_THAT(machine_error(),
                   Contains("unknown status 'guessed' (known: measured, derived, assumed, hypothesis)"));
    }
    SECTION("bare value") {
        configs.replace(machine_file, "[clock]\ncore = {", "[clock]\ncore = \"2 GHz\"\n[x]\ny = {");
        CHECK_THAT(machine_error(), Contains("clock.core: expected { value = ..., source = ..., status = ... }"));
    }
}

TEST_CASE("missing unit, wrong type, negative and absurd latency") {
    const ConfigCopy configs;
    const auto [fresh, message] = GENERATE(table<std::string, std::string>({
        {"value = \"90\"", "core.exception_entry: '90' has no unit"},
        {"value = 90", "core.exception_entry: '90' has no unit"},
        {"value = true", "core.exception_entry: expected a string"},
        {"value = [1]", "core.exception_entry: expected a value, found an array"},
        {"value = \"-90 ns\"", "core.exception_entry: '-90 ns' is out of bounds (allowed: 0 fs to 10 us)"},
        {"value = \"90 s\"", "core.exception_entry: '90 s' is out of bounds (allowed: 0 fs to 10 us)"},
    }));
    configs.replace(machine_file, "exception_entry = { value = \"90 cycles\"", "exception_entry = { " + fresh);
    const std::string position = configs.position(machine_file, "exception_entry = {");
    const std::string line = position.substr(0, position.rfind(':'));
    CHECK_THAT(machine_error(), StartsWith(line + ":29: " + message));
}

TEST_CASE("missing parameters are named, all of them") {
    const ConfigCopy configs;
    configs.replace(machine_file, "\nwfi_wake =", "\n#wfi_wake =");
    configs.replace(machine_file, "\ndram =", "\n#dram =");
    CHECK_THAT(machine_error(), Contains("parameters are missing: core.wfi_wake, memory.dram"));
}

TEST_CASE("duplicate MPIDR, redistributor and place") {
    const ConfigCopy configs;
    SECTION("MPIDR") {
        configs.replace(table_file, "3,0x10100", "3,0x10000");
        CHECK_THAT(machine_error(), StartsWith(configs.position(table_file, "0x10000,0x1000c0000")) &&
                                        Contains("MPIDR 0x10000 occurs twice, first in line 4"));
    }
    SECTION("redistributor") {
        configs.replace(table_file, "0x1000c0000", "0x100080000");
        CHECK_THAT(machine_error(), Contains("redistributor address 0x100080000 occurs twice"));
    }
    SECTION("place") {
        configs.replace(table_file, "0,0,1,1,0", "0,0,1,0,0");
        CHECK_THAT(machine_error(), Contains("the place (package, die, cluster, core, thread) occurs twice"));
    }
}

TEST_CASE("holes, bad numbers and bad hexadecimal in the CPU table") {
    const ConfigCopy configs;
    const auto [old, fresh, at, message] = GENERATE(table<std::string, std::string, std::string, std::string>({
        {"2,0x10000", "5,0x10000", "5,0x10000", "found CPU 5 where CPU 2 is due"},
        {"2,0x10000", "2,0xzz", "0xzz", "mpidr_hex: '0xzz' is no hexadecimal number"},
        {"2,0x10000", "2,10000", "10000,0x100080000", "mpidr_hex: '10000' is no hexadecimal number"},
        {"2,0x10000", "2,0x80010000", "0x80010000,", "MPIDR 0x80010000 has bits outside Aff3, Aff2, Aff1 and Aff0"},
        {"0,0,1,1,0", "0,0,x,1,0", "x,1,0", "cluster: 'x' is no whole number"},
        {"0,0,1,1,0", "0,0,-1,1,0", "-1,1,0", "cluster: '-1' is no whole number"},
        {"0x1000c0000,0,0,1,1,0", "0x1000c0000,0,0,1,1", "", "column 'thread' is missing"},
        {"0x1000c0000,0,0,1,1,0", "0x1000c0000,0,0,1,1,0,9", "", "more columns than the header"},
        {"mpidr_hex", "mpidr", "cpu,mpidr,", "is no header of a CPU table"},
    }));
    configs.replace(table_file, old, fresh);
    CHECK_THAT(machine_error(), Contains(message));
    if (!at.empty()) CHECK_THAT(machine_error(), StartsWith(configs.position(table_file, at)));
}

TEST_CASE("register frames that overlap or are not aligned, with the place of both") {
    const ConfigCopy configs;
    SECTION("two Redistributors") {
        configs.replace(table_file, "0x1000c0000", "0x100090000");
        CHECK_THAT(machine_error(),
                   StartsWith(configs.position(table_file, "0x100090000")) &&
                       Contains("the frames of GICR 3 (0x100090000 to 0x1000affff) overlap the frames of GICR 2 "
                                "(0x100080000 to 0x10009ffff) at " +
                                configs.position(table_file, "0x100080000")));
    }
    SECTION("Distributor and SGI_base") {
        configs.replace(machine_file, "0x80000000", "0x100010000");
        CHECK_THAT(machine_error(),
                   StartsWith(configs.position(machine_file, "\"0x100010000")) &&
                       Contains("gic.gicd_base: the frame of the Distributor (0x100010000 to 0x10001ffff) overlaps the "
                                "frames of GICR 0 (0x100000000 to 0x10001ffff) at " +
                                configs.position(table_file, "0x100000000")));
    }
    SECTION("alignment") {
        configs.replace(machine_file, "0x80000000", "0x80001000");
        CHECK_THAT(machine_error(), StartsWith(configs.position(machine_file, "\"0x80001000")) &&
                                        Contains("frames are aligned to 64 KB"));
        configs.replace(machine_file, "0x80001000", "0x80000000");
        configs.replace(table_file, "0x1000c0000", "0x1000c1000");
        CHECK_THAT(machine_error(), StartsWith(configs.position(table_file, "0x1000c1000")));
    }
    SECTION("frames that touch are fine") {
        configs.replace(machine_file, "0x80000000", "0xffff0000");
        configs.replace(table_file, "0x1000c0000", "0x1000a0000");
        CHECK(machine_error() == "no error");
    }
}

TEST_CASE("a CPU table that the machine has no place for: line and column of the table") {
    const ConfigCopy configs;
    const auto [old, fresh, at, message] = GENERATE(table<std::string, std::string, std::string, std::string>({
        {"0,0,1,1,0", "1,0,1,1,0", "0,1,1,0", "die_or_node: die1.ccl0 cannot be reached from die0.ccl0"},
        {"0,0,1,1,0", "0,7,1,1,0", "7,1,1,0", "package 0, die_or_node 7 is a die of its own"},
        {"0,0,1,1,0", "0,0,9,1,0", "9,1,0", "cluster: die 0 has a cluster 2, but the ring has no stop ccl2"},
        {"0,0,1,1,0", "0,0,1,1,99", "99", "thread: 99 of a core with 1 thread"},
        {"0,0,1,1,0", "0,0,1,0,2", "2\n", "thread: 2 of a core with 2 threads"},
    }));
    configs.replace(table_file, old, fresh);
    CHECK_THAT(machine_error(), StartsWith(configs.position(table_file, at) + ":") && Contains(message));
}

TEST_CASE("more CPUs in a die, or more packages, than the models have room for") {
    const ConfigCopy configs;
    std::string table = "cpu,mpidr_hex,gicr_base_hex,package,die_or_node,cluster,core,thread\n";
    SECTION("CPUs") {
        for (unsigned n = 0; n < 129; ++n) {
            table += fmt::format("{},{:#x},{:#x},0,0,0,{},0\n", n, n << 8, 0x100000000 + 0x20000ULL * n, n);
        }
        configs.write(table_file, table);
        CHECK_THAT(machine_error(), StartsWith((configs / table_file).string() + ":130:") &&
                                        Contains("die_or_node: more than 128 CPUs in one die"));
    }
    SECTION("packages") {
        for (unsigned n = 0; n < 65; ++n) {
            table += fmt::format("{},{:#x},{:#x},{},0,0,0,0\n", n, n << 8, 0x100000000 + 0x20000ULL * n, n);
        }
        configs.write(table_file, table);
        CHECK_THAT(machine_error(),
                   StartsWith((configs / table_file).string() + ":66:") && Contains("package: more than 64 packages"));
    }
}

TEST_CASE("an empty machine and a missing table") {
    const ConfigCopy configs;
    SECTION("no CPU") {
        configs.write(table_file, "cpu,mpidr_hex,gicr_base_hex,package,die_or_node,cluster,core,thread\n");
        CHECK_THAT(machine_error(), Contains("the machine is empty"));
    }
    SECTION("no content") {
        configs.write(table_file, "");
        CHECK_THAT(machine_error(), Contains("the machine is empty"));
    }
    SECTION("no table") {
        std::filesystem::remove(configs / table_file);
        CHECK_THAT(machine_error(), Contains("small-4.cpus.csv: cannot be read: No such file"));
    }
    SECTION("empty file") {
        configs.write(machine_file, "");
        CHECK_THAT(machine_error(), Contains("small-4.toml: is empty"));
    }
}

TEST_CASE("files that are no UTF-8, no TOML or no file") {
    const ConfigCopy configs;
    SECTION("not UTF-8") {
        configs.replace(machine_file, "One die", "One d\xff\xfe");
        const std::string message = machine_error();
        CHECK_THAT(message, StartsWith((configs / machine_file).string() + ":6:") && Contains("utf-8"));
    }
    SECTION("table not ASCII") {
        configs.replace(table_file, "2,0x10000", "2,\xff");
        CHECK_THAT(machine_error(), Contains(".cpus.csv:4:3: is no plain ASCII text"));
    }
    SECTION("syntax") {
        configs.replace(machine_file, "[gic]", "[gic");
        CHECK_THAT(machine_error(), StartsWith((configs / machine_file).string() + ":"));
    }
    SECTION("a control character in what reports show") {
        const std::string name = GENERATE(as<std::string>(), "a\\u001b[2Jb", "a\\nb", "\\t", "a\\u007f", "a\\u009b1m");
        configs.replace(experiment_file, "\n[sweep]", "\n[[case]]\nname = \"" + name + "\"\n[sweep]");
        CHECK_THAT(experiment_error(),
                   StartsWith(configs.position(experiment_file, "name = \"" + name)) && Contains("case.name: "));
    }
    SECTION("a byte order mark is no part of a file") {
        configs.write(machine_file, "\xef\xbb\xbf" + content_of(configs / machine_file));
        configs.write(table_file, "\xef\xbb\xbf" + content_of(configs / table_file));
        CHECK(machine_error() == "no error");
    }
    SECTION("no regular file") {
        const std::string name = GENERATE_COPY(machine_file, table_file);
        std::filesystem::remove(configs / name);
        SECTION("pipe") {
            REQUIRE(mkfifo((configs / name).c_str(), 0600) == 0);
        }
        SECTION("device") {
            std::filesystem::create_symlink("/dev/zero", configs / name);
        }
        CHECK_THAT(machine_error(), StartsWith((configs / name).string() + ": is no regular file"));
    }
    SECTION("too large") {
        const std::string name = GENERATE_COPY(machine_file, table_file);
        std::filesystem::resize_file(configs / name, 17 << 20);
        CHECK_THAT(machine_error(), StartsWith((configs / name).string() + ": is too large"));
    }
    SECTION("folder") {
        std::filesystem::remove(configs / machine_file);
        std::filesystem::create_directory(configs / machine_file);
        CHECK_THAT(machine_error(), Contains("is a folder"));
    }
}

TEST_CASE("schema and kind are checked first") {
    const ConfigCopy configs;
    SECTION("schema") {
        configs.replace(machine_file, "schema = 1", "schema = 2");
        CHECK_THAT(machine_error(), Contains("schema: 2 is not known to this gicsim (it reads schema 1)"));
    }
    SECTION("no schema") {
        configs.replace(machine_file, "schema = 1", "");
        CHECK_THAT(machine_error(), Contains("schema: is missing"));
    }
    SECTION("what every experiment names, with the line") {
        const std::string key = GENERATE(as<std::string>(), "name", "machine", "software", "workload");
        configs.replace(experiment_file, "\n" + key + " =", "\n#");
        CHECK(experiment_error() == (configs / experiment_file).string() + ":1:1: " + key + ": is missing");
    }
    SECTION("kind") {
        configs.replace(machine_file, "kind = \"machine\"", "kind = \"software\"");
        CHECK_THAT(machine_error(), Contains("this is a software file, expected a machine file"));
    }
}

TEST_CASE("stops and links that make no machine") {
    const ConfigCopy configs;
    const auto [old, fresh, message] = GENERATE(table<std::string, std::string, std::string>({
        {"\"gic\",", "", "there is no stop 'gic'"},
        {"\"ccl1\",", "", "die 0 has a cluster 1, but the ring has no stop ccl1"},
        {"\"l3_1\",", "\"l3_0\",", "stop 'l3_0' occurs twice"},
        {"\"l3_1\",", "\"L3 1\",", "'L3 1' is no name of a stop"},
        {"\"link0\",", "\"lnk0\",", "the machine has no fabric node 'die0.link0' (did you mean 'die0.lnk0'?)"},
        {"ends = [[\"die0.link0\", \"die1.link0\"]]", "ends = [[\"die0.link0\", \"die0.gic\"]]",
         "die1.ccl0 cannot be reached from die0.ccl0"},
        {"ends = [[\"die0.link0\", \"die1.link0\"]]", "ends = [[\"die0.link0\"]]", "expected a pair of nodes"},
        {"value = \"die0.gic\"", "value = \"die9.gic\"",
         "gic.distributor_node: the machine has no fabric node 'die9.gic'"},
        {"value = \"home\"", "value = \"hoem\"", "unknown choice 'hoem' (known: home, chip-to-chip)"},
    }));
    configs.replace("machines/small-8.toml", old, fresh);
    CHECK_THAT(error_of([] { load_machine("small-8"); }), Contains(message));
}

TEST_CASE("experiments: what they name must exist") {
    const ConfigCopy configs;
    const auto [old, fresh, message] = GENERATE(table<std::string, std::string, std::string>({
        {"machine = \"small-8\"", "machine = \"small-9\"", "unknown machine 'small-9' (did you mean 'small-4'?)"},
        {"software = \"linux-5.17\"", "software = \"./none.toml\"", "there is no file"},
        {"workload = \"ipi-call\"", "workload = \"ipi-cal\"", "unknown workload 'ipi-cal' (did you mean 'ipi-call'?)"},
        {"sender = 0", "sender = 8", "options.sender: CPU 8 is not in the machine (the machine has CPUs 0 to 7)"},
        {"sender = 0", "sender = -1", "options.sender: '-1' is out of bounds"},
        {"sender = 0", "sender = \"0\"", "options.sender: expected an integer, found a string '0'"},
        {"sender = 0", "sendr = 0", "options.sendr: unknown key (did you mean 'sender'?)"},
        {"targets = \"0-7\"", "targets = \"0-8\"", "options.targets: CPU 8 is not in the machine"},
        {"targets = \"0-7\"", "targets = \"0-3,2\"", "CPU 2 occurs twice"},
        {"targets = \"0-7\"", "targets = \"3-1\"", "the range 3-1 runs backwards"},
        {"targets = \"0-7\"", "targets = \"0-\"", "'0-' is no CPU list"},
        {"placement = \"before-each\"", "placement = \"before\"",
         "unknown choice 'before' (known: none, before-group, before-each, after)"},
        {"rounds = 10", "rounds = 0", "run.rounds: '0' is out of bounds"},
        {"\"dsb ishst\"]", "\"dsb ishts\"]", "unknown barrier 'dsb ishts' (known: none, dmb"},
        {"[options]", "[options]\ncsd_home = \"die2\"",
         "'die2' is no home of a line (known: sender, target, die0 to die1)"},
        {"targets = \"0-7\"", "targets = \"0\"", "the sender, CPU 0, is the only target: no interrupt would be sent"},
        {"\"dsb ishst\"]", "\"dsb sy\", \"DSB  st\"]", "sweep.barrier: 'dsb st' occurs twice, first at "},
        {"[sweep]", "[sweep]\n\"gic.route\" = [\"10 ns\", \"0.01 us\"]", "are the same case"},
        {"[options]", "[options]\nirm = true", "workload ipi-call knows no such option"},
        {"[options]", "[set]\ngic.rout = \"1 ns\"\n[options]",
         "gic.rout: unknown parameter or option (did you mean 'gic.route'?)"},
        {"[options]", "[set]\ngic.route = \"1 m\"\n[options]", "gic.route: unknown unit 'm'"},
    }));
    configs.replace(experiment_file, old, fresh);
    const std::string found = experiment_error();
    CHECK_THAT(found, StartsWith((configs / experiment_file).string() + ":") && Contains(message));
}

TEST_CASE("a measured latency is one value or a range, of a probe, with a source and a role") {
    const ConfigCopy configs;
    const std::string file = "experiments/kunpeng920-gicr.toml";
    const auto error = [] { return error_of([] { load_experiment("kunpeng920-gicr"); }); };
    const auto measured = load_experiment("kunpeng920-gicr").cases[2].measured_latency;
    REQUIRE(measured);
    CHECK(measured->least == Time::ns(235));
    CHECK(measured->greatest == Time::ns(263));
    CHECK_FALSE(load_experiment("kunpeng920-gicr", {{"sender", "1", "--sender"}}).cases[2].measured_latency);
    const auto [old, fresh, message] = GENERATE(table<std::string, std::string, std::string>({
        {"measured = \"78 ns\"", "measured = 78", "case.measured: '78' has no unit"},
        {"\"235 ns\", \"263 ns\"", "\"263 ns\", \"235 ns\"", "the greatest value is less than the least"},
        {"\"235 ns\", \"263 ns\"", "\"235 ns\"", "expected a latency, or its least and greatest value"},
        {"role = \"fitted\"", "", "case.measured: the case has no role"},
        {"reference_source =", "#", "case.measured: the measurement has no source"},
        {"measured = \"78 ns\"", "measured = \"78 ns\"\nreference = \"x.log\"", "not both"},
        {"measured = \"78 ns\"\n", "", "a case without reference or measured latency has no role"},
        {"workload = \"register-latency\"", "workload = \"ipi-call\"", "workload ipi-call is no latency probe"},
    }));
    configs.replace(file, old, fresh);
    CHECK_THAT(error(), StartsWith((configs / file).string() + ":") && Contains(message));
}

TEST_CASE("IRM = 1 reaches all CPUs but the sender, so a subset of them is no target") {
    const ConfigCopy configs;
    const std::string file = "experiments/thunderx1-broadcast.toml";
    const auto error = [] { return error_of([] { load_experiment("thunderx1-broadcast"); }); };
    CHECK(error() == "no error");
    configs.replace(file, "targets = \"all\"", "targets = \"1-40,42-47\"");
    CHECK_THAT(error(), StartsWith((configs / file).string() + ":") &&
                            Contains("options.irm: an SGI with IRM = 1 goes to all CPUs but its sender, and CPU 41 is "
                                     "no target (set targets = \"all\")"));
    configs.replace(file, "1-40,42-47", "1-47");
    CHECK(error() == "no error");
}

TEST_CASE("a reference must be about what its case does, and say where it is from") {
    const ConfigCopy configs;
    const std::string file = "experiments/kunpeng920-ipi.toml";
    const auto error = [] { return error_of([] { load_experiment("kunpeng920-ipi"); }); };
    SECTION("rounds") {
        configs.replace(file, "rounds = 1000", "rounds = 10");
        CHECK_THAT(error(), Contains("measured 1000 rounds, which is not what this case does"));
    }
    SECTION("sender") {
        configs.replace(file, "kunpeng920_ipi_dsb_st_cpu0.log", "kunpeng920_ipi_dsb_st_cpu48.log");
        CHECK_THAT(error(), Contains("measured sender 48"));
    }
    SECTION("source") {
        configs.replace(file, "reference_source =", "#");
        CHECK_THAT(error(), Contains("the measurement has no source"));
    }
    SECTION("role") {
        configs.replace(file, "role = \"fitted\"", "role = \"proven\"");
        CHECK_THAT(error(), Contains("unknown role 'proven' (known: fitted, predicted)"));
    }
    SECTION("a line of another form") {
        configs.replace("reference/kunpeng920_ipi_dsb_st_cpu0.log", "times:", "times ");
        CHECK_THAT(error(), Contains("kunpeng920_ipi_dsb_st_cpu0.log:1:1: is no line of a reference log"));
    }
    SECTION("no log") {
        std::filesystem::remove(configs / "reference/kunpeng920_ipi_dsb_st_cpu0.log");
        CHECK_THAT(error(), Contains("cannot be read"));
    }
}
