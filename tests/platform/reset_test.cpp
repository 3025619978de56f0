#include "gicsim/config/load.h"
#include "gicsim/workload/workload.h"
#include "platform/run_result.h"
#include "support/catch.h"

using namespace gicsim;

namespace {

CaseDescription small_case(const std::vector<Override>& overrides = {}) {
    return load_experiment("small-ipi", overrides).cases.front();
}

}  // namespace

TEST_CASE("Reset 1. A run leaves nothing behind: the same run again is the same, whatever was in between") {
    const CaseDescription first = small_case();
    CaseDescription other = small_case({{"barrier", "none", "test"}, {"payload_lines", "5", "test"}});
    other.machine.core.dsb += Time::ns(7);
    other.machine.gic.sgi_routing = "chip-to-chip";
    other.machine.gic.stream_credits = 1;
    other.machine.fabric.fidelity = FabricFidelity::queued;
    other.options.sender = cpu_id(5);
    other.options.rounds = 1000;
    other.software.saved_lines = 2;
    Platform platform(first.machine);
    const std::string once = text_of(run_case(platform, first, 1));
    CHECK(text_of(run_case(platform, first, 1)) == once);

    const RunResult different = run_case(platform, other, 9);
    CHECK(different.end_reason == "all rounds done");
    CHECK(text_of(run_case(platform, first, 1)) == once);

    // A run that was broken off leaves messages, packets and programs in flight.
    unsigned looks = 0;
    const RunResult broken = run_case(platform, other, 9, [&](double) { return ++looks < 3; });
    CHECK(broken.interrupted);
    CHECK(text_of(run_case(platform, first, 1)) == once);
}

TEST_CASE("Reset 2. A reset takes the new figures") {
    const CaseDescription first = small_case();
    CaseDescription slower = first;
    slower.machine.gic.route += Time::ns(5);
    Platform platform(first.machine);
    const RunResult before = run_case(platform, first, 1);
    const RunResult after = run_case(platform, slower, 1);
    // Each of the 7 x 10 interrupts goes through the Distributor once.
    CHECK(after.total - before.total == 70 * Time::ns(5));
}

TEST_CASE("Reset 3. A reset cannot change the shape of a machine") {
    const MachineDescription machine = load_machine("small-4");
    Platform platform(machine);
    MachineDescription fewer = machine;
    fewer.cpus.pop_back();
    CHECK_THROWS_AS(platform.reset(fewer), std::invalid_argument);
    MachineDescription renamed = machine;
    renamed.fabric.nodes[0] = "elsewhere";
    CHECK_THROWS_AS(platform.reset(renamed), std::invalid_argument);
    MachineDescription more_dies = machine;
    more_dies.dies.push_back(more_dies.dies.front());
    CHECK_THROWS_AS(platform.reset(more_dies), std::invalid_argument);
    CHECK_NOTHROW(platform.reset(machine));
}

TEST_CASE("Reset 4. An unknown SGI routing is refused with the known ones, an unknown node by its name") {
    MachineDescription machine = load_machine("small-4");
    Platform platform(machine);
    MachineDescription odd = machine;
    odd.gic.sgi_routing = "carrier-pigeon";
    CHECK_THROWS_WITH(platform.reset(odd),
                      Catch::Contains("carrier-pigeon") && Catch::Contains("home") && Catch::Contains("chip-to-chip"));
    odd = machine;
    odd.gic.distributor_node = "die7.gic";
    CHECK_THROWS_WITH(platform.reset(odd), Catch::Contains("die7.gic"));
    CHECK_NOTHROW(platform.reset(machine));
}

TEST_CASE("Reset 5. Distances name what the CPU table says") {
    Platform platform(load_machine("kunpeng920-96"));
    const auto from_0 = [&platform](std::size_t n) { return platform.distance(cpu_id(0), cpu_id(n)); };
    CHECK(from_0(0) == DistanceClass::self);
    CHECK(from_0(3) == DistanceClass::same_cluster);
    CHECK(from_0(4) == DistanceClass::same_die);
    CHECK(from_0(23) == DistanceClass::same_die);
    CHECK(from_0(24) == DistanceClass::same_socket);
    CHECK(from_0(47) == DistanceClass::same_socket);
    CHECK(from_0(48) == DistanceClass::other_socket);
    CHECK(platform.distance(cpu_id(72), cpu_id(48)) == DistanceClass::same_socket);
}
