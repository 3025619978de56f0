#include "gicsim/gic/register_socket.h"

namespace gicsim {

RegisterSocket::RegisterSocket(const char* name, RegisterAccessor& frame, const sc_core::sc_port<Timeline>& timeline)
    : simple_target_socket_optional(name), frame_(frame), timeline_(timeline) {
    register_b_transport(this, &RegisterSocket::b_transport);
    register_transport_dbg(this, &RegisterSocket::transport_dbg);
}

void RegisterSocket::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    serve(frame_, payload, delay, timeline_->to_systemc(latency_));
}

}  // namespace gicsim
