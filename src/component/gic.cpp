#include "gicsim/component/gic.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "gicsim/gic/cpu_interface.h"
#include "gicsim/gic/distributor.h"
#include "gicsim/gic/redistributor.h"
#include "icc_port.h"
#include "phases.h"

namespace gicsim {
namespace {

constexpr int gicd_frame = -1;

[[noreturn]] void refuse(const std::string& setting, const std::string& reason) {
    throw std::invalid_argument("Gic: " + setting + ": " + reason);
}

void check(const GicSettings& settings) {
    const std::size_t pes = settings.mpidrs.size();
    if (pes == 0) refuse("mpidrs", "there is no PE");
    if (!settings.chips.empty() && settings.chips.size() != pes) refuse("chips", "one for each PE, or none");
    for (const unsigned chip : settings.chips) {
        if (chip >= most_distributors) refuse("chips", "a chip has a number from 0 to 63");
    }
    if (!settings.regions.empty() &&
        std::accumulate(settings.regions.begin(), settings.regions.end(), std::size_t{0}) != pes) {
        refuse("regions", "their PEs are not as many as there are");
    }
    const unsigned least_bits = settings.single_security ? 4 : 5;
    if (settings.priority_bits < least_bits || settings.priority_bits > 8) {
        refuse("priority_bits", std::to_string(least_bits) + " to 8");
    }
    if (settings.spis > most_spis) refuse("spis", "0 to 988");
    if (settings.extended_spis > most_extended_spis || settings.extended_spis % 32 != 0) {
        refuse("extended_spis", "0 to 1024 in steps of 32");
    }
    if (settings.extended_ppis > most_extended_ppis || settings.extended_ppis % 32 != 0) {
        refuse("extended_ppis", "0, 32 or 64");
    }
    if (settings.stream_credits == 0) refuse("stream_credits", "at least 1");
}

std::string numbered(const char* name, std::size_t n) {
    return name + std::to_string(n);
}

}  // namespace

/// Everything that is not seen from outside: gicsim's own modules, joined as a platform joins them.
struct Gic::Parts : public WakeRequestSink {
    explicit Parts(Gic& owner, const GicSettings& given) : gic(owner), settings(given) {
        const GicParameters parameters = to_parameters();
        chips = settings.chips;
        if (chips.empty()) chips.assign(settings.mpidrs.size(), 0);
        const unsigned chip_count = 1 + *std::max_element(chips.begin(), chips.end());
        FabricDescription places;
        for (unsigned chip = 0; chip < chip_count; ++chip) {
            places.nodes.push_back(numbered("chip", chip));
            for (unsigned other = 0; other < chip; ++other) {
                places.links.push_back({numbered("link", other) + "_" + std::to_string(chip), node_id(other),
                                        node_id(chip), timeline.from_systemc(settings.chip_link), Time{}, Time{}});
            }
        }
        fabric.reset(places);
        transport.timeline(timeline);
        transport.fabric(fabric);

        std::vector<Affinity> affinities;
        for (const std::uint64_t mpidr : settings.mpidrs) affinities.push_back(Affinity::from_mpidr(mpidr));
        for (unsigned chip = 0; chip < chip_count; ++chip) {
            distributors.push_back(std::make_unique<Distributor>(numbered("distributor", chip).c_str(), parameters,
                                                                 chip, affinities, chips));
            distributors[chip]->timeline(timeline);
            distributors[chip]->transport(transport);
            transport.add_distributor(*distributors[chip], node_id(chip));
        }
        for (std::size_t n = 0; n < affinities.size(); ++n) add_pe(n, affinities[n], parameters);
    }

    [[nodiscard]] GicParameters to_parameters() const {
        const auto time = [this](const sc_core::sc_time& t) { return timeline.from_systemc(t); };
        GicParameters p;
        p.single_security = settings.single_security;
        p.priority_bits = settings.priority_bits;
        p.spis = settings.spis;
        p.extended_spis = settings.extended_spis;
        p.extended_ppis = settings.extended_ppis;
        p.non_maskable = settings.non_maskable;
        p.one_of_n = settings.one_of_n;
        p.sgi_routing = settings.sgi_chip_to_chip ? "chip-to-chip" : "home";
        p.route = time(settings.route);
        p.redistributor = time(settings.redistributor);
        p.stream_latency = time(settings.stream_latency);
        p.stream_beat = time(settings.stream_beat);
        p.stream_credits = settings.stream_credits;
        p.register_access = time(settings.register_access);
        p.register_write_pending = time(settings.register_write_pending);
        p.sleep = time(settings.sleep);
        return p;
    }

    void add_pe(std::size_t n, const Affinity& affinity, const GicParameters& parameters) {
        redistributors.push_back(std::make_unique<Redistributor>(numbered("redistributor", n).c_str(), parameters,
                                                                 cpu_id(n), affinity, chips[n], is_last(n)));
        interfaces.push_back(
            std::make_unique<CpuInterface>(numbered("cpu_interface", n).c_str(), parameters, cpu_id(n)));
        ports.push_back(std::make_unique<IccPort>(numbered("icc_port", n).c_str(), timeline, gic.irq[n], gic.fiq[n]));
        Redistributor& redistributor = *redistributors.back();
        CpuInterface& interface = *interfaces.back();
        redistributor.timeline(timeline);
        redistributor.transport(transport);
        redistributor.downstream(interface.downstream);
        redistributor.wake_request(*this);
        interface.timeline(timeline);
        interface.upstream(redistributor.upstream);
        interface.sink(*ports.back());
        ports.back()->interface(interface.core);
        transport.add_redistributor(redistributor, node_id(chips[n]));
        gic.icc[n].bind(*ports.back());
    }

