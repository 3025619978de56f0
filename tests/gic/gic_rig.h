#ifndef GICSIM_TESTS_GIC_GIC_RIG_H
#define GICSIM_TESTS_GIC_GIC_RIG_H

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gic/pe_pair.h"
#include "gicsim/gic/cpu_interface.h"
#include "gicsim/gic/distributor.h"
#include "gicsim/gic/redistributor.h"

namespace gicsim::test {

/// Two chips of two PEs each, and everything between. SystemC elaborates once a process, so that all tests share one
/// rig and reset it.
///
/// Figures: chips 40 ns apart and 3 ns for the bridge, route 10 ns, redistributor 5 ns, stream 8 ns and 1 ns a beat
/// with two credits, register access 20 ns, RWP 100 ns, sleep 50 ns.
class GicRig : public sc_core::sc_module, public Probe, public WakeRequestSink {
public:
    struct Mark {
        Point point;
        unsigned cpu;
        Time at;
    };
    /// The core's side of one CPU interface: remembers when it was told what.
    struct CoreSide : sc_core::sc_module, InterruptSink {
        sc_core::sc_port<CpuInterfacePort> gic{"gic"};
        CoreSide(const sc_core::sc_module_name& name, Timeline& line) : sc_module(name), timeline(line) {}
        void interrupt_lines_changed() override {
            lines.push_back(timeline.now());
            if (on_lines) on_lines();
        }
        void upstream_drained() override { drained.push_back(timeline.now()); }
        Timeline& timeline;
        std::vector<Time> lines;
        std::vector<Time> drained;
        std::function<void()> on_lines;
    };
    /// A stream link of its own.
    struct LinkEnd : sc_core::sc_module, StreamReceiver {
        LinkEnd(const sc_core::sc_module_name& name, Timeline& line) : sc_module(name), timeline(line) {}
        void receive(const StreamPacket& packet) override { arrived.emplace_back(packet, timeline.now()); }
        Timeline& timeline;
        std::vector<std::pair<StreamPacket, Time>> arrived;
    };

    static GicRig& fresh(const GicParameters& parameters = figures()) {
        // Never destroyed: SystemC's own globals may be gone before.
        static GicRig& rig = *new GicRig("rig");
        rig.reset(parameters);
        return rig;
    }
    static GicParameters figures() {
        GicParameters p;
        p.single_security = true;
        p.route = Time::ns(10);
        p.redistributor = Time::ns(5);
        p.stream_latency = Time::ns(8);
        p.stream_beat = Time::ns(1);
        p.stream_credits = 2;
        p.register_access = Time::ns(20);
        p.register_write_pending = Time::ns(100);
        p.sleep = Time::ns(50);
        return p;
    }

    explicit GicRig(const sc_core::sc_module_name& name) : sc_module(name) {
        const std::vector<Affinity> affinities{{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}, {0, 1, 0, 1}};
        const std::vector<unsigned> chips{0, 0, 1, 1};
        transport.timeline(timeline);
        transport.fabric(fabric);
        for (unsigned chip = 0; chip < 2; ++chip) {
            distributors.push_back(std::make_unique<Distributor>(("gicd" + std::to_string(chip)).c_str(), figures(),
                                                                 chip, affinities, chips));
            Distributor& gicd = *distributors.back();
            gicd.timeline(timeline);
            gicd.transport(transport);
            gicd.probe(*this);
            transport.add_distributor(gicd, node_id(chip));
        }
        for (unsigned n = 0; n < 4; ++n) {
            const std::string number = std::to_string(n);
            rds.push_back(std::make_unique<Redistributor>(("rd" + number).c_str(), figures(), cpu_id(n), affinities[n],
                                                          chips[n], n == 3));
            cpus.push_back(std::make_unique<CpuInterface>(("icc" + number).c_str(), figures(), cpu_id(n)));
            cores.push_back(std::make_unique<CoreSide>(("core" + number).c_str(), timeline));
            rds[n]->timeline(timeline);
            rds[n]->transport(transport);
            rds[n]->probe(*this);
            rds[n]->wake_request(*this);
            transport.add_redistributor(*rds[n], node_id(chips[n]));
            cpus[n]->timeline(timeline);
            cpus[n]->probe(*this);
            cpus[n]->upstream(rds[n]->upstream);
            rds[n]->downstream(cpus[n]->downstream);
            cores[n]->gic(cpus[n]->core);
            cpus[n]->sink(*cores[n]);
        }
        link.timeline(timeline);
        link.receiver(link_end);
        gicd_bus.bind(distributors[0]->registers);
        for (unsigned n = 0; n < 4; ++n) {
            gicr_buses.push_back(std::make_unique<Bus>(("gicr_bus" + std::to_string(n)).c_str()));
            gicr_buses[n]->bind(rds[n]->registers);
        }
    }

    void reset(const GicParameters& parameters) {
        timeline.reset();
        actions_.clear();
        FabricDescription two;
        two.nodes = {"chip0", "chip1"};
        two.links = {{"c2c", node_id(0), node_id(1), Time::ns(40), Time::ns(3), Time{}}};
        fabric.reset(two);
        transport.reset();
        for (auto& gicd : distributors) gicd->reset(parameters);
        for (auto& rd : rds) rd->reset(parameters);
        for (auto& cpu : cpus) cpu->reset(parameters);
        link.reset(parameters);
        link_end.arrived.clear();
        for (auto& core : cores) {
            core->lines.clear();
            core->drained.clear();
            core->on_lines = nullptr;
        }
        marks.clear();
        wakes.clear();
        start = timeline.now();
    }

