#ifndef GICSIM_TESTS_COMPONENT_BOARD_H
#define GICSIM_TESTS_COMPONENT_BOARD_H

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gicsim/component/gic.h"

namespace gicsim::test {

constexpr std::uint16_t ICC_PMR_EL1 = system_register(3, 0, 4, 6, 0);
constexpr std::uint16_t ICC_IAR1_EL1 = system_register(3, 0, 12, 12, 0);
constexpr std::uint16_t ICC_EOIR1_EL1 = system_register(3, 0, 12, 12, 1);
constexpr std::uint16_t ICC_SGI1R_EL1 = system_register(3, 0, 12, 11, 5);
constexpr std::uint16_t ICC_IGRPEN1_EL1 = system_register(3, 0, 12, 12, 7);
constexpr std::uint16_t ICC_CTLR_EL3 = system_register(3, 6, 12, 12, 4);

/// A foreign model around a Gic: two PEs on two chips, a bus master of its own, signals, and a process that does what a
/// test says at a time. None of it knows the Timeline. Figures: register access 50 ns, route 10, redistributor 5,
/// stream 5 and 1 a beat, chips 40 ns apart.
class Board : public sc_core::sc_module {
public:
    struct Change {
        std::string pin;
        bool level;
        sc_core::sc_time at;
        bool operator==(const Change&) const = default;
    };
    using Bus = tlm_utils::simple_initiator_socket<Board>;
    struct Answer {
        tlm::tlm_response_status status;
        std::uint64_t value;
        sc_core::sc_time delay;
        bool dmi;
    };

    static GicSettings settings(bool loosely_timed);
    static sc_core::sc_time ns(double n) { return {n, sc_core::SC_NS}; }

    SC_HAS_PROCESS(Board);
    explicit Board(const sc_core::sc_module_name& name, bool loosely_timed = false);

    /// Runs `action` in a process of the board's own at time `at` since now; it may wait().
    void at(const sc_core::sc_time& at, std::function<void()> action);

    Answer access(Bus& bus, tlm::tlm_command command, std::uint64_t address, std::uint64_t value,
                  const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME, unsigned size = 4);
    Answer write(Bus& bus, std::uint64_t address, std::uint64_t value, unsigned size = 4) {
        return access(bus, tlm::TLM_WRITE_COMMAND, address, value, sc_core::SC_ZERO_TIME, size);
    }
    Answer read(Bus& bus, std::uint64_t address, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME) {
        return access(bus, tlm::TLM_READ_COMMAND, address, 0, delay);
    }
    /// Everything enabled: both PEs awake, interrupts Group 1 with priority 0xA0, SPI 32 for PE 0, edge-triggered
    /// PPI 16. Takes 2 us of simulated time.
    void bring_up();

    Gic gic;
    Bus gicd{"gicd_bus"};
    sc_core::sc_vector<Bus> gicr{"gicr_bus", 2};
    sc_core::sc_signal<bool> spi32{"spi32"};
    sc_core::sc_signal<bool> ppi16{"ppi16"};
    sc_core::sc_vector<sc_core::sc_signal<bool>> irq{"irq_signal", 2};
    sc_core::sc_vector<sc_core::sc_signal<bool>> fiq{"fiq_signal", 2};
    sc_core::sc_signal<bool> wake1{"wake1"};
    std::vector<Change> changes;

    /// What a non-blocking initiator saw of one transaction.
    std::vector<std::pair<tlm::tlm_phase, sc_core::sc_time>> phases;

private:
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void watch(const char* pin, sc_core::sc_signal<bool>& signal);
};

}  // namespace gicsim::test

#endif
