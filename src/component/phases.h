#ifndef GICSIM_COMPONENT_PHASES_H
#define GICSIM_COMPONENT_PHASES_H

#include <deque>
#include <functional>
#include <tlm>

#include "gicsim/timeline/timeline.h"

namespace gicsim {

/// The target's side of TLM-2.0's base protocol for one socket: BEGIN_REQ and END_RESP come in, END_REQ and BEGIN_RESP
/// go out as boundary events, each at its time. The access acts when the request has arrived. One response at a time is
/// open (TLM-2.0, 15.2.6); later ones wait for its END_RESP.
class Phases {
public:
    using Serve = std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)>;
    using Backward = std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)>;

    /// @param serve acts and sets the delay to the latency; @param backward the socket's nb_transport_bw
    Phases(Timeline& timeline, Serve serve, Backward backward);

    tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);

private:
    void accept();
    void respond();
    void open_response();
    void end_response();

    Timeline& timeline_;
    Serve serve_;
    Backward backward_;
    std::deque<tlm::tlm_generic_payload*> requests_;   ///< not accepted yet
    std::deque<tlm::tlm_generic_payload*> responses_;  ///< served; the first due_ of them are due
    std::size_t due_ = 0;
    bool open_ = false;
};

}  // namespace gicsim

#endif
