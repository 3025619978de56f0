#include "gicsim/workload/hang_report.h"

#include <map>

#include "gicsim/config/options.h"

namespace gicsim {
namespace {

/// "SGI 1 is pending", "SGIs 0,3 are active"; empty when there are none.
std::string sgis(std::uint32_t bits, const char* state) {
    constexpr std::uint32_t first_ppi = 16;
    std::string list;
    unsigned count = 0;
    for (std::uint32_t n = 0; n < first_ppi; ++n) {
        if ((bits >> n & 1) == 0) continue;
        if (count++ > 0) list += ',';
        list += std::to_string(n);
    }
    std::string text;
    if (count == 0) return text;
    text.append(count == 1 ? "; SGI " : "; SGIs ").append(list).append(count == 1 ? " is " : " are ");
    return text.append(state);
}

/// What is to be said of one CPU behind its name, in the singular.
std::string state_of(Kernel& kernel, CpuId cpu) {
    const Core& core = kernel.platform().core(cpu);
    const RedistributorState& gic = kernel.platform().gic().redistributor(cpu).state();
    std::string text = core.waits_for();
    if (!text.empty()) text.insert(0, " waits for ");
    if (const Kernel::Reason& reason = kernel.reason(cpu); reason.what != nullptr) {
        text.append(text.empty() ? " waits for cpu" : ", and for cpu");
        text.append(std::to_string(index(reason.whom))).append(" ").append(reason.what);
    }
    const std::string pending = sgis(gic.pending(), "pending");
    text += pending + sgis(gic.active(), "active");
    if (!pending.empty() && core.interrupts_masked()) text += "; interrupts are masked";
    return text;
}

}  // namespace

std::vector<std::string> who_waits_for_what(Kernel& kernel) {
    std::map<std::string, std::vector<CpuId>> cpus_by_state;
    std::vector<std::string> order;
    for (std::size_t n = 0; n < kernel.platform().cpu_count(); ++n) {
        const std::string state = state_of(kernel, cpu_id(n));
        if (state.empty()) continue;
        std::vector<CpuId>& cpus = cpus_by_state[state];
        if (cpus.empty()) order.push_back(state);
        cpus.push_back(cpu_id(n));
    }
    std::vector<std::string> lines;
    lines.reserve(order.size());
    for (const std::string& state : order) {
        lines.push_back(std::string("cpu").append(cpu_list_text(cpus_by_state[state])).append(state));
    }
    return lines;
}

}  // namespace gicsim
