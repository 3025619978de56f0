#include "gicsim/memory/directory.h"

namespace gicsim {

void Directory::reset_common(const MemoryParameters& parameters, EndpointId self) {
    parameters_ = parameters;
    self_ = self;
    lookup_ = level_ == DirectoryState::Level::inner ? parameters_.l3_lookup : parameters_.home_lookup;
    lines_.clear();
    lines_.set_initial({DirectoryState(level_), Time{}});
}

void Directory::reset_slice(const MemoryParameters& parameters, EndpointId self, EndpointId first_child) {
    reset_common(parameters, self);
    first_child_ = first_child;
}

void Directory::reset_home(const MemoryParameters& parameters, EndpointId self,
                           const std::vector<unsigned>* die_of_endpoint) {
    reset_common(parameters, self);
    die_of_endpoint_ = die_of_endpoint;
}

unsigned Directory::child_of(EndpointId from) const {
    return level_ == DirectoryState::Level::inner ? index(from) - index(first_child_)
                                                  : (*die_of_endpoint_)[index(from)];
}

EndpointId Directory::endpoint_of(unsigned child, LineId line) const {
    return level_ == DirectoryState::Level::inner ? static_cast<EndpointId>(index(first_child_) + child)
                                                  : map->slice_of(child, line);
}

int Directory::owner(LineId line) const {
    const Tracked* tracked = lines_.find(line);
    return tracked == nullptr ? -1 : tracked->state.owner();
}

void Directory::preset(LineId line, const DirectoryState::Holders& holders) {
    Tracked& tracked = lines_[line];
    tracked.state.preset(holders);
    tracked.settling = tracked.awaited = false;
}

const LineData* Directory::memory(LineId line) const {
    const Tracked* tracked = lines_.find(line);
    return tracked == nullptr ? nullptr : &tracked->state.data();
}

void Directory::receive(EndpointId from, const CoherenceMessage& message) {
    const LineId line = message.line;
    const Time now = timeline->now();
    if (message.kind == CoherenceKind::confirm) {
        send_message(*transport.operator->(), self_, from, now + lookup_, CoherenceKind::confirm_answer, line);
        return;
    }
    Tracked& tracked = lines_[line];
    effects_.clear();
    switch (message.kind) {
        case CoherenceKind::get_shared:
        case CoherenceKind::get_exclusive:
            settle(tracked, line);
            tracked.state.request(child_of(from), message.kind == CoherenceKind::get_exclusive, effects_);
            break;
        case CoherenceKind::snoop_share:
        case CoherenceKind::snoop_invalidate:
            settle(tracked, line);
            tracked.state.parent_snoop(message.kind == CoherenceKind::snoop_invalidate, message.fetch, effects_);
            break;
        default: take_answer(tracked, from, message, now); return;
    }
    perform(tracked, line, now + lookup_);
}

/// Answers come to a line that waits for them; until then it only queues what else comes, and so it does until the
/// child has acknowledged the grant that an answer leads to. Whether an answer is handled at its arrival or ahead of it
/// can therefore not be told apart, if it is the last one, and if a line that an answer would leave idle is kept busy.
bool Directory::receive_ahead(EndpointId from, const CoherenceMessage& message, Time arrival) {
    Tracked& tracked = *lines_.find(message.line);
    if (message.kind == CoherenceKind::snoop_answer && !tracked.state.waits_for_one_answer()) return false;
    effects_.clear();
    take_answer(tracked, from, message, arrival);
    if (tracked.state.hold()) {
        tracked.settles_at = arrival;
        tracked.settling = true;
        tracked.awaited = false;
    }
    return true;
}

void Directory::take_answer(Tracked& tracked, EndpointId from, const CoherenceMessage& message, Time at) {
    const LineData* data = message.has_data ? &message.data : nullptr;
    if (message.kind == CoherenceKind::snoop_answer) {
        tracked.state.snoop_answer(child_of(from), data, effects_);
    } else {
        tracked.state.parent_grant(message.kind == CoherenceKind::grant_exclusive, data, effects_);
    }
    perform(tracked, message.line, at + lookup_);
}

/// Brings what the line was busy with to account before it is looked at, or has it wake the line up.
void Directory::settle(Tracked& tracked, LineId line) {
    if (!tracked.settling) return;
    if (tracked.settles_at <= timeline->now()) {
        tracked.settling = false;
        tracked.state.settled(effects_);
    } else if (!tracked.awaited) {
        tracked.awaited = true;
        timeline->post<&Directory::settled>(tracked.settles_at, this, index(line));
    }
}

void Directory::settled(std::uint64_t number) {
    const LineId line = line_id(number);
    Tracked& tracked = *lines_.find(line);
    // A message that came at this very moment may have settled it already.
    if (!tracked.settling || tracked.settles_at != timeline->now()) return;
    tracked.settling = false;
    effects_.clear();
    tracked.state.settled(effects_);
    perform(tracked, line, timeline->now() + lookup_);
}

void Directory::memory_done(std::uint64_t number) {
    const LineId line = line_id(number);
    Tracked& tracked = *lines_.find(line);
    effects_.clear();
    tracked.state.memory_read(effects_);
    perform(tracked, line, timeline->now());
}

void Directory::perform(Tracked& tracked, LineId line, Time ready) {
    CoherenceTransport& out = *transport.operator->();
    for (const DirectoryState::Effect& effect : effects_) {
        Time departure = ready;
        if (effect.data != nullptr && effect.supplied) departure += parameters_.l3_data;
        switch (effect.to) {
            case DirectoryState::Effect::To::memory:
                timeline->post<&Directory::memory_done>(ready + parameters_.dram, this, index(line));
                break;
            case DirectoryState::Effect::To::parent: {
                const bool answer = effect.kind == CoherenceKind::snoop_answer;
                send_message(out, self_, map->home_of(line), departure, effect.kind, line, effect.data, effect.fetch,
                             answer);
                break;
            }
            case DirectoryState::Effect::To::child: {
                const bool grant =
                    effect.kind == CoherenceKind::grant_shared || effect.kind == CoherenceKind::grant_exclusive;
                const bool ahead = grant && level_ == DirectoryState::Level::root;
                const Time way = send_message(out, self_, endpoint_of(effect.child, line), departure, effect.kind, line,
                                              effect.data, effect.fetch, ahead);
                if (!grant) break;
                tracked.settles_at = departure + 2 * way;
                tracked.settling = true;
                tracked.awaited = effect.awaited;
                if (effect.awaited) timeline->post<&Directory::settled>(tracked.settles_at, this, index(line));
                break;
            }
        }
    }
}

}  // namespace gicsim