    [[nodiscard]] bool is_last(std::size_t n) const {
        std::size_t end = 0;
        for (const unsigned pes : settings.regions) {
            end += pes;
            if (n + 1 == end) return true;
        }
        return n + 1 == settings.mpidrs.size();
    }

    [[nodiscard]] RegisterSocket& registers(int frame) {
        return frame == gicd_frame ? distributors[0]->registers
                                   : redistributors[static_cast<std::size_t>(frame)]->registers;
    }

    void add_phases(int frame, Gic::Socket& socket) {
        phases.push_back(std::make_unique<Phases>(
            timeline,
            [this, frame](tlm::tlm_generic_payload& payload, sc_core::sc_time& latency) {
                registers(frame).b_transport(payload, latency);
            },
            [&socket](tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
                return socket->nb_transport_bw(payload, phase, delay);
            }));
    }

    void wake_request_changed(CpuId cpu, bool requested) override {
        timeline.post_boundary<&Parts::write_wake_request>(timeline.now(), this,
                                                           std::uint64_t{index(cpu)} << 1 | (requested ? 1U : 0U));
    }
    void write_wake_request(std::uint64_t what) {
        Output& pin = gic.wake_request[static_cast<unsigned>(what >> 1)];
        if (pin.size() > 0) pin->write((what & 1) != 0);
    }

    Gic& gic;
    GicSettings settings;
    std::vector<unsigned> chips;
    Timeline timeline{"timeline"};
    Fabric fabric{"fabric"};
    GicTransport transport{"transport"};
    std::vector<std::unique_ptr<Distributor>> distributors;
    std::vector<std::unique_ptr<Redistributor>> redistributors;
    std::vector<std::unique_ptr<CpuInterface>> interfaces;
    std::vector<std::unique_ptr<IccPort>> ports;
    std::vector<std::unique_ptr<Phases>> phases;  ///< of GICD, then by PE
};

Gic::Gic(const sc_core::sc_module_name& name, const GicSettings& settings)
    : sc_module(name),
      gicd("gicd"),
      gicr("gicr", (check(settings), settings.mpidrs.size())),
      icc("icc", settings.mpidrs.size()),
      spi("spi", settings.spis + settings.extended_spis),
      ppi("ppi", settings.mpidrs.size(),
          [&](const char* each, std::size_t) {
              return new sc_core::sc_vector<Input>(each, 16 + settings.extended_ppis);
          }),
      irq("irq", settings.mpidrs.size()),
      fiq("fiq", settings.mpidrs.size()),
      wake_request("wake_request", settings.mpidrs.size()),
      parts_(std::make_unique<Parts>(*this, settings)) {
    const auto serve = [this](Socket& socket, int frame) {
        socket.register_b_transport(this, &Gic::transport, frame);
        socket.register_nb_transport_fw(this, &Gic::forward, frame);
        socket.register_transport_dbg(this, &Gic::transport_debug, frame);
        parts_->add_phases(frame, socket);
    };
    serve(gicd, gicd_frame);
    for (std::size_t n = 0; n < gicr.size(); ++n) serve(gicr[n], static_cast<int>(n));
}

Gic::~Gic() = default;

/// A process a bound input: what drives it is a foreign module.
void Gic::end_of_elaboration() {
    const auto watch = [](Input& input, auto changed) {
        if (input.size() == 0) return;
        sc_core::sc_spawn_options options;
        options.spawn_method();
        options.set_sensitivity(&input->value_changed_event());
        sc_core::sc_spawn([&input, changed] { changed(input->read()); }, sc_core::sc_gen_unique_name("input"),
                          &options);
    };
    Parts& parts = *parts_;
    for (unsigned n = 0; n < spi.size(); ++n) {
        const unsigned plain = parts.settings.spis;
        const Intid id = intid(n < plain ? first_spi + n : first_extended_spi + n - plain);
        watch(spi[n], [&parts, id](bool level) {
            parts.timeline.catch_up();
            parts.distributors[0]->set_spi_line(id, level);
        });
    }
    for (std::size_t pe = 0; pe < ppi.size(); ++pe) {
        for (unsigned n = 0; n < ppi[pe].size(); ++n) {
            const Intid id = intid(n < 16 ? 16 + n : first_extended_ppi + n - 16);
            watch(ppi[pe][n], [&parts, pe, id](bool level) {
                parts.timeline.catch_up();
                parts.redistributors[pe]->set_ppi_line(id, level);
            });
        }
    }
}

void Gic::transport(int frame, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    Parts& parts = *parts_;
    sc_core::sc_time waited_later = sc_core::SC_ZERO_TIME;
    if (parts.settings.loosely_timed) {
        waited_later = delay;
    } else if (delay != sc_core::SC_ZERO_TIME) {
        wait(delay);
    }
    parts.timeline.catch_up();
    delay = sc_core::SC_ZERO_TIME;
    parts.registers(frame).b_transport(payload, delay);
    delay += waited_later;
}

tlm::tlm_sync_enum Gic::forward(int frame, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                sc_core::sc_time& delay) {
    return parts_->phases[static_cast<std::size_t>(frame - gicd_frame)]->forward(payload, phase, delay);
}

unsigned Gic::transport_debug(int frame, tlm::tlm_generic_payload& payload) {
    return parts_->registers(frame).transport_dbg(payload);
}

std::uint64_t Gic::ignored_accesses() const {
    std::uint64_t ignored = 0;
    for (const auto& each : parts_->distributors) ignored += each->state().unimplemented_accesses();
    for (const auto& each : parts_->redistributors) ignored += each->state().unimplemented_accesses();
    for (const auto& each : parts_->interfaces) ignored += each->state().guest_errors();
    return ignored;
}

}  // namespace gicsim
