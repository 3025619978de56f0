#include "gicsim/config/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "gicsim/config/suggestion.h"

namespace gicsim {

namespace {

using C = CaseDescription;
using Q = Quantity;
using R = RawValue;

ValueRule number(std::int64_t least, std::int64_t greatest) {
    return {UnitKind::number, {}, least, greatest, {}};
}
ValueRule toggle() {
    return {UnitKind::toggle, {}, 0, 1, {}};
}
ValueRule word(std::string_view what) {
    return {UnitKind::name, what, 0, 0, {}};
}
ValueRule placement() {
    return {UnitKind::choice, {}, 0, 0, placement_names()};
}
/// The bound is the machine's, checked when it is known.
ValueRule cpu() {
    return number(0, INT32_MAX);
}

std::string cpus_of(std::size_t cpus) {
    return fmt::format("the machine has CPUs 0 to {}", cpus - 1);
}

CpuId cpu_in_machine(const C& c, const Q& q, const R& value, std::string_view path) {
    if (q.amount >= static_cast<std::int64_t>(c.machine.cpus.size())) {
        throw ConfigError(value.origin, std::string(path), fmt::format("CPU {} is not in the machine", q.amount),
                          cpus_of(c.machine.cpus.size()));
    }
    return cpu_id(static_cast<std::size_t>(q.amount));
}

Barrier barrier_named(const Q& q, const R& value) {
    const auto barrier = Barrier::parse(q.text);
    if (!barrier) {
        std::vector<std::string> names;
        for (const Barrier& each : Barrier::all()) names.push_back(each.name());
        throw ConfigError(value.origin, "options.barrier", fmt::format("unknown barrier '{}'", q.text),
                          fmt::format("known: {}", fmt::join(names, ", ")));
    }
    return *barrier;
}

/// "sender", "target" or a die of the machine.
std::string home_named(const C& c, const Q& q, const R& value, std::string_view path) {
    if (q.text == "sender" || q.text == "target") return q.text;
    for (std::size_t die = 0; die < c.machine.dies.size(); ++die) {
        if (q.text == fmt::format("die{}", die)) return q.text;
    }
    throw ConfigError(value.origin, std::string(path), fmt::format("'{}' is no home of a line", q.text),
                      fmt::format("known: sender, target, die0 to die{}", c.machine.dies.size() - 1));
}

std::string set_targets(C& c, const Q&, const R& value) {
    c.options.targets = read_cpu_list(value, "options.targets", c.machine.cpus.size());
    std::string list;
    for (const CpuId target : c.options.targets) list += fmt::format("{}{}", list.empty() ? "" : ",", index(target));
    return list;
}

std::string spell_barrier(const std::string& text) {
    const auto barrier = Barrier::parse(text);
    return barrier ? barrier->name() : text;
}

/// "0,1,2,3,7" as "0-3,7".
std::string spell_cpu_list(const std::string& text) {
    if (text == "all") return text;
    std::vector<CpuId> cpus;
    try {
        constexpr std::size_t no_machine_is_larger = 100'000;
        cpus = read_cpu_list({RawValue::Type::text, text, {}}, {}, no_machine_is_larger);
    } catch (const ConfigError&) {
        return text;
    }
    return cpu_list_text(cpus);
}

// One line a row: the table reads as a table.
// clang-format off
std::vector<OptionSpec> make_options() {
    return {
        {"options.barrier", word("barrier"), "dsb ishst", "Barrier of the sender: none, or DMB or DSB with an option.",
         +[](C& c, const Q& q, const R& r) { c.options.send.barrier = barrier_named(q, r); return c.options.send.barrier.name(); },
         spell_barrier},
        {"options.placement", placement(), "before-group", "Where the barrier stands: once before the SGI writes, before each, after them, nowhere.",
         +[](C& c, const Q& q, const R&) { c.options.send.placement = static_cast<Placement>(q.amount); return q.canonical; }},
        {"options.isb_before", toggle(), "false", "An ISB before the SGI writes.",
         +[](C& c, const Q& q, const R&) { c.options.send.isb_before = q.on(); return q.canonical; }},
        {"options.isb_after", toggle(), "true", "An ISB after the SGI writes.",
         +[](C& c, const Q& q, const R&) { c.options.send.isb_after = q.on(); return q.canonical; }},
        {"options.sender", cpu(), "0", "The CPU that sends.",
         +[](C& c, const Q& q, const R& r) { c.options.sender = cpu_in_machine(c, q, r, "options.sender"); return q.canonical; }},
        {"options.targets", word("CPU list"), "all", "The CPUs it sends to, in this order: a CPU list such as 0-3,7, or all.",
         set_targets, spell_cpu_list},
        {"options.payload_lines", number(0, 1024), "0", "Lines owned by the sender that it writes just before each call.",
         +[](C& c, const Q& q, const R&) { c.options.payload_lines = q.count(); return q.canonical; }},
        {"options.remote_lines", number(0, 1024), "0", "Lines owned by another CPU that the sender stores to before the payload, with a DMB between.",
         +[](C& c, const Q& q, const R&) { c.options.remote_lines = q.count(); return q.canonical; }},
        {"options.remote_owner", cpu(), "0", "The CPU that owns those lines before each round.",
         +[](C& c, const Q& q, const R& r) { c.options.remote_owner = cpu_in_machine(c, q, r, "options.remote_owner"); return q.canonical; }},
        {"options.wait", toggle(), "true", "Whether the sender waits until the called function has run.",
         +[](C& c, const Q& q, const R&) { c.options.wait = q.on(); return q.canonical; }},
        {"options.irm", toggle(), "false", "One SGI write with IRM = 1 to all other CPUs, in place of target lists.",
         +[](C& c, const Q& q, const R&) { c.options.irm = q.on(); return q.canonical; }},
        {"options.receiver_running", toggle(), "false", "Targets run a program when the interrupt comes, in place of waiting in WFI.",
         +[](C& c, const Q& q, const R&) { c.options.receiver_running = q.on(); return q.canonical; }},
        {"options.csd_home", word("sender, target or a die"), "sender", "NUMA home of the call data.",
         +[](C& c, const Q& q, const R& r) { return c.options.csd_home = home_named(c, q, r, "options.csd_home"); }},
        {"options.queue_home", word("sender, target or a die"), "target", "NUMA home of the per-CPU call queues.",
         +[](C& c, const Q& q, const R& r) { return c.options.queue_home = home_named(c, q, r, "options.queue_home"); }},
        {"options.page_draw", toggle(), "true", "Draw the physical pages of the caller's stack, payload and remote lines anew for each run; per-CPU memory, such as the call data of ipi-broadcast, stays.",
         +[](C& c, const Q& q, const R&) { c.options.page_draw = q.on(); return q.canonical; }},

        {"run.rounds", number(1, 1'000'000'000'000), "1", "Passes over all targets in one run.",
         +[](C& c, const Q& q, const R&) { c.options.rounds = static_cast<std::uint64_t>(q.amount); return q.canonical; }},
        {"run.runs", number(1, 1'000'000), "1", "Runs, each with a seed of its own.",
         +[](C& c, const Q& q, const R&) { c.runs = q.count(); return q.canonical; }},
        {"run.seed", number(0, INT64_MAX), "1", "Seed of run 0; run k has this seed plus k.",
         +[](C& c, const Q& q, const R&) { c.seed = static_cast<std::uint64_t>(q.amount); return q.canonical; }},
    };
}
// clang-format on

}  // namespace

const std::vector<OptionSpec>& option_table() {
    static const std::vector<OptionSpec> table = make_options();
    return table;
}

const std::vector<WorkloadSpec>& workload_table() {
    static const std::vector<WorkloadSpec> table = {
        {.name = "ipi-call",
         .meaning = "smp_call_function_single to each target in turn; the call to oneself runs in place",
         .options = {"barrier", "placement", "isb_before", "isb_after", "sender", "targets", "payload_lines",
                     "remote_lines", "remote_owner", "wait", "receiver_running", "csd_home", "queue_home", "page_draw"},
         .needs_other_target = true},
        {.name = "ipi-broadcast",
         .meaning =
             "smp_call_function_many: all targets queued, then one SGI write for each Aff3.Aff2.Aff1 group, or IRM = 1",
         .options = {"barrier", "placement", "isb_before", "isb_after", "sender", "targets", "payload_lines",
                     "remote_lines", "remote_owner", "wait", "irm", "receiver_running", "csd_home", "queue_home",
                     "page_draw"},
         .needs_other_target = true},
        {.name = "ipi-resched",
         .meaning =
             "need_resched set by a no-return atomic, barrier, SGI; the exit path of the interrupt loads the flag",
         .options = {"barrier", "placement", "isb_before", "isb_after", "sender", "targets", "remote_lines",
                     "remote_owner", "receiver_running", "page_draw"},
         .needs_other_target = true},
        {.name = "message-passing",
         .meaning = "plain stores, barrier, SGI; the handler reads what was stored",
         .options = {"barrier", "placement", "isb_before", "isb_after", "sender", "targets", "payload_lines",
                     "remote_lines", "remote_owner", "receiver_running", "page_draw"},
         .needs_other_target = true},
        {.name = "ping-pong",
         .meaning = "core-to-core latency: sender and target change one word in turn, half a round trip",
         .options = {"sender", "targets", "csd_home", "page_draw"},
         .needs_other_target = true,
         .measures_latency = true},
        {.name = "memory-latency",
         .meaning = "a load of a line that no cache holds, from the memory of the target's die",
         .options = {"sender", "targets", "page_draw"},
         .measures_latency = true},
        {.name = "register-latency",
         .meaning = "a read of GICR_TYPER of the target's redistributor",
         .options = {"sender", "targets"},
         .measures_latency = true},
    };
    return table;
}

bool measures_latency(std::string_view workload) {
    const auto& table = workload_table();
    return std::any_of(table.begin(), table.end(),
                       [workload](const WorkloadSpec& each) { return each.name == workload && each.measures_latency; });
}

const std::vector<std::string_view>& placement_names() {
    static const std::vector<std::string_view> names = {"none", "before-group", "before-each", "after"};
    return names;
}

std::string spelled(std::string_view path, const std::string& text) {
    for (const OptionSpec& option : option_table()) {
        if (option.path == path && option.spell != nullptr) return option.spell(text);
    }
    return text;
}

void check_options(const WorkloadSpec& workload, const CaseDescription& target,
                   const std::function<Origin(const std::string& path)>& origin_of) {
    const WorkloadOptions& options = target.options;
    if (workload.needs_other_target && options.targets == std::vector<CpuId>{options.sender}) {
        // Two options make it so; the one of the command line is the one to change.
        const Origin sender = origin_of("options.sender");
        const bool by_sender = !sender.option.empty();
        throw ConfigError(
            by_sender ? sender : origin_of("options.targets"), by_sender ? "options.sender" : "options.targets",
            fmt::format("the sender, CPU {}, is the only target: no interrupt would be sent", index(options.sender)));
    }
    if (options.irm) {
        std::vector<bool> reached(target.machine.cpus.size(), false);
        reached[index(options.sender)] = true;
        for (const CpuId cpu : options.targets) reached[index(cpu)] = true;
        const auto left_out = std::find(reached.begin(), reached.end(), false);
        if (left_out != reached.end()) {
            throw ConfigError(
                origin_of("options.irm"), "options.irm",
                fmt::format("an SGI with IRM = 1 goes to all CPUs but its sender, and CPU {} is no target",
                            left_out - reached.begin()),
                "set targets = \"all\"");
        }
    }
}

std::string cpu_list_text(const std::vector<CpuId>& cpus) {
    std::string list;
    for (std::size_t first = 0, last = 0; first < cpus.size(); first = ++last) {
        while (last + 1 < cpus.size() && index(cpus[last + 1]) == index(cpus[last]) + 1) ++last;
        if (!list.empty()) list += ',';
        list += fmt::format("{}", index(cpus[first]));
        if (last > first) list += fmt::format("-{}", index(cpus[last]));
    }
    return list;
}

std::vector<CpuId> read_cpu_list(const RawValue& value, const std::string& path, std::size_t cpus) {
    const auto fail = [&](const std::string& message, const std::string& hint) -> void {
        throw ConfigError(value.origin, path, message, hint);
    };
    std::vector<CpuId> list;
    if (value.text == "all") {
        for (std::size_t n = 0; n < cpus; ++n) list.push_back(cpu_id(n));
        return list;
    }
    std::vector<bool> seen(cpus, false);
    const char* at = value.text.data();
    const char* const end = at + value.text.size();
    const auto next_number = [&] {
        std::uint64_t n = 0;
        const auto [stop, error] = std::from_chars(at, end, n);
        if (error != std::errc{}) fail(fmt::format("'{}' is no CPU list", value.text), "write it as 0-3,7 or all");
        if (n >= cpus) fail(fmt::format("CPU {} is not in the machine", n), cpus_of(cpus));
        at = stop;
        return static_cast<std::size_t>(n);
    };
    while (true) {
        const std::size_t first = next_number();
        std::size_t last = first;
        if (at != end && *at == '-') {
            ++at;
            last = next_number();
            if (last < first) fail(fmt::format("the range {}-{} runs backwards", first, last), {});
        }
        for (std::size_t n = first; n <= last; ++n) {
            if (seen[n]) fail(fmt::format("CPU {} occurs twice", n), {});
            seen[n] = true;
            list.push_back(cpu_id(n));
        }
        if (at == end) return list;
        if (*at++ != ',') fail(fmt::format("'{}' is no CPU list", value.text), "write it as 0-3,7 or all");
    }
}

}  // namespace gicsim
