// One uncontended IPI on small-4, segment by segment, calculated from the figures of the machine and of the software.
// The ring of the die, by hand: ccl0 - l3_0 - hha0 - ccl1 - l3_1 - gic - (ccl0). The sender is CPU 0 at ccl0.
#include <map>

#include "gicsim/config/load.h"
#include "gicsim/gic/gic_packets.h"
#include "gicsim/workload/workload.h"
#include "support/catch.h"

using namespace gicsim;

namespace {

/// The segments of the second call to a target: what two rounds take more than one. The lines of that call are then
/// where the calls before have left them, and the target has long gone back to its WFI.
using Segments = std::map<std::string, Time>;

Segments segments_of(const RunResult& run, const std::string& name) {
    Segments segments;
    for (const ClassSegments& part : run.classes) {
        if (part.name != name) continue;
        CHECK(part.adds_up());
        for (const SegmentSum& segment : part.segments) segments[segment.name] = segment.sum;
        segments["total"] = part.total;
    }
    return segments;
}

class Calculation {
public:
    Calculation(const CaseDescription& description, std::int64_t hops_to_l3_0, std::int64_t hops_to_l3_1)
        : machine_(description.machine), software_(description.software), target_hops_{hops_to_l3_0, hops_to_l3_1} {}

    [[nodiscard]] Time cycles(Cycles count) const { return machine_.core.clock.to_time(count); }
    [[nodiscard]] Time one_cycle() const { return cycles(Cycles(1)); }
    /// Redistributor to CPU interface or back.
    [[nodiscard]] Time packet(PacketKind kind) const {
        return beats(kind) * machine_.gic.stream_beat + machine_.gic.stream_latency;
    }
    /// A line that the sender owns, from its cache to the target's by way of L3 slice `slice`: request, snoop, answer,
    /// grant. The slice looks up twice; it does not supply the line, so its data array takes no part.
    [[nodiscard]] Time fetch(unsigned slice) const {
        const MemoryParameters& memory = machine_.memory;
        const std::int64_t hops = 2 * target_hops_[slice] + 2 * sender_hops[slice];
        return memory.miss_detect + 4 * machine_.core_link + hops * machine_.fabric.links.front().latency +
               2 * memory.l3_lookup + memory.snoop + memory.fill;
    }

    [[nodiscard]] Segments exact() const {
        const CoreParameters& core = machine_.core;
        const GicParameters& gic = machine_.gic;
        Segments s;
        // S6: the look-ups, then the barrier: the release of the enqueue has emptied the store buffer before.
        s["barrier"] = cycles(software_.send_lookup) + core.dsb;
        s["sgi write"] = core.system_register_write;
        // The Distributor stands at the same node as the Redistributors: no hops.
        s["to distributor"] = packet(PacketKind::generate_sgi) + gic.redistributor;
        s["to target"] = gic.route;
        s["to cpu interface"] = gic.redistributor + packet(PacketKind::set);
        s["wake-up"] = core.wfi_wake;
        s["entry and ack"] = core.exception_entry + software_.saved_lines * one_cycle() + cycles(software_.irq_entry) +
                             core.system_register_read;
        s["function"] = cycles(software_.function) + one_cycle();
        s["return"] = cycles(software_.call_return);
        return s;
    }
    /// R4 to R8: the DSB after the acknowledge waits for the Redistributor's answer; EOI, ISB, dispatch, the exchange.
    [[nodiscard]] Time dequeue(unsigned slice) const {
        const CoreParameters& core = machine_.core;
        return packet(PacketKind::activate) + machine_.gic.redistributor + packet(PacketKind::activate_ack) + core.dsb +
               core.system_register_write + core.isb + cycles(software_.irq_dispatch) + fetch(slice) + core.atomic;
    }
    /// R9, R10: csd.next is fetched, stored, and read back from the store buffer; the function pointer is in the line.
    [[nodiscard]] Time read_call_data(unsigned slice) const {
        const CoreParameters& core = machine_.core;
        return fetch(slice) + one_cycle() + core.store_forward + cycles(software_.flush_queue) + core.load_to_use;
    }

private:
    static constexpr std::int64_t sender_hops[2] = {1, 2};  ///< ccl0 to l3_0, ccl0 to l3_1
    const MachineDescription& machine_;
    const SoftwareDescription& software_;
    std::int64_t target_hops_[2];
};

}  // namespace

TEST_CASE("Closed form 1. An uncontended IPI takes, segment by segment, what a calculation says") {
    CaseDescription description =
        load_experiment("small-ipi", {{"barrier", "dsb st", "test"}, {"page_draw", "false", "test"}}).cases.front();
    description.machine = load_machine("small-4");
    description.options.targets = {cpu_id(1), cpu_id(2)};
    description.options.send.isb_before = false;
    Platform platform(description.machine);
    std::vector<RunResult> runs;
    for (const std::uint64_t rounds : {3, 4}) {
        description.options.rounds = rounds;
        runs.push_back(run_case(platform, description, 1));
    }
    struct Target {
        const char* name;
        Calculation calculation;
    };
    // CPU 2 sits at ccl1: two hops from l3_0, one from l3_1.
    for (const auto& [name, calculation] :
         {Target{"same cluster", Calculation(description, 1, 2)}, Target{"same die", Calculation(description, 2, 1)}}) {
        INFO(name);
        Segments segments = segments_of(runs[1], name);
        REQUIRE(segments.size() == point_count);
        for (const auto& [segment, sum] : segments_of(runs[0], name)) segments[segment] -= sum;
        for (const auto& [segment, expected] : calculation.exact()) {
            INFO(segment);
            CHECK(segments[segment].in_fs() == expected.in_fs());
        }
        // Which slice a line falls to is up to its page; the rest is not.
        const Time dequeue = segments["dispatch, dequeue"];
        CHECK((dequeue == calculation.dequeue(0) || dequeue == calculation.dequeue(1)));
        const Time read = segments["read call data"];
        CHECK((read == calculation.read_call_data(0) || read == calculation.read_call_data(1)));
        // The sender's own accesses and its wait overlap with what the target does: bounds.
        CHECK(segments["enqueue"] > calculation.cycles(description.software.call_entry));
        CHECK(segments["enqueue"] < calculation.cycles(description.software.call_entry) + Time::ns(250));
        CHECK(segments["completion seen"] > 4 * description.machine.core_link);
        CHECK(segments["completion seen"] < Time::ns(250));

        Time sum;
        for (const auto& [segment, time] : segments) {
            if (segment != "total") sum += time;
        }
        CHECK(sum.in_fs() == segments["total"].in_fs());
    }
}

TEST_CASE("Closed form 2. The first call differs only where lines have to come from memory first") {
    CaseDescription description = load_experiment("small-ipi", {{"barrier", "dsb st", "test"}}).cases.front();
    description.machine = load_machine("small-4");
    description.options.targets = {cpu_id(1)};
    description.options.rounds = 1;
    description.options.send.isb_before = false;
    Platform platform(description.machine);
    const RunResult run = run_case(platform, description, 1);
    const Segments segments = segments_of(run, "same cluster");
    REQUIRE(segments.size() == point_count);
    for (const auto& [segment, expected] : Calculation(description, 1, 2).exact()) {
        INFO(segment);
        CHECK(segments.at(segment).in_fs() == expected.in_fs());
    }
    CHECK(segments.at("enqueue") > description.machine.memory.dram);
    // The loop around the call: nothing but the last ISB comes after it.
    CHECK(run.total.in_fs() == (segments.at("total") + description.machine.core.isb).in_fs());
}
