#include "gicsim/gic/register_bus.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gicsim {
namespace {

static_assert(std::endian::native == std::endian::little, "TLM data is copied in host order");

Security security_of(const tlm::tlm_generic_payload& payload) {
    const auto* extension = payload.get_extension<SecurityExtension>();
    return extension != nullptr ? extension->security : Security::non_secure;
}

/// An address beyond 32 bits is beyond every frame; it must not wrap into one.
std::uint32_t offset_of(const tlm::tlm_generic_payload& payload) {
    constexpr std::uint64_t beyond = 0xFFFF'FFF8;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(payload.get_address(), beyond));
}

tlm::tlm_response_status response(AccessStatus status) {
    switch (status) {
        case AccessStatus::ok: return tlm::TLM_OK_RESPONSE;
        case AccessStatus::bad_size: return tlm::TLM_BURST_ERROR_RESPONSE;
        case AccessStatus::bad_address: return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace

void serve(RegisterAccessor& frame, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
           const sc_core::sc_time& latency) {
    payload.set_dmi_allowed(false);
    if (delay != sc_core::SC_ZERO_TIME) {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    const unsigned size = payload.get_data_length();
    if (size > 8 || payload.get_streaming_width() < size) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    AccessStatus status = AccessStatus::ok;
    std::uint64_t value = 0;
    const std::uint32_t offset = offset_of(payload);
    switch (payload.get_command()) {
        case tlm::TLM_READ_COMMAND: {
            const AccessResult result = frame.read_register(offset, size, security_of(payload));
            status = result.status;
            if (status == AccessStatus::ok) std::memcpy(payload.get_data_ptr(), &result.value, size);
            break;
        }
        case tlm::TLM_WRITE_COMMAND:
            std::memcpy(&value, payload.get_data_ptr(), size);
            status = frame.write_register(offset, value, size, security_of(payload));
            break;
        case tlm::TLM_IGNORE_COMMAND: break;
    }
    payload.set_response_status(response(status));
    delay += latency;
}

unsigned serve_debug(const RegisterAccessor& frame, tlm::tlm_generic_payload& payload) {
    const unsigned size = payload.get_data_length();
    if (payload.get_command() != tlm::TLM_READ_COMMAND || size > 8) {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return 0;
    }
    const AccessResult result = frame.peek_register(offset_of(payload), size, security_of(payload));
    payload.set_response_status(response(result.status));
    if (result.status != AccessStatus::ok) return 0;
    std::memcpy(payload.get_data_ptr(), &result.value, size);
    return size;
}

}  // namespace gicsim
