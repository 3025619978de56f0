#include "support/reference_progress.h"

#include "support/reference_model.h"

namespace gicsim::reference {
namespace {

constexpr std::uint64_t first_address = 0x1'0000'0000;
constexpr std::uint64_t address_step = 0x1'0000;  // more than the largest array

std::string key_of(const ThreadState& state) {
    std::string key;
    const auto append = [&key](const auto& value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
    append(state.performed);
    for (std::size_t event = 0; event < state.values.size(); ++event) {
        if (!state.has_performed(event)) continue;
        append(state.values[event]);
        append(state.sources[event]);
    }
    return key;
}

}  // namespace

Layout::Layout(const litmus::LitmusTest& test) : test_(test) {
    for (std::size_t i = 0; i < test.locations.size(); ++i) {
        addresses_.push_back(first_address + i * address_step);
        first_cells_.push_back(cells_);
        cells_ += test.locations[i].initial.size();
    }
}

std::size_t Layout::cell_of(std::uint64_t address, unsigned size) const {
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
        const litmus::Location& location = test_.locations[i];
        if (address < addresses_[i] || address - addresses_[i] >= location.size()) continue;
        const std::uint64_t offset = address - addresses_[i];
        if (offset % location.element_size != 0 || size > location.element_size) break;
        return first_cells_[i] + static_cast<std::size_t>(offset / location.element_size);
    }
    throw Unsupported("reference model: an access that is no element of a location");
}

const Progress& ThreadHistory::start() {
    const std::size_t events = trace_.events.size();
    return find({0, std::vector<std::uint64_t>(events), std::vector<WriteId>(events, initial_write)});
}

const Progress& ThreadHistory::perform(const Progress& from, std::size_t event, std::uint64_t value, WriteId source) {
    ThreadState next = from.state;
    next.performed |= std::uint64_t{1} << event;
    next.values[event] = value;
    next.sources[event] = source;
    return find(std::move(next));
}

const Progress& ThreadHistory::find(ThreadState state) {
    auto& entry = met_[key_of(state)];
    if (!entry) {
        entry = std::make_unique<Progress>();
        entry->state = std::move(state);
        work_out(*entry);
    }
    return *entry;
}

void ThreadHistory::work_out(Progress& progress) const {
    progress.known = evaluate(trace_, progress.state, registers_);
    progress.is_possible = progress.known.is_consistent;
    if (!progress.is_possible) return;
    for (const Access& access : progress.known.accesses) {
        progress.cells.emplace_back();
        if (access.address) progress.cells.back() = layout_.cell_of(*access.address, access.size);
    }
    for (std::size_t event = 0; event < trace_.events.size(); ++event) {
        if (progress.state.has_performed(event)) continue;
        if (aliases_performed_read(progress, event)) progress.is_possible = false;
        if (may_perform(progress, event)) progress.enabled |= std::uint64_t{1} << event;
    }
    find_locked(progress);
}

/// A write whose address comes to be known after a later read of the same element read past it: not coherent.
bool ThreadHistory::aliases_performed_read(const Progress& progress, std::size_t event) const {
    if (!trace_.events[event].is_write || !progress.cells[event]) return false;
    for (std::size_t later = event + 1; later < trace_.events.size(); ++later) {
        const bool read_here = !trace_.events[later].is_write && progress.state.has_performed(later) &&
                               progress.cells[later] == progress.cells[event];
        if (!read_here) continue;
        const WriteId source = progress.state.sources[later];
        if (source < write_id(thread_, event) || source >= write_id(thread_, later)) return true;
    }
    return false;
}

bool ThreadHistory::is_resolved_before(const Progress& progress, std::size_t step) const {
    for (std::size_t i = 0; i < step; ++i) {
        if (!progress.known.branch_known[i]) return false;
    }
    for (std::size_t event = 0; event < trace_.events.size() && trace_.events[event].step < step; ++event) {
        if (!progress.cells[event]) return false;
    }
    return true;
}

/// Whether dependencies, barriers, acquire and release let the access be performed now.
bool ThreadHistory::may_perform(const Progress& progress, std::size_t event) const {
    const Event& what = trace_.events[event];
    const auto cell = progress.cells[event];
    if (!cell || (what.after & ~progress.state.performed) != 0) return false;
    for (const std::size_t isb : what.synchronised_with) {
        if (!is_resolved_before(progress, isb)) return false;
    }
    if (!what.is_write) return true;
    // A write is not speculative, and keeps the order of what its thread does to the same element.
    if (!progress.known.accesses[event].data || !is_resolved_before(progress, what.step)) return false;
    for (std::size_t earlier = 0; earlier < event; ++earlier) {
        if (!progress.state.has_performed(earlier) && progress.cells[earlier] == cell) return false;
    }
    return what.read < 0 || progress.cells[static_cast<std::size_t>(what.read)] == cell;
}

void ThreadHistory::find_locked(Progress& progress) const {
    for (std::size_t event = 0; event < trace_.events.size(); ++event) {
        if (trace_.events[event].read < 0 || progress.state.has_performed(event)) continue;
        const auto read = static_cast<std::size_t>(trace_.events[event].read);
        if (!progress.state.has_performed(read)) continue;
        // Forwarded from a write that is not in memory yet: others may still come before that.
        const WriteId source = progress.state.sources[read];
        const bool own = source >= write_id(thread_, 0) && source < write_id(thread_ + 1, 0);
        const bool in_memory =
            !own || progress.state.has_performed(static_cast<std::size_t>(source - write_id(thread_, 0)));
        if (in_memory && progress.cells[read]) progress.locked.push_back(*progress.cells[read]);
    }
}

}  // namespace gicsim::reference
