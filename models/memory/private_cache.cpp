#include "gicsim/memory/private_cache.h"

namespace gicsim {

void PrivateCache::reset(const MemoryParameters& parameters, EndpointId self, unsigned die) {
    parameters_ = parameters;
    self_ = self;
    die_ = die;
    state_.reset();
}

void PrivateCache::request(LineId line, bool exclusive) {
    if (state_.requested(line)) return;
    state_.note_request(line);
    send_message(*transport.operator->(), self_, map->slice_of(die_, line), timeline->now() + parameters_.miss_detect,
                 exclusive ? CoherenceKind::get_exclusive : CoherenceKind::get_shared, line);
}

void PrivateCache::confirm(LineId line, Time departure) {
    send_message(*transport.operator->(), self_, map->slice_of(die_, line), departure, CoherenceKind::confirm, line);
}

void PrivateCache::receive(EndpointId, const CoherenceMessage& message) {
    switch (message.kind) {
        case CoherenceKind::grant_shared:
        case CoherenceKind::grant_exclusive:
            state_.fill(message.line, message.kind == CoherenceKind::grant_exclusive,
                        message.has_data ? &message.data : nullptr);
            client->line_filled(message.line);
            break;
        case CoherenceKind::confirm_answer: client->line_confirmed(message.line); break;
        default: answer_snoop(message); break;
    }
}

void PrivateCache::drop_late(std::uint64_t line) {
    if (state_.mesi(line_id(line)) != PrivateCacheState::Mesi::shared) return;
    state_.snoop(line_id(line), true, false);
    client->line_snooped(line_id(line), true);
}

void PrivateCache::answer_snoop(const CoherenceMessage& message) {
    if (parameters_.mutant == Mutant::early_invalidation_ack && message.kind == CoherenceKind::snoop_invalidate &&
        !message.fetch && state_.mesi(message.line) == PrivateCacheState::Mesi::shared) {
        send_message(*transport.operator->(), self_, map->slice_of(die_, message.line),
                     timeline->now() + parameters_.snoop, CoherenceKind::snoop_answer, message.line, nullptr, false,
                     true);
        timeline->post<&PrivateCache::drop_late>(timeline->now() + Time::us(1), this, index(message.line));
        return;
    }
    client->before_snoop(message.line);
    const bool invalidate = message.kind == CoherenceKind::snoop_invalidate;
    const LineData* data = state_.snoop(message.line, invalidate, message.fetch);
    send_message(*transport.operator->(), self_, map->slice_of(die_, message.line), timeline->now() + parameters_.snoop,
                 CoherenceKind::snoop_answer, message.line, data, false, true);
    client->line_snooped(message.line, invalidate);
}

}  // namespace gicsim
