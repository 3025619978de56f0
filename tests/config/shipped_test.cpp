#include <fmt/core.h>

#include <map>
#include <set>

#include "config_fixture.h"
#include "gicsim/config/cpu_table.h"
#include "gicsim/config/parameters.h"

using namespace gicsim;

TEST_CASE("every shipped machine, software and experiment loads") {
    const ConfigCopy configs;
    for (const std::string& name : known_configs(ConfigKind::machine)) {
        INFO(name);
        CHECK(load_machine(name).name == name);
    }
    for (const std::string& name : known_configs(ConfigKind::software)) {
        INFO(name);
        CHECK(load_software(name).name == name);
    }
    for (const std::string& name : known_configs(ConfigKind::experiment)) {
        INFO(name);
        const ExperimentDescription experiment = load_experiment(name);
        CHECK(experiment.name == name);
        CHECK_FALSE(experiment.cases.empty());
    }
}

TEST_CASE("the shipped CPU tables equal their independent copies") {
    const auto [machine, copy] = GENERATE(table<std::string, std::string>(
        {{"kunpeng920-96", "kunpeng920_96.csv"}, {"thunderx1-48", "thunderx1_48.csv"}}));
    const std::string source = GICSIM_SOURCE_DIR;
    CHECK(content_of(source + "/configs/machines/" + machine + ".cpus.csv") ==
          content_of(source + "/tests/config/data/" + copy));
}

TEST_CASE("kunpeng920-96 has the affinities and places of its rule") {
    const MachineDescription machine = load_machine("kunpeng920-96");
    REQUIRE(machine.cpus.size() == 96);
    REQUIRE(machine.dies.size() == 4);
    for (unsigned n = 0; n < 96; ++n) {
        const CpuPlace& cpu = machine.cpus[n];
        const unsigned sccl = 1 + 2 * (n / 24);
        CHECK(cpu.affinity.mpidr() == ((sccl << 3 | n % 24 / 4) << 16 | n % 4 << 8));
        CHECK(cpu.die == n / 24);
        CHECK(cpu.socket == n / 48);
        CHECK(cpu.cluster == n % 24 / 4);
        CHECK(machine.fabric.nodes[index(cpu.node)] ==
              "die" + std::to_string(cpu.die) + ".ccl" + std::to_string(cpu.cluster));
    }
    CHECK(machine.cpus[95].gicr_base == 0x2000aa6c0000);
    CHECK(machine.fabric.nodes.size() == 68);  // 4 dies of 17 stops
    CHECK(machine.fabric.links.size() == 71);  // 4 rings, 2 die links, 1 socket link
    CHECK(machine.dies[3].l3_slices.size() == 6);
    CHECK(machine.dies[3].home_agents.size() == 2);
    CHECK(machine.fabric.nodes[index(machine.dies[3].gic)] == "die3.gic");
    CHECK(machine.core.dsb == Time::ns(30));
    CHECK(machine.core.clock.hertz() == 2'600'000'000);
    CHECK(machine.fabric.links.front().latency == Time::ps(400));
    CHECK(machine.fabric.links.back().name == "socket:die0.link1-die2.link1");
    CHECK(machine.fabric.links.back().latency == Time::ns(40));
    CHECK(machine.fabric.links.back().device_extra == Time::ns(45));
}

TEST_CASE("thunderx1-48 has 16 CPUs in each SGI group, twochip-8 names its chip in Aff3") {
    std::map<std::uint32_t, int> groups;
    for (const CpuPlace& cpu : load_machine("thunderx1-48").cpus) ++groups[cpu.affinity.group()];
    CHECK(groups == std::map<std::uint32_t, int>{{0, 16}, {1, 16}, {2, 16}});
    const MachineDescription chips = load_machine("twochip-8");
    CHECK(chips.gic.sgi_routing == "chip-to-chip");
    for (unsigned n = 0; n < 8; ++n) CHECK(chips.cpus[n].affinity.aff3 == n / 4);
}

TEST_CASE("die and cluster labels that count over the machine are numbered within their die") {
    const auto rows = read_cpu_table(std::string(GICSIM_SOURCE_DIR) + "/tests/config/data/ft2000plus_64.csv");
    CHECK(rows.size() == 64);
    CHECK(rows[63].cluster == 15);  // a label: the second cluster of the eighth die
    const ConfigCopy configs;
    configs.write("machines/small-4.cpus.csv",
                  content_of(std::string(GICSIM_SOURCE_DIR) + "/tests/config/data/ft2000plus_64.csv"));
    configs.replace("machines/small-4.toml", "[gic]",
                    "[fabric.link.x]\n"
                    "ends = [[\"die0.gic\", \"die1.gic\"], [\"die1.gic\", \"die2.gic\"], [\"die2.gic\", \"die3.gic\"],"
                    "[\"die3.gic\", \"die4.gic\"], [\"die4.gic\", \"die5.gic\"], [\"die5.gic\", \"die6.gic\"],"
                    "[\"die6.gic\", \"die7.gic\"]]\n"
                    "latency = { value = \"1 ns\", source = \"x\", status = \"assumed\" }\n"
                    "device_extra = { value = \"1 ns\", source = \"x\", status = \"assumed\" }\n"
                    "width = { value = \"1 B/ns\", source = \"x\", status = \"assumed\" }\n[gic]");
    const MachineDescription machine = load_machine("small-4");
    CHECK(machine.dies.size() == 8);
    CHECK(machine.cpus[63].die == 7);
    CHECK(machine.cpus[63].cluster == 1);
}

TEST_CASE("Reference A: four measured groups with their role, and what they were measured on") {
    const ExperimentDescription experiment = load_experiment("kunpeng920-ipi");
    REQUIRE(experiment.cases.size() >= 4);
    double sum = 0;
    for (const double total : experiment.cases[0].reference_ns) sum += total;
    CHECK(sum / 10 == Approx(121'934'741).epsilon(1e-6));
    CHECK(experiment.cases[0].role == "fitted");
    CHECK(experiment.cases[1].role == "predicted");
    CHECK(experiment.cases[3].options.sender == cpu_id(48));
    CHECK(experiment.cases[3].reference_name.find("20220219234600.304774-1") != std::string::npos);
    CHECK(experiment.cases[0].options.targets.size() == 96);
    CHECK(experiment.cases[0].runs == 10);
}

TEST_CASE("the timing document lists every parameter") {
    const std::string document = content_of(std::string(GICSIM_SOURCE_DIR) + "/docs/timing-model.md");
    std::vector<std::string_view> missing;
    for (const Parameter& parameter : parameters()) {
        if (document.find(fmt::format("`{}`", parameter.path)) == std::string::npos) missing.push_back(parameter.path);
    }
    CAPTURE(missing);
    CHECK(missing.empty());
}

TEST_CASE("the table of parameters is complete and unambiguous") {
    std::set<std::string_view> paths;
    for (const Parameter& parameter : parameters()) {
        INFO(parameter.path);
        CHECK(paths.insert(parameter.path).second);
        CHECK(parameter.meaning.ends_with('.'));
        CHECK_FALSE(describe_units(parameter.rule).empty());
    }
    CHECK(parameters().front().path == "clock.core");
}
