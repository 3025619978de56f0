#include "gic/gic_rig.h"
#include "support/catch.h"

using namespace gicsim;
using namespace gicsim::test;

namespace {

constexpr auto read_command = tlm::TLM_READ_COMMAND;
constexpr auto write_command = tlm::TLM_WRITE_COMMAND;
constexpr auto secure = Security::secure;
constexpr auto non_secure = Security::non_secure;

GicParameters two_security_states() {
    GicParameters parameters = GicRig::figures();
    parameters.single_security = false;
    return parameters;
}

}  // namespace

TEST_CASE("Register bus 1. An access acts at once and returns the frame's latency") {
    GicRig& rig = GicRig::fresh();
    GicRig::Answer answer = rig.access(rig.gicd_bus, read_command, 0xFFE8, 0);
    CHECK(answer.status == tlm::TLM_OK_RESPONSE);
    CHECK(answer.value == 0x30);
    CHECK(answer.delay == sc_core::sc_time(20, sc_core::SC_NS));
    CHECK_FALSE(answer.dmi);
    answer = rig.access(*rig.gicr_buses[1], write_command, gicr::ipriorityr + 3, 0x50, 1);
    CHECK(answer.status == tlm::TLM_OK_RESPONSE);
    CHECK(answer.delay == sc_core::sc_time(20, sc_core::SC_NS));
    CHECK(rig.read(*rig.gicr_buses[1], gicr::ipriorityr) == 0x5000'0000);
    CHECK(rig.access(*rig.gicr_buses[1], read_command, gicr::typer, 0, 8).value == 0x0000'0001'0000'0100);
}

TEST_CASE("Register bus 2. Bad sizes are burst errors, bad places address errors, and neither takes effect") {
    GicRig& rig = GicRig::fresh();
    CHECK(rig.access(rig.gicd_bus, write_command, 0, 3, 8).status == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(rig.access(rig.gicd_bus, write_command, 0, 3, 3).status == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(rig.access(rig.gicd_bus, write_command, 0, 3, 0).status == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(rig.access(rig.gicd_bus, write_command, 2, 3, 4).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(rig.access(rig.gicd_bus, write_command, 0x10000, 3, 4).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(rig.access(rig.gicd_bus, write_command, 0x1'0000'0000, 3, 4).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(rig.access(*rig.gicr_buses[1], write_command, 0x20000, 3, 4).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(rig.read(rig.gicd_bus, 0) == 0x50);
}

TEST_CASE("Register bus 3. The security of an access comes from its extension, and without one it is Non-secure") {
    GicRig& rig = GicRig::fresh(two_security_states());
    CHECK(rig.access(rig.gicd_bus, read_command, 0, 0, 4, secure).value == 0x30);
    CHECK(rig.access(rig.gicd_bus, read_command, 0, 0, 4, non_secure).value == 0x10);
    tlm::tlm_generic_payload payload;
    std::uint32_t data = 0;
    payload.set_command(read_command);
    payload.set_address(0);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    rig.gicd_bus->b_transport(payload, delay);
    CHECK(data == 0x10);
}

TEST_CASE("Register bus 4. A debug read changes nothing, not even a counter, and a debug write is refused") {
    GicRig& rig = GicRig::fresh();
    const auto none = sc_core::SC_ZERO_TIME;
    CHECK(rig.access(*rig.gicr_buses[1], read_command, gicr::waker, 0, 4, secure, none, true).value == 0b110);
    CHECK(rig.access(*rig.gicr_buses[1], read_command, 0x30, 1, 4, secure, none, true).value == 0);
    CHECK(rig.rds[1]->state().unimplemented_accesses() == 0);
    rig.access(*rig.gicr_buses[1], write_command, gicr::isenabler0, ~0U, 4, secure, none, true);
    CHECK(rig.read(*rig.gicr_buses[1], gicr::isenabler0) == 0);
    CHECK(rig.read(*rig.gicr_buses[1], 0x30) == 0);
    CHECK(rig.rds[1]->state().unimplemented_accesses() == 1);
}

TEST_CASE("Register bus 5. Byte enables, short streaming widths and incoming delays are answered, not obeyed") {
    GicRig& rig = GicRig::fresh();
    CHECK(rig.access(rig.gicd_bus, write_command, 0, 3, 4, secure, sc_core::sc_time(1, sc_core::SC_FS)).status ==
          tlm::TLM_GENERIC_ERROR_RESPONSE);
    tlm::tlm_generic_payload payload;
    std::uint32_t data = 3;
    unsigned char enables[4] = {0xFF, 0, 0, 0};
    payload.set_command(write_command);
    payload.set_address(0);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    payload.set_data_length(4);
    payload.set_streaming_width(2);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    rig.gicd_bus->b_transport(payload, delay);
    CHECK(payload.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
    payload.set_streaming_width(4);
    payload.set_byte_enable_ptr(enables);
    payload.set_byte_enable_length(4);
    rig.gicd_bus->b_transport(payload, delay);
    CHECK(payload.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    CHECK(rig.read(rig.gicd_bus, 0) == 0x50);
}
