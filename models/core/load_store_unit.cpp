#include "gicsim/core/load_store_unit.h"

#include <algorithm>
#include <bit>

namespace gicsim {

void LoadStoreUnit::reset(const CoreParameters& parameters) {
    parameters_ = parameters;
    buffer_.reset(parameters.store_buffer_entries);
    loads_.reset(parameters.load_queue_entries);
    port_free_ = Time{};
    requests_ = 0;
    ++ticket_;
    event_pending_ = false;
    owned_writes_.clear();
    granted_.clear();
    confirmations_left_ = 0;
}

bool LoadStoreUnit::needs_request(std::size_t i) const {
    const LineId line = buffer_[i].location.line;
    return !cache->writable(line) && !buffer_.older_same_line(i);
}

void LoadStoreUnit::note_owned_write(LineId line) {
    if (!parameters_.dsb_confirms_owned_writes) return;
    const auto holds = [line](const std::vector<LineId>& list) {
        return std::find(list.begin(), list.end(), line) != list.end();
    };
    // A line that was granted since the last confirmation is known to the point of coherence already.
    if (!holds(owned_writes_) && !holds(granted_)) owned_writes_.push_back(line);
}

void LoadStoreUnit::commit(std::size_t i) {
    const StoreBufferState::Entry& entry = buffer_[i];
    write({entry.location, entry.value, entry.mask, entry.kind});
    buffer_.remove(i);
}

void LoadStoreUnit::write(const StoreBufferState::Store& store) {
    if (store.kind == StoreBufferState::Kind::store && store.mask == whole_word) {
        cache->write(store.location, store.value);
        if (observer_ != nullptr) observer_->store_visible(cpu_, store.location, store.value, timeline->now());
        return;
    }
    const Word old = cache->read(store.location);
    const Word value = (old & ~store.mask) | (StoreBufferState::updated(store.kind, old, store.value) & store.mask);
    cache->write(store.location, value);
    if (observer_ != nullptr) observer_->store_visible(cpu_, store.location, value, timeline->now());
}

void LoadStoreUnit::settle() {
    if (!drained_at()) return;
    while (!buffer_.empty()) commit(0);
    port_free_ = timeline->now();
}

void LoadStoreUnit::move_port() {
    const Time now = timeline->now();
    std::size_t i = 0;
    while (i < buffer_.size()) {
        if (buffer_[i].sent) {
            ++i;
            continue;
        }
        if (port_free_ > now || !may_leave(i)) return;
        const bool owned = cache->writable(buffer_[i].location.line);
        if (owned && !buffer_.older_same_line(i)) {
            note_owned_write(buffer_[i].location.line);
            commit(i);
        } else {
            if (needs_request(i)) {
                if (requests_ >= parameters_.ownership_requests) return;
                ++requests_;
                port_free_ = std::max(port_free_, now);
                cache->request(buffer_[i].location.line, true);
            }
            buffer_.mark_sent(i);
            ++i;
        }
        port_free_ += parameters_.store_drain_interval;
    }
}

// `port_free_` may lie in the past: the port takes up the next store when it comes, not when it was last free.
void LoadStoreUnit::push(StoreBufferState::Store store) {
    advance();
    const Time now = timeline->now();
    if (buffer_.unsent() == 0) port_free_ = std::max(port_free_, now);
    port_free_ += varied(Varying::store_drain);
    if (buffer_.empty() && loads_.empty() && port_free_ == now && cache->writable(store.location.line)) {
        // It would go straight through.
        note_owned_write(store.location.line);
        write(store);
        port_free_ += parameters_.store_drain_interval;
        return;
    }
    store.loads_before = loads_.next_number();
    store.load_fence = store.release ? loads_.next_number() : loads_.fence();
    buffer_.push(store);
    advance();
    schedule();
}

void LoadStoreUnit::issue(PendingLoad& load) {
    advance();
    load.issued = timeline->now() + varied(Varying::load_issue);
    loads_.push(load, buffer_);
    bind_loads();
    schedule();
}

void LoadStoreUnit::forget_exclusives() {
    for (std::size_t i = 0; i < loads_.size(); ++i) {
        if (loads_[i].kind == PendingLoad::Kind::load_exclusive) loads_[i].kind = PendingLoad::Kind::load;
    }
}

/// Binds what can be bound; true when that was anything.
bool LoadStoreUnit::bind_loads() {
    bool any = false;
    for (std::size_t i = 0; i < loads_.size();) {
        if (loads_.may_bind(i, buffer_) && try_bind(i)) {
            any = true;
        } else {
            ++i;
        }
    }
    return any;
}

bool LoadStoreUnit::try_bind(std::size_t i) {
    PendingLoad& load = loads_[i];
    const Time now = timeline->now();
    if (load.issued > now) return false;
    if (load.writes()) return try_write(i);
    if (const StoreBufferState::Entry* entry = buffer_.youngest(load.location, load.mask, load.stores_before)) {
        if (entry->kind != StoreBufferState::Kind::store || (entry->mask & load.mask) != load.mask) return false;
        if (load.kind == PendingLoad::Kind::load_exclusive) client->watch(load.location.line);
        bind(i, entry->value, now + parameters_.store_forward);
        return true;
    }
    if (!cache->readable(load.location.line)) {
        load.missed = true;
        cache->request(load.location.line, false);
        return false;
    }
    if (load.kind == PendingLoad::Kind::load_exclusive) client->watch(load.location.line);
    bind(i, cache->read(load.location), now + (load.missed ? cache->fill_time() : parameters_.load_to_use));
    return true;
}

/// A read-modify-write or a store-exclusive: in the core's own cache, which owns the line at that moment.
bool LoadStoreUnit::try_write(std::size_t i) {
    PendingLoad& load = loads_[i];
    const Time now = timeline->now();
    const LineId line = load.location.line;
    const bool exclusive = load.kind == PendingLoad::Kind::store_exclusive;
    const auto status = [&load](Word word) { return word << std::countr_zero(load.mask); };
    if (exclusive && !client->watches(line)) {
        bind(i, status(1), now);
        return true;
    }
    if (!cache->writable(line)) {
        load.missed = true;
        cache->request(line, true);
        return false;
    }
    const Word old = cache->read(load.location);
    const Word value = exclusive ? load.operand : updated(load.atomic, old & load.mask, load.operand, load.compare);
    write({load.location, value, load.mask});
    if (exclusive) client->clear_monitor();
    bind(i, exclusive ? status(0) : old, now + parameters_.atomic + (load.missed ? cache->fill_time() : Time{}));
    return true;
}

void LoadStoreUnit::bind(std::size_t i, Word value, Time ready) {
    PendingLoad& load = loads_[i];
    load.ready = ready;
    loads_.bind(i, value);
    if (observer_ != nullptr) observer_->load_bound(cpu_, load, timeline->now());
}

// Finds the first store that will need an ownership request and makes sure the port looks at it in time. Stores before
// it go by without an event.
void LoadStoreUnit::schedule_port() {
    bool older_wait = false;
    Time slot = port_free_;
    for (std::size_t i = 0; i < buffer_.size(); ++i) {
        const StoreBufferState::Entry& entry = buffer_[i];
        if (entry.sent) {
            older_wait = true;
            continue;
        }
        if (((entry.release || entry.ordered) && older_wait) || behind_loads(i)) return;
        if (needs_request(i)) {
            if (requests_ >= parameters_.ownership_requests) return;
            wake_port_at(std::max(slot, timeline->now()));
            return;
        }
        if (!cache->writable(entry.location.line)) older_wait = true;
        slot += parameters_.store_drain_interval;
    }
}

/// Loads that wait for nothing but time, or for stores of which the next has nothing but the port's pace before it.
void LoadStoreUnit::schedule_loads() {
    const Time now = timeline->now();
    for (std::size_t i = 0; i < loads_.size(); ++i) {
        const PendingLoad& load = loads_[i];
        if (load.issued > now) {
            wake_port_at(load.issued);
            continue;
        }
        const bool behind_stores = loads_.waits_for_stores(i, buffer_) ||
                                   buffer_.youngest(load.location, load.mask, load.stores_before) != nullptr;
        if (!behind_stores) continue;
        if (const auto leaves = next_leaves_at()) wake_port_at(std::max(*leaves, now));
    }
}

void LoadStoreUnit::wake_port_at(Time at) {
    if (event_pending_ && event_at_ <= at) return;
    event_pending_ = true;
    event_at_ = at;
    timeline->post<&LoadStoreUnit::port_event>(at, this, ++ticket_);
}

void LoadStoreUnit::port_event(std::uint64_t ticket) {
    if (ticket != ticket_) return;
    event_pending_ = false;
    advance();
    while (bind_loads()) advance();
    schedule();
    client->load_store_progress();
}

std::optional<Time> LoadStoreUnit::drained_at() const {
    if (buffer_.empty()) return timeline->now();
    Time slot = port_free_;
    for (std::size_t i = 0; i < buffer_.size(); ++i) {
        if (buffer_[i].sent || behind_loads(i) || !cache->writable(buffer_[i].location.line)) return std::nullopt;
        if (i > 0) slot += parameters_.store_drain_interval;
    }
    return slot;
}

std::optional<Time> LoadStoreUnit::next_leaves_at() const {
    for (std::size_t i = 0; i < buffer_.size(); ++i) {
        if (buffer_[i].sent) continue;
        if (!may_leave(i) || !cache->writable(buffer_[i].location.line) || buffer_.older_same_line(i)) {
            return std::nullopt;
        }
        return port_free_;
    }
    return std::nullopt;
}

void LoadStoreUnit::line_filled(LineId line) {
    if (observer_ != nullptr) observer_->line_arrived(cpu_, line, cache->writable(line), timeline->now());
    // Loads that wait for the line come before the stores behind them.
    bind_loads();
    if (cache->writable(line)) {
        bool served = false;
        for (std::size_t i = 0; i < buffer_.size();) {
            // Stores to one line become visible in program order; the first that may not leave yet stops the rest.
            if (buffer_[i].location.line != line || !buffer_[i].sent) {
                ++i;
                continue;
            }
            served = true;
            commit(i);
        }
        if (served && requests_ > 0) --requests_;
        if (parameters_.dsb_confirms_owned_writes) granted_.push_back(line);
    } else {
        // A shared copy that a load had asked for came first; the stores that wait for the line still need it alone.
        for (std::size_t i = 0; i < buffer_.size(); ++i) {
            if (buffer_[i].sent && buffer_[i].location.line == line) {
                cache->request(line, true);
                break;
            }
        }
    }
    port_free_ = std::max(port_free_, timeline->now());
    advance();
    while (bind_loads()) advance();
    schedule();
    client->load_store_progress();
}

void LoadStoreUnit::before_snoop(LineId) {
    advance();
}

void LoadStoreUnit::line_snooped(LineId line, bool invalidated) {
    if (observer_ != nullptr) observer_->line_snooped(cpu_, line, invalidated, timeline->now());
    schedule();
    if (invalidated) client->line_lost(line);
}

void LoadStoreUnit::confirm_owned_writes() {
    Time departure = timeline->now();
    for (const LineId line : owned_writes_) {
        cache->confirm(line, departure);
        departure += parameters_.dsb_confirm_interval;
        ++confirmations_left_;
    }
    owned_writes_.clear();
    granted_.clear();
}

void LoadStoreUnit::line_confirmed(LineId) {
    --confirmations_left_;
    client->load_store_progress();
}

}  // namespace gicsim
