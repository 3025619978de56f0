#include "component/board.h"

namespace gicsim::test {

GicSettings Board::settings(bool loosely_timed) {
    GicSettings s;
    s.mpidrs = {0x000, 0x100};
    s.chips = {0, 1};
    s.single_security = true;
    s.spis = 32;
    s.loosely_timed = loosely_timed;
    s.stream_beat = ns(1);
    s.chip_link = ns(40);
    return s;
}

Board::Board(const sc_core::sc_module_name& name, bool loosely_timed)
    : sc_module(name), gic("gic", settings(loosely_timed)) {
    gicd.bind(gic.gicd);
    for (unsigned n = 0; n < 2; ++n) {
        gicr[n].bind(gic.gicr[n]);
        gicr[n].register_nb_transport_bw(this, &Board::backward);
        gic.irq[n].bind(irq[n]);
        gic.fiq[n].bind(fiq[n]);
    }
    gic.spi[0].bind(spi32);
    gic.ppi[1][0].bind(ppi16);
    gic.wake_request[1].bind(wake1);
    watch("irq0", irq[0]);
    watch("irq1", irq[1]);
    watch("fiq0", fiq[0]);
    watch("wake1", wake1);
}

void Board::watch(const char* pin, sc_core::sc_signal<bool>& signal) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&signal.value_changed_event());
    sc_core::sc_spawn(
        [this, pin, &signal] {
            changes.push_back({pin, signal.read(), sc_core::sc_time_stamp()});
        },
        sc_core::sc_gen_unique_name("watch"), &options);
}

void Board::at(const sc_core::sc_time& at, std::function<void()> action) {
    sc_core::sc_spawn(
        [at, action = std::move(action)] {
            sc_core::wait(at);
            action();
        },
        sc_core::sc_gen_unique_name("action"));
}

Board::Answer Board::access(Bus& bus, tlm::tlm_command command, std::uint64_t address, std::uint64_t value,
                            const sc_core::sc_time& delay, unsigned size) {
    tlm::tlm_generic_payload payload;
    SecurityExtension security(Security::secure);
    payload.set_extension(&security);
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(size);
    payload.set_streaming_width(size);
    payload.set_dmi_allowed(true);
    sc_core::sc_time annotated = delay;
    bus->b_transport(payload, annotated);
    payload.clear_extension(&security);
    return {payload.get_response_status(), value, annotated, payload.is_dmi_allowed()};
}

void Board::bring_up() {
    at(sc_core::SC_ZERO_TIME, [this] {
        write(gicd, 0x000, 0b11);
        write(gicd, 0x084, ~0U);
        for (unsigned n = 0; n < 32; n += 4) write(gicd, 0x420 + n, 0xA0A0A0A0);
        write(gicd, 0x104, ~0U);
        for (unsigned n = 0; n < 2; ++n) {
            write(gicr[n], 0x14, 0);
            write(gicr[n], 0x10080, ~0U);
            write(gicr[n], 0x10C04, 0b10);
            for (unsigned i = 0; i < 32; i += 4) write(gicr[n], 0x10400 + i, 0xA0A0A0A0);
            write(gicr[n], 0x10100, ~0U);
            gic.icc[n]->write(ICC_PMR_EL1, 0xF0);
            gic.icc[n]->write(ICC_IGRPEN1_EL1, 1);
        }
    });
    sc_core::sc_start(2, sc_core::SC_US);
    changes.clear();
}

tlm::tlm_sync_enum Board::backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    phases.emplace_back(phase, sc_core::sc_time_stamp() + delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    static_cast<void>(payload);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

}  // namespace gicsim::test