    /// Does `action` in an event at `at`, counted from the reset.
    void at(Time at, std::function<void()> action) {
        actions_.push_back(std::move(action));
        timeline.post<&GicRig::act>(start + at, this, actions_.size() - 1);
    }
    /// Runs everything up to and with time `t` since the reset. An event of the test's own marks the end, so that
    /// SystemC's rule for activity at the very end of sc_start does not matter.
    void run_to(Time t) {
        timeline.post<&GicRig::mark_end>(start + t, this, ++ends_asked_for_, Rank::late);
        while (end_reached_ != ends_asked_for_)
            sc_core::sc_start(timeline.to_systemc(start + t) - sc_core::sc_time_stamp());
    }

    /// Every PE awake, all interrupts enabled and Group 1, PMR open; done within `set_up_time`.
    void bring_up() {
        at(Time{}, [this] {
            write(gicd_bus, 0, 0b11);
            for (unsigned n = 0; n < 4; ++n) {
                rd_write(n, gicr::waker, 0);
                rd_write(n, gicr::igroupr0, ~0U);
                rd_write(n, gicr::isenabler0, ~0U);
                for (unsigned i = 0; i < 8; ++i) rd_write(n, gicr::ipriorityr + 4 * i, 0xA0A0A0A0);
                cores[n]->gic->write(IccRegister::ICC_PMR_EL1, 0xF0, Security::non_secure);
                cores[n]->gic->write(IccRegister::ICC_IGRPEN1_EL1, 1, Security::non_secure);
            }
        });
        run_to(set_up_time);
        marks.clear();
        wakes.clear();
        for (auto& core : cores) core->drained.clear();
        start += set_up_time;
    }
    static constexpr Time set_up_time = Time::us(1);

    /// At time 0: the PE writes ICC_SGI1R_EL1 for PEs of one chip.
    void send_sgi(unsigned source, unsigned chip, unsigned list, unsigned id) {
        at(Time{}, [=, this] {
            const std::uint64_t value = std::uint64_t{chip} << 32 | id << 24 | list;
            cores[source]->gic->write(IccRegister::ICC_SGI1R_EL1, value, Security::non_secure);
        });
    }
    [[nodiscard]] bool irq(unsigned cpu) const { return cpus[cpu]->irq(); }
    /// When a point was marked for a CPU, since the reset; Time::max() when it was not.
    [[nodiscard]] Time when(Point point, unsigned cpu) const {
        for (const Mark& mark : marks) {
            if (mark.point == point && mark.cpu == cpu) return mark.at - start;
        }
        return Time::max();
    }
    /// The line must be low 1 fs before `t` and high at `t`.
    bool rises_at(unsigned cpu, Time t) {
        run_to(t - Time::fs(1));
        const bool early = irq(cpu);
        run_to(t);
        return !early && irq(cpu);
    }

    using Bus = tlm_utils::simple_initiator_socket<GicRig>;
    struct Answer {
        tlm::tlm_response_status status;
        std::uint64_t value;
        sc_core::sc_time delay;
        bool dmi;
    };
    Answer access(Bus& bus, tlm::tlm_command command, std::uint64_t address, std::uint64_t value, unsigned size = 4,
                  Security security = Security::secure, sc_core::sc_time delay = sc_core::SC_ZERO_TIME,
                  bool debug = false) {
        tlm::tlm_generic_payload payload;
        SecurityExtension extension(security);
        payload.set_extension(&extension);
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(size);
        payload.set_streaming_width(size);
        if (debug) {
            bus->transport_dbg(payload);
        } else {
            bus->b_transport(payload, delay);
        }
        payload.clear_extension(&extension);
        return {payload.get_response_status(), value, delay, payload.is_dmi_allowed()};
    }
    Answer write(Bus& bus, std::uint64_t address, std::uint64_t value) {
        return access(bus, tlm::TLM_WRITE_COMMAND, address, value);
    }
    std::uint64_t read(Bus& bus, std::uint64_t address) { return access(bus, tlm::TLM_READ_COMMAND, address, 0).value; }

    void mark(Point point, CpuId cpu, Time at) override { marks.push_back({point, index(cpu), at}); }
    void wake_request_changed(CpuId cpu, bool requested) override { wakes.emplace_back(index(cpu), requested); }

    Timeline timeline{"timeline"};
    Fabric fabric{"fabric"};
    GicTransport transport{"transport"};
    std::vector<std::unique_ptr<Distributor>> distributors;
    std::vector<std::unique_ptr<Redistributor>> rds;
    std::vector<std::unique_ptr<CpuInterface>> cpus;
    std::vector<std::unique_ptr<CoreSide>> cores;
    StreamLink link{"link"};
    LinkEnd link_end{"link_end", timeline};
    Bus gicd_bus{"gicd_bus"};
    std::vector<std::unique_ptr<Bus>> gicr_buses;  ///< by PE
    std::vector<Mark> marks;
    std::vector<std::pair<unsigned, bool>> wakes;
    Time start;

private:
    void act(std::uint64_t n) { actions_[n](); }
    void mark_end(std::uint64_t n) { end_reached_ = n; }
    void rd_write(unsigned n, std::uint32_t offset, std::uint64_t value) { write(*gicr_buses[n], offset, value); }
    std::vector<std::function<void()>> actions_;
    std::uint64_t ends_asked_for_ = 0;
    std::uint64_t end_reached_ = 0;
};

}  // namespace gicsim::test

#endif
