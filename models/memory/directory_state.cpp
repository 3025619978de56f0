#include "gicsim/memory/directory_state.h"

#include <utility>

namespace gicsim {

void DirectoryState::snoop_child(unsigned child, bool invalidate, bool fetch, Effects& effects) {
    effects.push_back({.to = Effect::To::child,
                       .kind = invalidate ? CoherenceKind::snoop_invalidate : CoherenceKind::snoop_share,
                       .fetch = fetch,
                       .child = static_cast<std::uint8_t>(child)});
}

void DirectoryState::ask_parent(CoherenceKind kind, Effects& effects) {
    phase_ = Phase::parent;
    effects.push_back({.to = Effect::To::parent, .kind = kind});
}

void DirectoryState::request(unsigned child, bool exclusive, Effects& effects) {
    const Request request{static_cast<std::uint8_t>(child), exclusive};
    if (phase_ != Phase::idle || parent_snoop_ != ParentSnoop::none) {
        queue_.push_back(request);
        return;
    }
    current_ = request;
    start(effects);
}

void DirectoryState::start(Effects& effects) {
    if (current_.exclusive) {
        start_exclusive(effects);
    } else {
        start_shared(effects);
    }
}

void DirectoryState::start_exclusive(Effects& effects) {
    if (permission_ != Permission::exclusive) {
        ask_parent(CoherenceKind::get_exclusive, effects);
        return;
    }
    const unsigned child = current_.child;
    if (owner_ >= 0 && owner_ != static_cast<int>(child)) {
        answers_left_ = 1;
        snoop_child(static_cast<unsigned>(owner_), true, false, effects);
    } else {
        // One of the sharers hands the line over when neither the asker nor this level has it.
        bool fetch = !data_valid_ && !sharers_.contains(child);
        answers_left_ = 0;
        sharers_.for_each([&](unsigned sharer) {
            if (sharer == child) return;
            snoop_child(sharer, true, std::exchange(fetch, false), effects);
            ++answers_left_;
        });
    }
    if (answers_left_ > 0) {
        phase_ = Phase::snooping;
    } else {
        finish(effects);
    }
}

void DirectoryState::start_shared(Effects& effects) {
    if (permission_ == Permission::none) {
        ask_parent(CoherenceKind::get_shared, effects);
        return;
    }
    int source = -1;
    if (owner_ >= 0 && owner_ != static_cast<int>(current_.child)) {
        source = owner_;
    } else if (!data_valid_) {
        // A copy in a cache is nearer than memory.
        sharers_.for_each([&](unsigned sharer) {
            if (source < 0 && sharer != current_.child) source = static_cast<int>(sharer);
        });
    }
    if (source >= 0) {
        phase_ = Phase::snooping;
        answers_left_ = 1;
        snoop_child(static_cast<unsigned>(source), false, true, effects);
        return;
    }
    finish(effects);
}

void DirectoryState::finish(Effects& effects) {
    const unsigned child = current_.child;
    const bool holds_copy = sharers_.contains(child);
    const bool needs_data = !holds_copy;
    if (needs_data && !data_valid_) {
        // Only the root can be here: an inner level without data has just asked its parent for them.
        phase_ = Phase::memory;
        effects.push_back({.to = Effect::To::memory});
        return;
    }
    const bool alone = owner_ < 0 && sharers_.empty() && permission_ == Permission::exclusive;
    const bool grant_exclusive = current_.exclusive || alone;
    effects.push_back({.to = Effect::To::child,
                       .kind = grant_exclusive ? CoherenceKind::grant_exclusive : CoherenceKind::grant_shared,
                       .data = needs_data ? &data_ : nullptr,
                       .supplied = !data_fresh_,
                       .awaited = !queue_.empty() || parent_snoop_ == ParentSnoop::deferred,
                       .child = static_cast<std::uint8_t>(child)});
    if (grant_exclusive) {
        sharers_.clear();
        owner_ = static_cast<std::int16_t>(child);
    } else {
        sharers_.insert(child);
    }
    // The new owner may write without asking; the root's copy is in memory and has to be read again in any case.
    data_valid_ = !grant_exclusive && level_ == Level::inner;
    data_fresh_ = false;
    phase_ = Phase::settling;
}

void DirectoryState::settled(Effects& effects) {
    phase_ = Phase::idle;
    next(effects);
}

void DirectoryState::preset(const Holders& holders) {
    const Level level = level_;
    *this = DirectoryState(level);
    data_ = holders.data;
    owner_ = static_cast<std::int16_t>(holders.owner);
    sharers_ = holders.sharers;
    if (level == Level::inner) {
        if (holders.owner >= 0) {
            permission_ = Permission::exclusive;
        } else if (holders.readable) {
            permission_ = Permission::shared;
            data_valid_ = true;
        }
    }
}

bool DirectoryState::hold() {
    if (phase_ != Phase::idle) return false;
    phase_ = Phase::settling;
    return true;
}

void DirectoryState::next(Effects& effects) {
    if (parent_snoop_ == ParentSnoop::deferred) {
        start_parent_snoop(effects);
        if (parent_snoop_ != ParentSnoop::none) return;
    }
    if (phase_ != Phase::idle || queue_.empty()) return;
    current_ = queue_.front();
    queue_.erase(queue_.begin());
    start(effects);
}

void DirectoryState::snoop_answer(unsigned child, const LineData* data, Effects& effects) {
    if (data != nullptr) {
        data_ = *data;
        data_valid_ = true;
        data_fresh_ = true;
    }
    const bool for_parent = parent_snoop_ == ParentSnoop::active;
    const bool invalidated = for_parent ? snoop_invalidate_ : current_.exclusive;
    if (owner_ == static_cast<int>(child)) owner_ = -1;
    if (invalidated) {
        sharers_.erase(child);
    } else {
        sharers_.insert(child);
    }
    if (--answers_left_ > 0) return;
    if (for_parent) {
        finish_parent_snoop(effects);
    } else {
        finish(effects);
    }
}

void DirectoryState::parent_snoop(bool invalidate, bool fetch, Effects& effects) {
    snoop_invalidate_ = invalidate;
    snoop_fetch_ = fetch;
    if (phase_ == Phase::snooping || phase_ == Phase::settling) {
        // What is under way needs only children, which always answer.
        parent_snoop_ = ParentSnoop::deferred;
        return;
    }
    start_parent_snoop(effects);
}

void DirectoryState::start_parent_snoop(Effects& effects) {
    parent_snoop_ = ParentSnoop::active;
    answers_left_ = 0;
    if (owner_ >= 0) {
        snoop_child(static_cast<unsigned>(owner_), snoop_invalidate_, true, effects);
        answers_left_ = 1;
    } else if (snoop_invalidate_) {
        sharers_.for_each([&](unsigned sharer) {
            snoop_child(sharer, true, false, effects);
            ++answers_left_;
        });
    }
    if (answers_left_ == 0) finish_parent_snoop(effects);
}

void DirectoryState::finish_parent_snoop(Effects& effects) {
    const bool has_data = data_valid_ && (permission_ == Permission::exclusive || snoop_fetch_);
    effects.push_back({.to = Effect::To::parent,
                       .kind = CoherenceKind::snoop_answer,
                       .data = has_data ? &data_ : nullptr,
                       .supplied = !data_fresh_});
    data_fresh_ = false;
    if (snoop_invalidate_) {
        permission_ = Permission::none;
        data_valid_ = false;
    } else {
        permission_ = Permission::shared;
    }
    parent_snoop_ = ParentSnoop::none;
    if (phase_ == Phase::idle) next(effects);
}

void DirectoryState::parent_grant(bool exclusive, const LineData* data, Effects& effects) {
    permission_ = exclusive ? Permission::exclusive : Permission::shared;
    if (data != nullptr) {
        data_ = *data;
        data_valid_ = true;
        data_fresh_ = true;
    }
    phase_ = Phase::idle;
    start(effects);
}

void DirectoryState::memory_read(Effects& effects) {
    data_valid_ = true;
    data_fresh_ = true;
    finish(effects);
}

}  // namespace gicsim
