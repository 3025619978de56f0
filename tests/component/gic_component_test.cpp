#include <stdexcept>

#include "component/board.h"
#include "support/catch.h"

using namespace gicsim;
using namespace gicsim::test;
using sc_core::SC_NS;
using sc_core::sc_time_stamp;

namespace {

sc_core::sc_time ns(double n) {
    return {n, SC_NS};
}

/// The time an SPI needs from its wire to the pin of a PE of chip 0: Distributor, Redistributor, and a Set of three
/// beats on the stream link.
sc_core::sc_time spi_to_pin() {
    return ns(10 + 5 + 3 + 5);
}

}  // namespace

TEST_CASE("Component 1. A pin changes at its exact time, not 1 fs before") {
    Board board("board");
    board.bring_up();
    const sc_core::sc_time start = sc_time_stamp();
    board.at(ns(100), [&] { board.spi32.write(true); });
    sc_core::sc_start(ns(1000));
    REQUIRE(board.changes.size() == 1);
    CHECK(board.changes[0] == Board::Change{"irq0", true, start + ns(100) + spi_to_pin()});
}

TEST_CASE("Component 2. sc_start(t) stops where it should, with what is due later still to come") {
    Board board("board");
    board.bring_up();
    const sc_core::sc_time start = sc_time_stamp();
    board.spi32.write(true);
    sc_core::sc_start(spi_to_pin() - sc_core::sc_get_time_resolution());
    CHECK(sc_time_stamp() == start + spi_to_pin() - sc_core::sc_get_time_resolution());
    CHECK(board.changes.empty());
    CHECK_FALSE(board.irq[0].read());
    sc_core::sc_start(sc_core::sc_get_time_resolution());
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    CHECK(board.irq[0].read());
}

TEST_CASE("Component 3. sc_stop from a foreign process ends it all: nothing of the GIC happens after") {
    Board board("board");
    board.bring_up();
    const sc_core::sc_time start = sc_time_stamp();
    board.spi32.write(true);
    board.at(spi_to_pin() - ns(1), [] { sc_core::sc_stop(); });
    sc_core::sc_start(ns(1000));
    CHECK(sc_time_stamp() == start + spi_to_pin() - ns(1));
    CHECK(board.changes.empty());
}

TEST_CASE("Component 4. Blocking transport waits out the delay it comes with, acts then, and returns its own latency") {
    Board board("board");
    board.bring_up();
    const sc_core::sc_time start = sc_time_stamp();
    bool done = false;
    // The SPI rises 30 ns after the call and 10 ns before the access takes place.
    board.at(ns(30), [&] { board.spi32.write(true); });
    board.at(sc_core::SC_ZERO_TIME, [&] {
        const auto answer = board.read(board.gicd, 0x204, ns(40));
        CHECK(sc_time_stamp() == start + ns(40));
        CHECK(answer.value == 1);
        CHECK(answer.delay == ns(50));
        CHECK(answer.status == tlm::TLM_OK_RESPONSE);
        CHECK_FALSE(answer.dmi);
        done = true;
    });
    sc_core::sc_start(ns(1000));
    CHECK(done);
}

TEST_CASE("Component 5. Loosely timed, blocking transport acts at once and adds to the delay") {
    Board board("board", true);
    board.bring_up();
    const sc_core::sc_time start = sc_time_stamp();
    bool done = false;
    board.at(ns(30), [&] { board.spi32.write(true); });
    board.at(sc_core::SC_ZERO_TIME, [&] {
        const auto answer = board.read(board.gicd, 0x204, ns(40));
        CHECK(sc_time_stamp() == start);
        CHECK(answer.value == 0);
        CHECK(answer.delay == ns(90));
        done = true;
    });
    sc_core::sc_start(ns(1000));
    CHECK(done);
}

TEST_CASE("Component 6. Non-blocking transport goes through its four phases, the response when the latency is over") {
    Board board("board");
    board.bring_up();
    const sc_core::sc_time start = sc_time_stamp();
    tlm::tlm_generic_payload payload;
    std::uint64_t value = 0;
    payload.set_read();
    payload.set_address(0x10100);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    board.at(ns(10), [&] {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = ns(7);
        const tlm::tlm_sync_enum answer = board.gicr[0]->nb_transport_fw(payload, phase, delay);
        CHECK(answer != tlm::TLM_COMPLETED);
        if (answer == tlm::TLM_UPDATED) board.phases.emplace_back(phase, sc_time_stamp() + delay);
    });
    sc_core::sc_start(ns(1000));
    REQUIRE(board.phases.size() == 2);
    CHECK(board.phases[0].first == tlm::END_REQ);
    CHECK(board.phases[0].second == start + ns(10 + 7));
    CHECK(board.phases[1].first == tlm::BEGIN_RESP);
    CHECK(board.phases[1].second == start + ns(10 + 7 + 50));
    CHECK(payload.get_response_status() == tlm::TLM_OK_RESPONSE);
    CHECK(value == 0xFFFFFFFF);
}

