#include "gicsim/memory/directory_state.h"

#include <utility>

namespace gicsim {

DirectoryState::Line& DirectoryState::line_of(LineId line) {
    Line& entry = lines_[line];
    // Behind the root is only memory: nobody else can hold what it governs.
    if (level_ == Level::root) entry.permission = Permission::exclusive;
    return entry;
}

int DirectoryState::owner(LineId line) const {
    const Line* entry = lines_.find(line);
    return entry == nullptr ? -1 : entry->owner;
}

void DirectoryState::snoop_child(unsigned child, bool invalidate, bool fetch, Effects& effects) {
    effects.push_back({.to = Effect::To::child,
                       .kind = invalidate ? CoherenceKind::snoop_invalidate : CoherenceKind::snoop_share,
                       .fetch = fetch,
                       .child = static_cast<std::uint8_t>(child)});
}

void DirectoryState::ask_parent(Line& entry, CoherenceKind kind, Effects& effects) {
    entry.phase = Phase::parent;
    effects.push_back({.to = Effect::To::parent, .kind = kind});
}

void DirectoryState::request(unsigned child, LineId line, bool exclusive, Effects& effects) {
    Line& entry = line_of(line);
    const Request request{static_cast<std::uint8_t>(child), exclusive};
    if (entry.phase != Phase::idle || entry.parent_snoop != ParentSnoop::none) {
        entry.queue.push_back(request);
        return;
    }
    entry.current = request;
    start(entry, effects);
}

void DirectoryState::start(Line& entry, Effects& effects) {
    if (entry.current.exclusive) {
        start_exclusive(entry, effects);
    } else {
        start_shared(entry, effects);
    }
}

void DirectoryState::start_exclusive(Line& entry, Effects& effects) {
    if (entry.permission != Permission::exclusive) {
        ask_parent(entry, CoherenceKind::get_exclusive, effects);
        return;
    }
    const unsigned child = entry.current.child;
    if (entry.owner >= 0 && entry.owner != static_cast<int>(child)) {
        entry.answers_left = 1;
        snoop_child(static_cast<unsigned>(entry.owner), true, false, effects);
    } else {
        // One of the sharers hands the line over when neither the asker nor this level has it.
        bool fetch = !entry.data_valid && !entry.sharers.contains(child);
        entry.answers_left = 0;
        entry.sharers.for_each([&](unsigned sharer) {
            if (sharer == child) return;
            snoop_child(sharer, true, std::exchange(fetch, false), effects);
            ++entry.answers_left;
        });
    }
    if (entry.answers_left > 0) {
        entry.phase = Phase::snooping;
    } else {
        finish(entry, effects);
    }
}

void DirectoryState::start_shared(Line& entry, Effects& effects) {
    if (entry.permission == Permission::none) {
        ask_parent(entry, CoherenceKind::get_shared, effects);
        return;
    }
    int source = -1;
    if (entry.owner >= 0 && entry.owner != static_cast<int>(entry.current.child)) {
        source = entry.owner;
    } else if (!entry.data_valid) {
        // A copy in a cache is nearer than memory.
        entry.sharers.for_each([&](unsigned sharer) {
            if (source < 0 && sharer != entry.current.child) source = static_cast<int>(sharer);
        });
    }
    if (source >= 0) {
        entry.phase = Phase::snooping;
        entry.answers_left = 1;
        snoop_child(static_cast<unsigned>(source), false, true, effects);
        return;
    }
    finish(entry, effects);
}

void DirectoryState::finish(Line& entry, Effects& effects) {
    const unsigned child = entry.current.child;
    const bool holds_copy = entry.sharers.contains(child);
    const bool needs_data = !holds_copy;
    if (needs_data && !entry.data_valid) {
        // Only the root can be here: an inner level without data has just asked its parent for them.
        entry.phase = Phase::memory;
        effects.push_back({.to = Effect::To::memory});
        return;
    }
    const bool alone = entry.owner < 0 && entry.sharers.empty() && entry.permission == Permission::exclusive;
    const bool grant_exclusive = entry.current.exclusive || alone;
    effects.push_back({.to = Effect::To::child,
                       .kind = grant_exclusive ? CoherenceKind::grant_exclusive : CoherenceKind::grant_shared,
                       .data = needs_data ? &entry.data : nullptr,
                       .supplied = !entry.data_fresh,
                       .awaited = !entry.queue.empty() || entry.parent_snoop == ParentSnoop::deferred,
                       .child = static_cast<std::uint8_t>(child)});
    if (grant_exclusive) {
        entry.sharers.clear();
        entry.owner = static_cast<std::int16_t>(child);
    } else {
        entry.sharers.insert(child);
    }
    // The new owner may write without asking; the root's copy is in memory and has to be read again in any case.
    entry.data_valid = !grant_exclusive && level_ == Level::inner;
    entry.data_fresh = false;
    entry.phase = Phase::granted;
}

void DirectoryState::acknowledged(LineId line, Effects& effects) {
    Line& entry = *lines_.find(line);
    entry.phase = Phase::idle;
    next(entry, effects);
}

void DirectoryState::next(Line& entry, Effects& effects) {
    if (entry.parent_snoop == ParentSnoop::deferred) {
        start_parent_snoop(entry, effects);
        if (entry.parent_snoop != ParentSnoop::none) return;
    }
    if (entry.phase != Phase::idle || entry.queue.empty()) return;
    entry.current = entry.queue.front();
    entry.queue.erase(entry.queue.begin());
    start(entry, effects);
}

void DirectoryState::snoop_answer(unsigned child, LineId line, const LineData* data, Effects& effects) {
    Line& entry = *lines_.find(line);
    if (data != nullptr) {
        entry.data = *data;
        entry.data_valid = true;
        entry.data_fresh = true;
    }
    const bool for_parent = entry.parent_snoop == ParentSnoop::active;
    const bool invalidated = for_parent ? entry.snoop_invalidate : entry.current.exclusive;
    if (entry.owner == static_cast<int>(child)) entry.owner = -1;
    if (invalidated) {
        entry.sharers.erase(child);
    } else {
        entry.sharers.insert(child);
    }
    if (--entry.answers_left > 0) return;
    if (for_parent) {
        finish_parent_snoop(entry, effects);
    } else {
        finish(entry, effects);
    }
}

void DirectoryState::parent_snoop(LineId line, bool invalidate, bool fetch, Effects& effects) {
    Line& entry = line_of(line);
    entry.snoop_invalidate = invalidate;
    entry.snoop_fetch = fetch;
    if (entry.phase == Phase::snooping || entry.phase == Phase::granted) {
        // What is under way needs only children, which always answer.
        entry.parent_snoop = ParentSnoop::deferred;
        return;
    }
    start_parent_snoop(entry, effects);
}

void DirectoryState::start_parent_snoop(Line& entry, Effects& effects) {
    entry.parent_snoop = ParentSnoop::active;
    entry.answers_left = 0;
    if (entry.owner >= 0) {
        snoop_child(static_cast<unsigned>(entry.owner), entry.snoop_invalidate, true, effects);
        entry.answers_left = 1;
    } else if (entry.snoop_invalidate) {
        entry.sharers.for_each([&](unsigned sharer) {
            snoop_child(sharer, true, false, effects);
            ++entry.answers_left;
        });
    }
    if (entry.answers_left == 0) finish_parent_snoop(entry, effects);
}

void DirectoryState::finish_parent_snoop(Line& entry, Effects& effects) {
    const bool has_data = entry.data_valid && (entry.permission == Permission::exclusive || entry.snoop_fetch);
    effects.push_back({.to = Effect::To::parent,
                       .kind = CoherenceKind::snoop_answer,
                       .data = has_data ? &entry.data : nullptr,
                       .supplied = !entry.data_fresh});
    entry.data_fresh = false;
    if (entry.snoop_invalidate) {
        entry.permission = Permission::none;
        entry.data_valid = false;
    } else {
        entry.permission = Permission::shared;
    }
    entry.parent_snoop = ParentSnoop::none;
    if (entry.phase == Phase::idle) next(entry, effects);
}

void DirectoryState::parent_grant(LineId line, bool exclusive, const LineData* data, Effects& effects) {
    Line& entry = *lines_.find(line);
    entry.permission = exclusive ? Permission::exclusive : Permission::shared;
    if (data != nullptr) {
        entry.data = *data;
        entry.data_valid = true;
        entry.data_fresh = true;
    }
    entry.phase = Phase::idle;
    start(entry, effects);
}

void DirectoryState::memory_read(LineId line, Effects& effects) {
    Line& entry = *lines_.find(line);
    entry.data_valid = true;
    entry.data_fresh = true;
    finish(entry, effects);
}

}  // namespace gicsim
