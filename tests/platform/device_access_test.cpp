// What a core sees of a register frame through the fabric, on small-4. The ring of its die, by hand:
// ccl0 - l3_0 - hha0 - ccl1 - l3_1 - gic - (ccl0). CPUs 0 and 1 sit at ccl0, one hop from gic; 2 and 3 at ccl1, two.
#include "gicsim/config/load.h"
#include "gicsim/workload/kernel.h"
#include "support/catch.h"

using namespace gicsim;

namespace {

constexpr std::uint64_t gicr_typer = 0x0008;

class Small4 {
public:
    Small4() : machine_(load_machine("small-4")), platform(machine_) {}

    /// Starts a read on a CPU of the reset machine.
    void start_read(unsigned cpu, std::uint64_t address, std::uint8_t size) {
        platform.reset(machine_);
        program_ = [this, address, size](Core& core) { return read(core, address, size); };
        platform.core(cpu_id(cpu)).run(program_);
    }
    void run(Time time) { platform.run(time, {}); }
    [[nodiscard]] bool finished(unsigned cpu) { return platform.core(cpu_id(cpu)).finished(); }
    [[nodiscard]] Time hop() const { return machine_.fabric.links.front().latency; }
    [[nodiscard]] const MachineDescription& machine() const { return machine_; }

private:
    Task<> read(Core& core, std::uint64_t address, std::uint8_t size) {
        value = co_await device_read(core, address, size);
        end = core.local();
    }
    MachineDescription machine_;
    Core::Program program_;

public:
    Platform platform;
    std::uint64_t value = 0;
    Time end;
};

}  // namespace

TEST_CASE("Device access 1. A read takes the sum of its parts: not at t - 1 fs, yes at t") {
    // Core, core link, hops, frame, hops, core link, core.
    Small4 small;
    const MachineDescription& machine = small.machine();
    struct Case {
        unsigned cpu;
        unsigned frame_of;
        std::int64_t hops;
    };
    for (const Case& each : {Case{0, 0, 1}, Case{0, 3, 1}, Case{2, 0, 2}, Case{3, 3, 2}}) {
        const Time expected = 2 * machine.core.device_access + 2 * machine.core_link + 2 * each.hops * small.hop() +
                              machine.gic.register_access;
        small.start_read(each.cpu, machine.cpus[each.frame_of].gicr_base + gicr_typer, 8);
        const Time start = small.platform.timeline().now();
        small.run(expected - Time::fs(1));
        CHECK_FALSE(small.finished(each.cpu));
        small.run(Time::ns(1));
        CHECK(small.finished(each.cpu));
        CHECK(small.end - start == expected);
        CHECK(small.value >> 32 == machine.cpus[each.frame_of].affinity.packed());
    }
}

TEST_CASE("Device access 2. Where nothing is, the read comes back as a failure and the machine goes on") {
    Small4 small;
    const std::uint64_t nothing_there = 0x4000'0000;
    small.start_read(1, nothing_there, 4);
    small.value = 1;
    small.run(Time::us(1));
    CHECK(small.finished(1));
    CHECK(small.value == 0);
    CHECK(small.platform.core(cpu_id(1)).failed_accesses() == 1);
    CHECK(small.platform.core(cpu_id(1)).waits_for().empty());
    // Between two frames, and just behind the last.
    const auto last = small.machine().cpus[3].gicr_base + 0x20000;
    for (const std::uint64_t address : {last, small.machine().gicd_base + 0x10000, small.machine().gicd_base - 4}) {
        small.start_read(0, address, 4);
        small.run(Time::us(1));
        CHECK(small.finished(0));
        CHECK(small.platform.core(cpu_id(0)).failed_accesses() == 1);
    }
    // The last word of a frame is still inside.
    small.start_read(0, last - 4, 4);
    small.run(Time::us(1));
    CHECK(small.finished(0));
    CHECK(small.platform.core(cpu_id(0)).failed_accesses() == 0);
}

TEST_CASE("Device access 3. A register that does not exist in a frame reads zero, and a bad size fails") {
    Small4 small;
    small.start_read(0, small.machine().cpus[0].gicr_base + 0x5000, 4);
    small.value = 1;
    small.run(Time::us(1));
    CHECK(small.value == 0);
    CHECK(small.platform.core(cpu_id(0)).failed_accesses() == 0);
    small.start_read(0, small.machine().gicd_base, 8);
    small.run(Time::us(1));
    CHECK(small.platform.core(cpu_id(0)).failed_accesses() == 1);
}
