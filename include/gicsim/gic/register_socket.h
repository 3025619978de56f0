#ifndef GICSIM_GIC_REGISTER_SOCKET_H
#define GICSIM_GIC_REGISTER_SOCKET_H

#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "gicsim/gic/register_bus.h"
#include "gicsim/timeline/timeline.h"

namespace gicsim {

/// The TLM-2.0 target of one module's register frames: blocking and debug transport, each access as serve() does it.
class RegisterSocket : public tlm_utils::simple_target_socket_optional<RegisterSocket> {
public:
    /// @param frame and @param timeline outlive the socket.
    RegisterSocket(const char* name, RegisterAccessor& frame, const sc_core::sc_port<Timeline>& timeline);
    /// Access in to answer out.
    void set_latency(Time latency) { latency_ = latency; }

    /// What the socket does, for a module that has a socket of its own before it.
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) { return serve_debug(frame_, payload); }

private:
    RegisterAccessor& frame_;
    const sc_core::sc_port<Timeline>& timeline_;
    Time latency_;
};

}  // namespace gicsim

#endif
