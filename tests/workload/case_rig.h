#ifndef GICSIM_TESTS_WORKLOAD_CASE_RIG_H
#define GICSIM_TESTS_WORKLOAD_CASE_RIG_H

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "gicsim/config/load.h"
#include "gicsim/workload/workload.h"
#include "support/catch.h"

namespace gicsim {

/// A shipped machine under Linux 5.17 with one case on it, to be changed and run at will. One a test case: SystemC
/// allows one elaboration a process.
class CaseRig {
public:
    CaseRig(const std::string& machine, const std::string& workload) : platform_(load_machine(machine)) {
        description.machine = platform_.machine();
        description.software = load_software("linux-5.17");
        options.workload = workload;
        options.send.placement = Placement::before_each;
    }
    CaseRig(const CaseRig&) = delete;
    CaseRig& operator=(const CaseRig&) = delete;

    /// One run with `seed`, whose end is checked.
    RunResult run(std::uint64_t seed = 1) {
        RunResult result = run_case(platform_, description, seed);
        CHECK(result.end_reason == "all rounds done");
        CHECK(result.ok + result.stale + result.lost == result.ipis);
        return result;
    }
    [[nodiscard]] Platform& platform() { return platform_; }
    void target_all() {
        options.targets.clear();
        for (std::size_t n = 0; n < platform_.cpu_count(); ++n) options.targets.push_back(cpu_id(n));
    }

    CaseDescription description;
    WorkloadOptions& options = description.options;

private:
    Platform platform_;
};

inline std::uint64_t counter(const RunResult& result, const std::string& name) {
    for (const NamedCount& each : result.counters) {
        if (each.name == name) return each.count;
    }
    throw std::out_of_range("no counter '" + name + "'");
}

/// A sending sequence as the tables of results name it: a barrier, or "isb alone".
struct Sequence {
    std::string name;
    SendPolicy policy;
};

inline SendPolicy policy_with(const std::string& barrier, bool isb_before = false) {
    SendPolicy policy;
    policy.barrier = Barrier::parse(barrier).value();
    policy.placement = Placement::before_each;
    policy.isb_before = isb_before;
    return policy;
}

/// DSB with one of the eight options that cover stores: forbids what all others allow (DDI 0487, B2.3.12; Simner et
/// al., ISCA 2025, section 7.5).
inline const std::vector<std::string>& dsbs_of_stores() {
    static const std::vector<std::string> names = {"dsb sy",  "dsb st",    "dsb ish", "dsb ishst",
                                                   "dsb nsh", "dsb nshst", "dsb osh", "dsb oshst"};
    return names;
}

/// No barrier, ISB alone, the twelve DMBs and the four DSBs of loads only.
inline std::vector<Sequence> weak_sequences() {
    std::vector<Sequence> list = {{"isb alone", policy_with("none", true)}};
    const std::vector<std::string>& strong = dsbs_of_stores();
    for (const Barrier& each : Barrier::all()) {
        if (std::find(strong.begin(), strong.end(), each.name()) != strong.end()) continue;
        list.push_back({each.name(), policy_with(each.name())});
    }
    return list;
}

inline bool long_tests() {
    return std::getenv("GICSIM_LONG_TESTS") != nullptr;
}

}  // namespace gicsim

#endif
