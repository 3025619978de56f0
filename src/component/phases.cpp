#include "phases.h"

#include <utility>

namespace gicsim {

Phases::Phases(Timeline& timeline, Serve serve, Backward backward)
    : timeline_(timeline), serve_(std::move(serve)), backward_(std::move(backward)) {}

tlm::tlm_sync_enum Phases::forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    timeline_.catch_up();
    const Time at = timeline_.now() + timeline_.from_systemc(delay);
    if (phase == tlm::BEGIN_REQ) {
        if (payload.has_mm()) payload.acquire();
        requests_.push_back(&payload);
        timeline_.post_boundary<&Phases::accept>(at, this);
        return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_RESP && open_) {
        timeline_.post_boundary<&Phases::end_response>(at, this);
        return tlm::TLM_COMPLETED;
    }
    SC_REPORT_ERROR("/gicsim/component", "a phase that is none of the initiator's, or out of turn");
    return tlm::TLM_ACCEPTED;
}

void Phases::accept() {
    tlm::tlm_generic_payload& payload = *requests_.front();
    requests_.pop_front();
    sc_core::sc_time latency = sc_core::SC_ZERO_TIME;
    serve_(payload, latency);
    responses_.push_back(&payload);
    timeline_.post_boundary<&Phases::respond>(timeline_.now() + timeline_.from_systemc(latency), this);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    backward_(payload, phase, none);
}

void Phases::respond() {
    ++due_;
    if (!open_) open_response();
}

void Phases::open_response() {
    open_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer = backward_(*responses_.front(), phase, delay);
    const bool ended = answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (ended) timeline_.post_boundary<&Phases::end_response>(timeline_.now() + timeline_.from_systemc(delay), this);
}

void Phases::end_response() {
    tlm::tlm_generic_payload* payload = responses_.front();
    responses_.pop_front();
    if (payload->has_mm()) payload->release();
    --due_;
    open_ = false;
    if (due_ > 0) open_response();
}

}  // namespace gicsim