TEST_CASE("Component 7. An SGI from one chip to the other: system register, pins, and when a DSB may end") {
    Board board("board");
    board.bring_up();
    const sc_core::sc_time start = sc_time_stamp();
    sc_core::sc_time settled;
    board.at(sc_core::SC_ZERO_TIME, [&] {
        board.gic.icc[0]->write(ICC_SGI1R_EL1, 1U << 16 | 3U << 24 | 1U);  // Aff1 = 1, INTID 3, Aff0 = 0
        CHECK_FALSE(board.gic.icc[0]->settled());
        sc_core::wait(board.gic.icc[0]->settled_event());
        settled = sc_time_stamp();
    });
    sc_core::sc_start(ns(1000));
    // Generate SGI of four beats up, its acknowledgement of one beat down.
    CHECK(settled == start + ns(5 + 4) + ns(5) + ns(5 + 1));
    // Up; Redistributor, chip link, Distributor of the other chip, Redistributor, and a Set of three beats.
    REQUIRE(board.changes.size() == 1);
    CHECK(board.changes[0].pin == "irq1");
    CHECK(board.changes[0].level);
    CHECK(board.changes[0].at > start + ns(5 + 4 + 5 + 40 + 10 + 5 + 5 + 3) - ns(1));
    CHECK(board.gic.icc[1]->read(ICC_IAR1_EL1) == 3);
    sc_core::sc_start(ns(1));
    CHECK_FALSE(board.irq[1].read());
    board.gic.icc[1]->write(ICC_EOIR1_EL1, 3);
    CHECK(board.gic.icc[1]->read(ICC_IAR1_EL1) == 1023);
    CHECK(board.gic.ignored_accesses() == 0);
    board.gic.icc[1]->write(ICC_EOIR1_EL1, 3);
    CHECK(board.gic.ignored_accesses() == 1);
}

TEST_CASE("Component 8. A PPI pulse shorter than its way is latched, and a sleeping PE asks to be woken") {
    Board board("board");
    board.bring_up();
    board.at(sc_core::SC_ZERO_TIME, [&] {
        board.gic.icc[1]->write(ICC_IGRPEN1_EL1, 0);
        board.write(board.gicr[1], 0x14, 2);
        sc_core::wait(ns(2000));
        CHECK(board.read(board.gicr[1], 0x14).value == 0b110);
        board.ppi16.write(true);
        sc_core::wait(ns(1));
        board.ppi16.write(false);
    });
    sc_core::sc_start(ns(4000));
    CHECK(board.wake1.read());
    board.at(sc_core::SC_ZERO_TIME, [&] {
        board.write(board.gicr[1], 0x14, 0);
        board.gic.icc[1]->write(ICC_IGRPEN1_EL1, 1);
    });
    sc_core::sc_start(ns(2000));
    CHECK_FALSE(board.wake1.read());
    CHECK(board.irq[1].read());
    CHECK(board.gic.icc[1]->read(ICC_IAR1_EL1) == 16);
}

TEST_CASE("Component 9. Debug transport looks and changes nothing, bad accesses get their response and abort nothing") {
    Board board("board");
    board.bring_up();
    board.spi32.write(true);
    sc_core::sc_start(ns(1000));
    std::uint64_t value = 0;
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(0x204);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(4);
    CHECK(board.gicd->transport_dbg(payload) == 4);
    CHECK(value == 1);
    CHECK(board.irq[0].read());
    bool done = false;
    board.at(sc_core::SC_ZERO_TIME, [&] {
        CHECK(board.write(board.gicd, 0x204, 0, 2).status == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(board.write(board.gicd, 0x10000, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(board.write(board.gicd, 0x4000, 0).status == tlm::TLM_OK_RESPONSE);
        done = true;
    });
    sc_core::sc_start(ns(1000));
    CHECK(done);
    CHECK(board.gic.ignored_accesses() == 1);
}

TEST_CASE("Component 10. EL3's registers are there for a PE at EL3 only, and unknown encodings read zero") {
    Board board("board");
    board.bring_up();
    IccAccess& icc = *board.gic.icc[0].operator->();
    CHECK(icc.read(ICC_CTLR_EL3) == 0);
    PeState pe;
    pe.security = Security::secure;
    pe.el3 = true;
    icc.set_pe(pe);
    CHECK((icc.read(ICC_CTLR_EL3) >> 15 & 1) == 1);  // A3V
    CHECK_FALSE(icc.knows(system_register(3, 0, 1, 0, 0)));
    CHECK(icc.read(system_register(3, 0, 1, 0, 0)) == 0);
}

TEST_CASE("Component 11. Settings that make no GIC are refused with the reason") {
    const auto reason = [](auto change) {
        GicSettings settings = Board::settings(false);
        change(settings);
        try {
            const Gic gic("gic", settings);
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(reason([](GicSettings& s) { s.mpidrs.clear(); }) == "Gic: mpidrs: there is no PE");
    CHECK(reason([](GicSettings& s) { s.priority_bits = 3; }) == "Gic: priority_bits: 4 to 8");
    CHECK(reason([](GicSettings& s) { s.spis = 989; }) == "Gic: spis: 0 to 988");
    CHECK(reason([](GicSettings& s) { s.extended_ppis = 40; }) == "Gic: extended_ppis: 0, 32 or 64");
    CHECK(reason([](GicSettings& s) { s.regions = {1}; }) == "Gic: regions: their PEs are not as many as there are");
    CHECK(reason([](GicSettings& s) { s.chips = {0}; }) == "Gic: chips: one for each PE, or none");
}
