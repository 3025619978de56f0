#include "gicsim/device/mmio_bridge.h"

#include <algorithm>

namespace gicsim {

MmioBridge::MmioBridge(const sc_core::sc_module_name& name) : sc_module(name) {
    payload_.set_extension(&security_);
}

// The payload would delete an extension that it still holds.
MmioBridge::~MmioBridge() {
    payload_.clear_extension(&security_);
}

void MmioBridge::reset(EndpointId self, std::vector<Window> windows) {
    self_ = self;
    windows_ = std::move(windows);
    decode_errors_ = 0;
}

void MmioBridge::receive(EndpointId from, const MmioMessage& message) {
    MmioMessage answer = message;
    answer.answer = true;
    Time latency{};
    const auto window =
        std::find_if(windows_.begin(), windows_.end(), [&](const Window& w) { return w.contains(message.address); });
    if (window == windows_.end()) {
        ++decode_errors_;
        answer.failed = true;
        answer.value = 0;
    } else {
        security_.security = message.security;
        payload_.set_command(message.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload_.set_address(message.address - window->base);
        payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&answer.value));
        payload_.set_data_length(message.size);
        payload_.set_streaming_width(message.size);
        payload_.set_byte_enable_ptr(nullptr);
        payload_.set_dmi_allowed(false);
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        if (!message.write) answer.value = 0;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        frames[static_cast<int>(window - windows_.begin())]->b_transport(payload_, delay);
        answer.failed = !payload_.is_response_ok();
        latency = timeline->from_systemc(delay);
    }
    transport->send(self_, from, timeline->now() + latency, MmioMessage::bytes, answer);
}

}  // namespace gicsim
