#include "gicsim/gic/stream_link.h"

#include <algorithm>
#include <stdexcept>

namespace gicsim {
namespace {

constexpr std::size_t expected_packets = 16;

}  // namespace

StreamLink::StreamLink(const sc_core::sc_module_name& name) : sc_module(name), in_flight_(expected_packets) {}

void StreamLink::reset(const GicParameters& parameters) {
    if (parameters.stream_credits == 0) throw std::invalid_argument("gic.stream_credits: at least 1 is needed");
    latency_ = parameters.stream_latency;
    beat_ = parameters.stream_beat;
    free_at_ = last_arrival_ = Time{};
    arrivals_.assign(parameters.stream_credits, Time{});
    next_credit_ = 0;
    in_flight_.clear();
    sent_ = 0;
}

void StreamLink::send(const StreamPacket& packet, Time ready) {
    const Time start = std::max({ready, free_at_, arrivals_[next_credit_]});
    free_at_ = start + beat_ * beats(packet.kind);
    Time arrival = free_at_ + latency_;
    if (variation.size() > 0) arrival = std::max(arrival + variation->delay(Varying::stream_packet), last_arrival_);
    last_arrival_ = arrival;
    arrivals_[next_credit_] = arrival;
    if (++next_credit_ == arrivals_.size()) next_credit_ = 0;
    if (in_flight_.full()) in_flight_.set_capacity(2 * in_flight_.capacity());
    in_flight_.push_back(packet);
    ++sent_;
    // Arrivals never decrease, so packets leave the queue in the order of their events.
    timeline->post<&StreamLink::deliver>(arrival, this);
}

void StreamLink::deliver() {
    const StreamPacket packet = in_flight_.front();
    in_flight_.pop_front();
    receiver->receive(packet);
}

}  // namespace gicsim
