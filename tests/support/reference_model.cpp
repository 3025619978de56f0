#include "support/reference_model.h"

#include <algorithm>
#include <unordered_set>

#include "support/reference_thread.h"

namespace gicsim::reference {
namespace {

using litmus::LitmusTest;

constexpr std::uint64_t first_address = 0x1'0000'0000;
constexpr std::uint64_t address_step = 0x1'0000;  // more than the largest array

/// An element of a location: its value and who wrote it last.
struct Cell {
    std::uint64_t value = 0;
    WriteId writer = initial_write;
};

struct State {
    std::vector<ThreadState> threads;
    std::vector<Cell> memory;
};

/// Performs the accesses of one path of each thread in every order that is allowed.
class Search {
public:
    Search(const LitmusTest& test, const Options& options);

    std::set<litmus::FinalState> run();

private:
    using Registers = std::array<std::uint64_t, litmus::register_count>;

    void choose_traces(std::size_t thread);
    void search();
    bool evaluate_all(const State& state);
    void expand(const State& state, std::vector<State>& open);
    bool may_perform(const State& state, std::size_t thread, std::size_t event) const;
    bool aliases_performed_read(const State& state, std::size_t thread, std::size_t event) const;
    void perform_read(const State& state, std::size_t thread, std::size_t event, std::vector<State>& open);
    void perform_write(const State& state, std::size_t thread, std::size_t event, std::vector<State>& open);
    bool read_is_coherent(const State& state, std::size_t thread, std::size_t event, WriteId source) const;
    bool is_locked(const State& state, std::size_t thread, std::size_t cell) const;
    std::string key_of(const State& state) const;
    void record(const State& state);

    [[nodiscard]] std::uint64_t raw(const litmus::Value& value) const {
        return value.is_address() ? addresses_[value.location] + value.number : value.number;
    }
    [[nodiscard]] std::optional<std::size_t> cell_of(std::size_t thread, std::size_t event) const;
    [[nodiscard]] const Event& event_of(std::size_t thread, std::size_t event) const {
        return traces_[thread]->events[event];
    }
    void check_size(std::size_t cell, unsigned size);

