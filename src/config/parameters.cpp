#include "gicsim/config/parameters.h"

namespace gicsim {

namespace {

using M = MachineDraft;
using L = LinkDescription;
using S = SoftwareDescription;
using Q = Quantity;

constexpr std::int64_t ns = 1'000'000;
constexpr std::int64_t us = 1'000 * ns;
constexpr std::int64_t byte_per_us = 1'000'000;

/// A latency of a part, from nothing to ten microseconds: longer than any path through a machine.
ValueRule latency() {
    return {UnitKind::time, {}, 0, 10 * us, {}};
}
/// An interval that must pass, so not zero.
ValueRule interval() {
    return {UnitKind::time, {}, 1, 10 * us, {}};
}
/// A housekeeping delay of the GIC, which may be long.
ValueRule delay() {
    return {UnitKind::time, {}, 0, 1'000 * us, {}};
}
ValueRule width() {
    return {UnitKind::bandwidth, {}, byte_per_us, 100'000'000 * byte_per_us, {}};
}
ValueRule entries(std::string_view unit, std::int64_t least, std::int64_t greatest) {
    return {UnitKind::count, unit, least, greatest, {}};
}
ValueRule work() {
    return {UnitKind::cycles, {}, 0, 1'000'000, {}};
}
ValueRule toggle() {
    return {UnitKind::toggle, {}, 0, 1, {}};
}
ValueRule choice(std::vector<std::string_view> words) {
    return {UnitKind::choice, {}, 0, 0, std::move(words)};
}
ValueRule node() {
    return {UnitKind::name, "fabric node", 0, 0, {}};
}

// One line a row: the table reads as a table.
// clang-format off
std::vector<Parameter> make_table() {
    return {
        {"clock.core", {UnitKind::frequency, {}, 1'000'000, 100'000'000'000, {}}, "Clock of the cores; what 'cycles' means everywhere in a machine and its software.",
         +[](M& m, const Q& q) { m.machine.core.clock = ClockDomain(q.amount); }},

        {"core.load_to_use", latency(), "A load that hits the private caches, until its value can be used.",
         +[](M& m, const Q& q) { m.machine.core.load_to_use = q.time(); }},
        {"core.store_forward", latency(), "A load served by a store that still waits in the core's own store buffer.",
         +[](M& m, const Q& q) { m.machine.core.store_forward = q.time(); }},
        {"core.store_buffer_entries", entries("entries", 1, 4096), "Stores that have retired and are not yet in the cache.",
         +[](M& m, const Q& q) { m.machine.core.store_buffer_entries = q.count(); }},
        {"core.load_queue_entries", entries("entries", 1, 4096), "Loads under way that the program does not wait for at once.",
         +[](M& m, const Q& q) { m.machine.core.load_queue_entries = q.count(); }},
        {"core.store_drain_interval", interval(), "Least time between two stores that the buffer hands to the cache.",
         +[](M& m, const Q& q) { m.machine.core.store_drain_interval = q.time(); }},
        {"core.ownership_requests", entries("requests", 1, 1024), "Stores that wait for ownership of different lines at one time.",
         +[](M& m, const Q& q) { m.machine.core.ownership_requests = q.count(); }},
        {"core.atomic", latency(), "Read-modify-write of a line that the core owns.",
         +[](M& m, const Q& q) { m.machine.core.atomic = q.time(); }},
        {"core.dsb", latency(), "A DSB with nothing outstanding, from issue to the next instruction.",
         +[](M& m, const Q& q) { m.machine.core.dsb = q.time(); }},
        {"core.isb", latency(), "An ISB: pipeline flush and refetch.",
         +[](M& m, const Q& q) { m.machine.core.isb = q.time(); }},
        {"core.system_register_read", latency(), "Read of an ICC_* register.",
         +[](M& m, const Q& q) { m.machine.core.system_register_read = q.time(); }},
        {"core.system_register_write", latency(), "Write of an ICC_* register, until its packet leaves the CPU interface.",
         +[](M& m, const Q& q) { m.machine.core.system_register_write = q.time(); }},
        {"core.wfi_wake", latency(), "From the wake-up event to the first instruction after a WFI.",
         +[](M& m, const Q& q) { m.machine.core.wfi_wake = q.time(); }},
        {"core.wfe_wake", latency(), "From the event to the first instruction after a WFE.",
         +[](M& m, const Q& q) { m.machine.core.wfe_wake = q.time(); }},
        {"core.exception_entry", latency(), "From taking an interrupt to the first instruction of its vector.",
         +[](M& m, const Q& q) { m.machine.core.exception_entry = q.time(); }},
        {"core.exception_return", latency(), "From ERET to the first instruction of the interrupted program.",
         +[](M& m, const Q& q) { m.machine.core.exception_return = q.time(); }},
        {"core.device_access", latency(), "The core's own share of a Device load or store, each way.",
         +[](M& m, const Q& q) { m.machine.core.device_access = q.time(); }},
        {"core.dsb_gic_ack", choice({"all_types", "full_only"}), "Which DSBs wait until the GIC has acknowledged the core's earlier commands.",
         +[](M& m, const Q& q) { m.machine.core.dsb_gic_ack = q.amount == 0 ? DsbGicAck::all_types : DsbGicAck::full_only; }},
        {"core.dsb_confirms_owned_writes", toggle(), "Whether a full-system DSB that covers stores has the home confirm each line written on an already owned copy.",
         +[](M& m, const Q& q) { m.machine.core.dsb_confirms_owned_writes = q.on(); }},
        {"core.dsb_confirm_interval", interval(), "Least time between two such confirmations leaving the core.",
         +[](M& m, const Q& q) { m.machine.core.dsb_confirm_interval = q.time(); }},

        {"memory.miss_detect", latency(), "Private cache look-up that finds nothing, until the request leaves the core.",
         +[](M& m, const Q& q) { m.machine.memory.miss_detect = q.time(); }},
        {"memory.snoop", latency(), "Private cache look-up for a snoop, until the answer leaves the core.",
         +[](M& m, const Q& q) { m.machine.memory.snoop = q.time(); }},
        {"memory.fill", latency(), "From the arrival of a line at the core until the waiting instruction has it.",
         +[](M& m, const Q& q) { m.machine.memory.fill = q.time(); }},
        {"memory.l3_lookup", latency(), "Tag look-up of an L3 slice, for a request, a snoop or an answer that needs a decision.",
         +[](M& m, const Q& q) { m.machine.memory.l3_lookup = q.time(); }},
        {"memory.l3_data", latency(), "Data array of an L3 slice, when the slice itself supplies the line.",
         +[](M& m, const Q& q) { m.machine.memory.l3_data = q.time(); }},
        {"memory.home_lookup", latency(), "Directory look-up of a home agent.",
         +[](M& m, const Q& q) { m.machine.memory.home_lookup = q.time(); }},
        {"memory.dram", latency(), "DRAM access, from home agent to home agent.",
         +[](M& m, const Q& q) { m.machine.memory.dram = q.time(); }},

        {"fabric.fidelity", choice({"latency", "queued"}), "Whether a link is busy while a message passes (queued) or never (latency).",
         +[](M& m, const Q& q) { m.machine.fabric.fidelity = q.amount == 0 ? FabricFidelity::latency : FabricFidelity::queued; }},
        {"fabric.hop", latency(), "One way between two neighbouring stops of a die's ring.",
         +[](M& m, const Q& q) { m.hop = q.time(); }},
        {"fabric.ring_width", width(), "What one segment of a ring carries, each way.",
         +[](M& m, const Q& q) { m.hop_per_byte = q.time_per_byte(); }},
        {"fabric.core_link", latency(), "One way between a core and the stop of its cluster.",
         +[](M& m, const Q& q) { m.machine.core_link = q.time(); }},
        {"fabric.core_link_width", width(), "What that link carries, each way.",
         +[](M& m, const Q& q) { m.machine.core_link_per_byte = q.time_per_byte(); }},
        {"fabric.link.<link>.latency", latency(), "One way over a link of this kind, head of the message.",
         +[](L& l, const Q& q) { l.latency = q.time(); }},
        {"fabric.link.<link>.device_extra", latency(), "Further time of a device or GIC message on such a link: the bridge that coherent traffic does not pass.",
         +[](L& l, const Q& q) { l.device_extra = q.time(); }},
        {"fabric.link.<link>.width", width(), "What such a link carries, each way.",
         +[](L& l, const Q& q) { l.time_per_byte = q.time_per_byte(); }},

        {"gic.gicd_base", {UnitKind::address, {}, 0, (std::int64_t{1} << 52) - 1, {}}, "Physical address of the Distributor's frame.",
         +[](M& m, const Q& q) { m.machine.gicd_base = static_cast<std::uint64_t>(q.amount); }},
        {"gic.single_security", toggle(), "GICD_CTLR.DS fixed to 1: one Security state.",
         +[](M& m, const Q& q) { m.machine.gic.single_security = q.on(); }},
        {"gic.priority_bits", entries("bits", 4, 8), "Implemented bits of a priority.",
         +[](M& m, const Q& q) { m.machine.gic.priority_bits = q.count(); }},
        {"gic.sgi_routing", choice({"home", "chip-to-chip"}), "How an SGI finds its Redistributor: through the Distributor's node (home), or straight between chips (chip-to-chip).",
         +[](M& m, const Q& q) { m.machine.gic.sgi_routing = q.text; }},
        {"gic.distributor_node", node(), "Fabric node of the Distributor, which SGIs of the policy home pass.",
         +[](M& m, const Q& q) { m.machine.gic.distributor_node = q.text; }},
        {"gic.route", latency(), "Distributor: from an SGI packet in to an SGI packet out.",
         +[](M& m, const Q& q) { m.machine.gic.route = q.time(); }},
        {"gic.redistributor", latency(), "Redistributor: from a packet in to a packet out.",
         +[](M& m, const Q& q) { m.machine.gic.redistributor = q.time(); }},
        {"gic.stream_latency", latency(), "Redistributor to CPU interface or back, one way.",
         +[](M& m, const Q& q) { m.machine.gic.stream_latency = q.time(); }},
        {"gic.stream_beat", latency(), "One 16-bit beat of that link.",
         +[](M& m, const Q& q) { m.machine.gic.stream_beat = q.time(); }},
        {"gic.stream_credits", entries("packets", 1, 64), "Packets in flight on that link, each way.",
         +[](M& m, const Q& q) { m.machine.gic.stream_credits = q.count(); }},
        {"gic.register_access", latency(), "A GICD or GICR register frame: from the access in to the answer out.",
         +[](M& m, const Q& q) { m.machine.gic.register_access = q.time(); }},
        {"gic.register_write_pending", delay(), "GICD_CTLR.RWP and GICR_CTLR.RWP: how long a change takes to be seen everywhere.",
         +[](M& m, const Q& q) { m.machine.gic.register_write_pending = q.time(); }},
        {"gic.sleep", delay(), "GICR_WAKER: from a change of ProcessorSleep to its effect, besides the Quiesce exchange.",
         +[](M& m, const Q& q) { m.machine.gic.sleep = q.time(); }},

        {"software.call_entry", work(), "S1, S3: entry of smp_call_function_single and its checks.",
         +[](S& s, const Q& q) { s.call_entry = q.cycles(); }},
        {"software.send_lookup", work(), "S6a, S6c: IPI descriptor, irq chip and cpu_logical_map.",
         +[](S& s, const Q& q) { s.send_lookup = q.cycles(); }},
        {"software.wait_loop", work(), "One turn of the csd_lock_wait loop beside its load and WFE.",
         +[](S& s, const Q& q) { s.wait_loop = q.cycles(); }},
        {"software.call_return", work(), "S9: return to the caller.",
         +[](S& s, const Q& q) { s.call_return = q.cycles(); }},
        {"software.local_call", work(), "The call to oneself: run in place with interrupts off, no IPI.",
         +[](S& s, const Q& q) { s.local_call = q.cycles(); }},
        {"software.irq_entry", work(), "R1 to R3: vector, register save, leaving idle, irq_enter.",
         +[](S& s, const Q& q) { s.irq_entry = q.cycles(); }},
        {"software.irq_dispatch", work(), "R6, R7: interrupt domain and descriptor look-up, accounting.",
         +[](S& s, const Q& q) { s.irq_dispatch = q.cycles(); }},
        {"software.flush_queue", work(), "R9, R10: list reversal beside its memory operations.",
         +[](S& s, const Q& q) { s.flush_queue = q.cycles(); }},
        {"software.function", work(), "R11: the called function itself.",
         +[](S& s, const Q& q) { s.function = q.cycles(); }},
        {"software.irq_exit", work(), "R14, R15: irq_exit and register restore.",
         +[](S& s, const Q& q) { s.irq_exit = q.cycles(); }},
        {"software.eoi_mode_1", toggle(), "EOImode 1: priority drop and deactivation are separate writes.",
         +[](S& s, const Q& q) { s.eoi_mode_1 = q.on(); }},
        {"software.saved_lines", entries("lines", 0, 64), "Cache lines of the stack written by the register save.",
         +[](S& s, const Q& q) { s.saved_lines = q.count(); }},
    };
}
// clang-format on

}  // namespace

const std::vector<Parameter>& parameters() {
    static const std::vector<Parameter> table = make_table();
    return table;
}

std::string link_path(const Parameter& parameter, std::string_view link) {
    std::string path(parameter.path);
    constexpr std::string_view mark = "<link>";
    return path.replace(path.find(mark), mark.size(), link);
}

}  // namespace gicsim
