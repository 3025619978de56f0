#include "gicsim/memory/directory.h"

namespace gicsim {

void Directory::reset_common(const MemoryParameters& parameters, EndpointId self) {
    parameters_ = parameters;
    self_ = self;
    state_.reset();
    acknowledgements_.clear();
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

void Directory::receive(EndpointId from, const CoherenceMessage& message) {
    effects_.clear();
    const LineId line = message.line;
    const bool waits_for_grant =
        message.kind == CoherenceKind::get_shared || message.kind == CoherenceKind::get_exclusive ||
        message.kind == CoherenceKind::snoop_share || message.kind == CoherenceKind::snoop_invalidate;
    if (waits_for_grant) settle(line);
    const LineData* data = message.has_data ? &message.data : nullptr;
    const Time lookup = level_ == DirectoryState::Level::inner ? parameters_.l3_lookup : parameters_.home_lookup;
    switch (message.kind) {
        case CoherenceKind::get_shared: state_.request(child_of(from), line, false, effects_); break;
        case CoherenceKind::get_exclusive: state_.request(child_of(from), line, true, effects_); break;
        case CoherenceKind::snoop_share: state_.parent_snoop(line, false, message.fetch, effects_); break;
        case CoherenceKind::snoop_invalidate: state_.parent_snoop(line, true, message.fetch, effects_); break;
        case CoherenceKind::snoop_answer: state_.snoop_answer(child_of(from), line, data, effects_); break;
        case CoherenceKind::grant_shared: state_.parent_grant(line, false, data, effects_); break;
        case CoherenceKind::grant_exclusive: state_.parent_grant(line, true, data, effects_); break;
        case CoherenceKind::confirm: {
            send_message(*transport.operator->(), self_, from, timeline->now() + lookup, CoherenceKind::confirm_answer,
                         line);
            return;
        }
        case CoherenceKind::confirm_answer: return;
    }
    perform(line, lookup);
}

/// Brings an outstanding acknowledgement to account before the line is looked at, or has it wake the line up.
void Directory::settle(LineId line) {
    Acknowledgement& acknowledgement = acknowledgements_[line];
    if (!acknowledgement.outstanding) return;
    if (acknowledgement.at <= timeline->now()) {
        acknowledgement.outstanding = false;
        state_.acknowledged(line, effects_);
    } else if (!acknowledgement.awaited) {
        acknowledgement.awaited = true;
        timeline->post<&Directory::acknowledge>(acknowledgement.at, this, index(line));
    }
}

void Directory::acknowledge(std::uint64_t line) {
    Acknowledgement& acknowledgement = acknowledgements_[line_id(line)];
    // A message that came at this very moment may have settled it already.
    if (!acknowledgement.outstanding || acknowledgement.at != timeline->now()) return;
    acknowledgement.outstanding = false;
    effects_.clear();
    state_.acknowledged(line_id(line), effects_);
    perform(line_id(line), level_ == DirectoryState::Level::inner ? parameters_.l3_lookup : parameters_.home_lookup);
}

void Directory::memory_done(std::uint64_t line) {
    effects_.clear();
    state_.memory_read(line_id(line), effects_);
    perform(line_id(line), Time{});
}

void Directory::perform(LineId line, Time lookup) {
    const Time ready = timeline->now() + lookup;
    for (const DirectoryState::Effect& effect : effects_) {
        if (effect.to == DirectoryState::Effect::To::memory) {
            timeline->post<&Directory::memory_done>(ready + parameters_.dram, this, index(line));
            continue;
        }
        const EndpointId to =
            effect.to == DirectoryState::Effect::To::parent ? map->home_of(line) : endpoint_of(effect.child, line);
        Time departure = ready;
        if (effect.data != nullptr && effect.supplied) departure += parameters_.l3_data;
        send_message(*transport.operator->(), self_, to, departure, effect.kind, line, effect.data, effect.fetch);
        if (effect.kind == CoherenceKind::grant_shared || effect.kind == CoherenceKind::grant_exclusive) {
            const Time at = departure + 2 * transport->latency(self_, to);
            acknowledgements_[line] = {at, true, effect.awaited};
            if (effect.awaited) timeline->post<&Directory::acknowledge>(at, this, index(line));
        }
    }
}

}  // namespace gicsim