    const LitmusTest& test_;
    Options options_;
    std::vector<std::uint64_t> addresses_;  ///< of the locations
    std::vector<std::size_t> first_cells_;  ///< of the locations
    std::vector<Cell> initial_memory_;
    std::vector<unsigned> cell_sizes_;  ///< of the accesses to a cell; 0 before the first
    std::vector<Registers> initial_registers_;
    std::vector<std::vector<Trace>> all_traces_;
    std::vector<const Trace*> traces_;     ///< the path of each thread in this search
    std::vector<Evaluation> evaluations_;  ///< of the state at hand
    std::unordered_set<std::string> seen_;
    std::size_t states_ = 0;
    std::set<litmus::FinalState> finals_;
};

Search::Search(const LitmusTest& test, const Options& options) : test_(test), options_(options) {
    for (std::size_t i = 0; i < test.locations.size(); ++i) addresses_.push_back(first_address + i * address_step);
    for (const litmus::Location& location : test.locations) {
        first_cells_.push_back(initial_memory_.size());
        for (const litmus::Value& value : location.initial) initial_memory_.push_back({raw(value), initial_write});
    }
    cell_sizes_.assign(initial_memory_.size(), 0);
    for (const litmus::Thread& thread : test.threads) {
        if (!thread.interrupts.empty()) throw Unsupported("reference model: an interrupt");
        Registers registers{};
        for (const litmus::InitialRegister& initial : thread.registers) {
            registers[initial.reg.number] = raw(initial.value);
        }
        initial_registers_.push_back(registers);
        all_traces_.push_back(traces_of(thread.program));
    }
    traces_.resize(test.threads.size());
    evaluations_.resize(test.threads.size());
}

std::set<litmus::FinalState> Search::run() {
    choose_traces(0);
    return std::move(finals_);
}

void Search::choose_traces(std::size_t thread) {
    if (thread == traces_.size()) return search();
    for (const Trace& trace : all_traces_[thread]) {
        traces_[thread] = &trace;
        choose_traces(thread + 1);
    }
}

void Search::search() {
    State start;
    start.memory = initial_memory_;
    for (const Trace* trace : traces_) {
        start.threads.push_back({0, std::vector<std::uint64_t>(trace->events.size()),
                                 std::vector<WriteId>(trace->events.size(), initial_write)});
    }
    seen_.clear();
    std::vector<State> open{std::move(start)};
    while (!open.empty()) {
        const State state = std::move(open.back());
        open.pop_back();
        if (!evaluate_all(state) || !seen_.insert(key_of(state)).second) continue;
        if (++states_ > options_.most_states) throw Unsupported("reference model: too many states");
        expand(state, open);
    }
}

bool Search::evaluate_all(const State& state) {
    for (std::size_t t = 0; t < traces_.size(); ++t) {
        evaluations_[t] = evaluate(*traces_[t], state.threads[t], initial_registers_[t]);
        if (!evaluations_[t].is_consistent) return false;
    }
    return true;
}

std::optional<std::size_t> Search::cell_of(std::size_t thread, std::size_t event) const {
    const Access& access = evaluations_[thread].accesses[event];
    if (!access.address) return std::nullopt;
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
        const std::uint64_t offset = *access.address - addresses_[i];
        const litmus::Location& location = test_.locations[i];
        if (*access.address < addresses_[i] || offset >= location.size()) continue;
        if (offset % location.element_size != 0 || access.size > location.element_size) break;
        return first_cells_[i] + static_cast<std::size_t>(offset / location.element_size);
    }
    throw Unsupported("reference model: an access that is no element of a location");
}

void Search::check_size(std::size_t cell, unsigned size) {
    if (cell_sizes_[cell] == 0) cell_sizes_[cell] = size;
    if (cell_sizes_[cell] != size) throw Unsupported("reference model: accesses of several sizes");
}

void Search::expand(const State& state, std::vector<State>& open) {
    bool is_over = true;
    const std::size_t before = open.size();
    for (std::size_t t = 0; t < traces_.size(); ++t) {
        for (std::size_t e = 0; e < traces_[t]->events.size(); ++e) {
            if (state.threads[t].has_performed(e)) continue;
            is_over = false;
            if (aliases_performed_read(state, t, e)) {
                open.resize(before);
                return;
            }
            if (!may_perform(state, t, e)) continue;
            if (event_of(t, e).is_write) {
                perform_write(state, t, e, open);
            } else {
                perform_read(state, t, e, open);
            }
        }
    }
    if (is_over) record(state);
}

/// A write whose address comes to be known after a later read of the same element read past it: not coherent.
bool Search::aliases_performed_read(const State& state, std::size_t thread, std::size_t event) const {
    if (!event_of(thread, event).is_write) return false;
    const auto cell = cell_of(thread, event);
    if (!cell) return false;
    const ThreadState& own = state.threads[thread];
    for (std::size_t later = event + 1; later < traces_[thread]->events.size(); ++later) {
        if (event_of(thread, later).is_write || !own.has_performed(later) || cell_of(thread, later) != cell) continue;
        const WriteId source = own.sources[later];
        if (source < write_id(thread, event) || source >= write_id(thread, later)) return true;
    }
    return false;
}

/// Whether dependencies, barriers, acquire and release let the access be performed now.
bool Search::may_perform(const State& state, std::size_t thread, std::size_t event) const {
    const Trace& trace = *traces_[thread];
    const Event& what = trace.events[event];
    const ThreadState& own = state.threads[thread];
    const Evaluation& known = evaluations_[thread];
    const auto cell = cell_of(thread, event);
    if (!cell || (what.after & ~own.performed) != 0) return false;
    const auto resolved_before = [&](std::size_t step) {
        for (std::size_t i = 0; i < step; ++i) {
            if (!known.branch_known[i]) return false;
        }
        for (std::size_t e = 0; e < trace.events.size() && trace.events[e].step < step; ++e) {
            if (!known.accesses[e].address) return false;
        }
        return true;
    };
    for (const std::size_t isb : what.synchronised_with) {
        if (!resolved_before(isb)) return false;
    }
    if (!what.is_write) return true;
    // A write is not speculative, and keeps the order of what its thread does to the same element.
    if (!known.accesses[event].data || !resolved_before(what.step)) return false;
    for (std::size_t earlier = 0; earlier < event; ++earlier) {
        if (!own.has_performed(earlier) && cell_of(thread, earlier) == cell) return false;
    }
    if (what.read >= 0 && cell_of(thread, static_cast<std::size_t>(what.read)) != cell) return false;
    return !is_locked(state, thread, *cell);
}

/// Whether another thread has read the element for an update whose write is still to come.
bool Search::is_locked(const State& state, std::size_t thread, std::size_t cell) const {
    for (std::size_t t = 0; t < traces_.size(); ++t) {
        if (t == thread) continue;
        const ThreadState& other = state.threads[t];
        for (std::size_t e = 0; e < traces_[t]->events.size(); ++e) {
            const int read = event_of(t, e).read;
            if (read < 0 || other.has_performed(e) || !other.has_performed(static_cast<std::size_t>(read))) continue;
            if (cell_of(t, static_cast<std::size_t>(read)) != cell) continue;
            const WriteId source = other.sources[static_cast<std::size_t>(read)];
            const bool own = source >= write_id(t, 0) && source < write_id(t + 1, 0);
            const bool in_memory = !own || other.has_performed(static_cast<std::size_t>(source - write_id(t, 0)));
            if (in_memory) return true;
        }
    }
    return false;
}

/// Reads of one element out of order have to read the same write, unless an own write stands between them.
bool Search::read_is_coherent(const State& state, std::size_t thread, std::size_t event, WriteId source) const {
    const ThreadState& own = state.threads[thread];
    const auto cell = cell_of(thread, event);
    for (std::size_t later = event + 1; later < traces_[thread]->events.size(); ++later) {
        if (cell_of(thread, later) != cell) continue;
        if (event_of(thread, later).is_write) return true;
        if (own.has_performed(later) && own.sources[later] != source) return false;
    }
    return true;
}

void Search::perform_read(const State& state, std::size_t thread, std::size_t event, std::vector<State>& open) {
    const std::size_t cell = *cell_of(thread, event);
    const unsigned size = evaluations_[thread].accesses[event].size;
    check_size(cell, size);
    std::uint64_t value = state.memory[cell].value;
    WriteId source = state.memory[cell].writer;
    for (std::size_t earlier = event; earlier-- > 0;) {
        const Event& other = event_of(thread, earlier);
        if (!other.is_write || state.threads[thread].has_performed(earlier) || cell_of(thread, earlier) != cell)
            continue;
        // An acquire takes the value of an update not before the update has read.
        const bool too_early = other.read >= 0 && event_of(thread, event).acquire &&
                               !state.threads[thread].has_performed(static_cast<std::size_t>(other.read));
        if (too_early) return;
        const auto& data = evaluations_[thread].accesses[earlier].data;
        if (!data) return;
        value = *data;
        source = write_id(thread, earlier);
        break;
    }
    if (!read_is_coherent(state, thread, event, source)) return;
    State next = state;
    ThreadState& own = next.threads[thread];
    own.performed |= std::uint64_t{1} << event;
    own.values[event] = size == 8 ? value : value & ((std::uint64_t{1} << 8 * size) - 1);
    own.sources[event] = source;
    open.push_back(std::move(next));
}

void Search::perform_write(const State& state, std::size_t thread, std::size_t event, std::vector<State>& open) {
    const std::size_t cell = *cell_of(thread, event);
    const Access& access = evaluations_[thread].accesses[event];
    check_size(cell, access.size);
    const std::uint64_t mask = access.size == 8 ? UINT64_MAX : (std::uint64_t{1} << 8 * access.size) - 1;
    State next = state;
    next.threads[thread].performed |= std::uint64_t{1} << event;
    next.memory[cell].value = (state.memory[cell].value & ~mask) | (*access.data & mask);
    next.memory[cell].writer = write_id(thread, event);
    open.push_back(std::move(next));
}

std::string Search::key_of(const State& state) const {
    std::string key;
    const auto append = [&key](const auto& value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const Cell& cell : state.memory) {
        append(cell.value);
        append(cell.writer);
    }
    for (const ThreadState& thread : state.threads) {
        append(thread.performed);
        for (std::size_t e = 0; e < thread.values.size(); ++e) {
            if (!thread.has_performed(e)) continue;
            append(thread.values[e]);
            append(thread.sources[e]);
        }
    }
    return key;
}

void Search::record(const State& state) {
    litmus::FinalState final;
    for (const litmus::Observable& what : test_.observables) {
        std::uint64_t value = 0;
        if (what.kind == litmus::Observable::Kind::memory) {
            value = state.memory[first_cells_[what.location] + what.element].value;
        } else if (!what.reg.is_zero()) {
            value = evaluations_[what.thread].registers[what.reg.number].value_or(0);
            if (what.bits == 32) value &= 0xffff'ffff;
        }
        final.values.push_back(litmus::symbolic_value(test_, addresses_, value));
    }
    finals_.insert(std::move(final));
}

}  // namespace

std::set<litmus::FinalState> reachable_states(const LitmusTest& test, const Options& options) {
    return Search(test, options).run();
}

litmus::Verdict verdict(const LitmusTest& test) {
    const auto states = reachable_states(test);
    const bool seen = std::any_of(states.begin(), states.end(), [&test](const litmus::FinalState& state) {
        return litmus::is_asked_for(test.condition, state);
    });
    return seen ? litmus::Verdict::allowed : litmus::Verdict::forbidden;
}

}  // namespace gicsim::reference
