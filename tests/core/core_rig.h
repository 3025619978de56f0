#ifndef GICSIM_TESTS_CORE_CORE_RIG_H
#define GICSIM_TESTS_CORE_CORE_RIG_H

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gicsim/core/operations.h"
#include "support/memory_rig.h"

/// A CPU interface that does what the test says and remembers what the core asked of it.
class FakeCpuInterface : public sc_core::sc_module, public gicsim::CpuInterfacePort {
public:
    struct Write {
        gicsim::IccRegister reg;
        std::uint64_t value;
        gicsim::Time at;
    };
    explicit FakeCpuInterface(const sc_core::sc_module_name& name) : sc_module(name) {}
    std::uint64_t read(gicsim::IccRegister, gicsim::Accessor) override { return 5; }
    void write(gicsim::IccRegister reg, std::uint64_t value, gicsim::Accessor) override {
        writes.push_back({reg, value, timeline->now()});
        if (on_write) on_write();
    }
    [[nodiscard]] bool upstream_idle() const override { return idle; }
    [[nodiscard]] bool irq() const override { return line; }
    [[nodiscard]] bool fiq() const override { return false; }
    void set_pe(const gicsim::PeState&) override {}

    gicsim::Timeline* timeline = nullptr;
    std::vector<Write> writes;
    std::function<void()> on_write;
    bool idle = true;
    bool line = false;
};

class NoProbe : public sc_core::sc_module, public gicsim::Probe {
public:
    explicit NoProbe(const sc_core::sc_module_name& name) : sc_module(name) {}
    void mark(gicsim::Point point, gicsim::CpuId cpu, gicsim::Time at) override { marks.push_back({point, cpu, at}); }
    struct Mark {
        gicsim::Point point;
        gicsim::CpuId cpu;
        gicsim::Time at;
    };
    std::vector<Mark> marks;
};

/// Four cores on the MemoryRig with plain figures: a 1 GHz clock, load 4 ns, forwarding 2 ns, one store a 2 ns, atomics
/// 3 ns, DSB 10 ns, ISB 5 ns, MRS 6 ns, MSR 7 ns, WFI wake 20 ns, WFE wake 8 ns, exception entry 9 ns and return 4 ns.
class CoreRig {
public:
    explicit CoreRig(gicsim::CoreParameters parameters = plain())
        : memory(gicsim::FabricFidelity::latency, [this](unsigned i) -> gicsim::CacheClient& {
              lsus.push_back(std::make_unique<gicsim::LoadStoreUnit>(("lsu" + std::to_string(i)).c_str()));
              return *lsus.back();
          }) {
        using namespace gicsim;
        mmio.timeline(memory.timeline);
        mmio.fabric(memory.fabric);
        for (unsigned i = 0; i < 4; ++i) {
            const std::string n = std::to_string(i);
            auto core = std::make_unique<Core>(("core" + n).c_str());
            auto gic = std::make_unique<FakeCpuInterface>(("gic" + n).c_str());
            gic->timeline = &memory.timeline;
            core->timeline(memory.timeline);
            core->cache(*memory.caches[i]);
            core->lsu(*lsus[i]);
            core->gic(*gic);
            core->mmio(mmio);
            core->probe(probe);
            lsus[i]->timeline(memory.timeline);
            lsus[i]->cache(*memory.caches[i]);
            lsus[i]->client(*core);
            const EndpointId self = mmio.attach(node_id(i / 2));
            mmio.sinks(*core);
            lsus[i]->reset(parameters);
            cores.push_back(std::move(core));
            gics.push_back(std::move(gic));
            selfs.push_back(self);
        }
        for (unsigned i = 0; i < 4; ++i) reset_core(i, parameters);
    }

    static gicsim::CoreParameters plain() {
        using gicsim::Time;
        gicsim::CoreParameters p;
        p.clock = gicsim::ClockDomain(1'000'000'000);
        p.load_to_use = Time::ns(4);
        p.store_forward = Time::ns(2);
        p.store_buffer_entries = 8;
        p.load_queue_entries = 8;
        p.store_drain_interval = Time::ns(2);
        p.ownership_requests = 4;
        p.atomic = Time::ns(3);
        p.dsb = Time::ns(10);
        p.isb = Time::ns(5);
        p.system_register_read = Time::ns(6);
        p.system_register_write = Time::ns(7);
        p.wfi_wake = Time::ns(20);
        p.wfe_wake = Time::ns(8);
        p.exception_entry = Time::ns(9);
        p.exception_return = Time::ns(4);
        p.device_access = Time::ns(3);
        p.dsb_confirm_interval = Time::ns(2);
        return p;
    }

    /// Runs one program on each core that has one, until nothing is left to do.
    void run(const std::vector<std::pair<unsigned, gicsim::Core::Program>>& list) {
        // A program may still be waiting for something when run() returns: it is kept.
        for (const auto& [core, program] : list) {
            programs.push_back(program);
            cores[core]->run(programs.back());
        }
        memory.run_for(gicsim::Time::us(100));
    }
    void run_for(gicsim::Time time) { memory.run_for(time); }
    [[nodiscard]] gicsim::Time now() const { return memory.timeline.now(); }

    void set_line(unsigned core, bool level) {
        gics[core]->line = level;
        cores[core]->interrupt_lines_changed();
    }

    std::vector<std::unique_ptr<gicsim::LoadStoreUnit>> lsus;
    MemoryRig memory;
    gicsim::MmioTransport mmio{"mmio", gicsim::Traffic::device};
    NoProbe probe{"probe"};
    std::vector<std::unique_ptr<gicsim::Core>> cores;
    std::vector<std::unique_ptr<FakeCpuInterface>> gics;
    std::vector<gicsim::EndpointId> selfs;
    std::deque<gicsim::Core::Program> programs;

private:
    // Ports are bound when the elaboration ends, which the first sc_start does; until then a reset may not use them.
    void reset_core(unsigned i, const gicsim::CoreParameters& parameters) {
        if (i == 0) sc_core::sc_start(sc_core::SC_ZERO_TIME);
        cores[i]->reset(parameters, gicsim::cpu_id(i), selfs[i]);
    }
};

#endif
