#include "case_rig.h"
#include "gicsim/config/options.h"

using namespace gicsim;

TEST_CASE("every workload of the configuration can be made, and there is no other") {
    CaseRig rig("small-4", "");
    rig.platform().reset(rig.description.machine);
    rig.target_all();
    std::string names;
    for (const WorkloadSpec& spec : workload_table()) {
        INFO(spec.name);
        rig.options.workload = spec.name;
        Kernel kernel(rig.platform(), rig.description, 1);
        CHECK(make_workload(kernel) != nullptr);
        names += (names.empty() ? "" : ", ") + std::string(spec.name);
    }
    rig.options.workload = "ipi-cal";
    Kernel kernel(rig.platform(), rig.description, 1);
    CHECK_THROWS_WITH(make_workload(kernel), "unknown workload 'ipi-cal'; known: " + names);
}

TEST_CASE("a run of every workload ends, and equals a second one with its seed") {
    CaseRig rig("small-4", "");
    rig.target_all();
    rig.options.send = policy_with("dsb ishst");
    rig.options.rounds = 3;
    rig.options.remote_lines = 2;
    rig.options.remote_owner = cpu_id(3);
    for (const WorkloadSpec& spec : workload_table()) {
        INFO(spec.name);
        rig.options.workload = spec.name;
        const RunResult first = run_case(rig.platform(), rig.description, 5);
        const RunResult second = run_case(rig.platform(), rig.description, 5);
        CHECK(first.end_reason == "all rounds done");
        CHECK(first.total > Time{});
        CHECK(first.total == second.total);
        CHECK(first.events == second.events);
    }
}
