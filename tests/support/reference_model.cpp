#include "support/reference_model.h"

#include <algorithm>
#include <unordered_set>

#include "support/reference_progress.h"

namespace gicsim::reference {
namespace {

using litmus::LitmusTest;

/// An element of a location: its value and who wrote it last.
struct Cell {
    std::uint64_t value = 0;
    WriteId writer = initial_write;
};

struct State {
    std::vector<const Progress*> threads;
    std::vector<Cell> memory;
};

std::uint64_t mask_of(unsigned size) {
    return size == 8 ? UINT64_MAX : (std::uint64_t{1} << 8 * size) - 1;
}

/// Performs the accesses of one path of each thread in every order that is allowed.
class Search {
public:
    Search(const LitmusTest& test, const Options& options);

    std::set<litmus::FinalState> run();

private:
    using Registers = std::array<std::uint64_t, litmus::register_count>;

    void choose_traces(std::size_t thread);
    void search();
    void expand(const State& state);
    bool perform_alone(const State& state);
    bool touches_nobody(const State& state, std::size_t thread, std::size_t event) const;
    void perform(const State& state, std::size_t thread, std::size_t event);
    void perform_read(const State& state, std::size_t thread, std::size_t event);
    void perform_write(const State& state, std::size_t thread, std::size_t event);
    bool read_is_coherent(const State& state, std::size_t thread, std::size_t event, WriteId source) const;
    bool is_locked(const State& state, std::size_t thread, std::size_t cell) const;
    void add(State state);
    void record(const State& state);
    void check_size(std::size_t cell, unsigned size);
    [[nodiscard]] const Trace& trace(std::size_t thread) const { return histories_[thread]->trace(); }

    const LitmusTest& test_;
    Options options_;
    Layout layout_;
    std::vector<Cell> initial_memory_;
    std::vector<unsigned> cell_sizes_;  ///< of the accesses to a cell; 0 before the first
    std::vector<Registers> initial_registers_;
    std::vector<std::vector<Trace>> traces_;
    std::vector<std::vector<ThreadHistory>> all_histories_;  ///< of each thread, one for each path
    std::vector<ThreadHistory*> histories_;                  ///< the path of each thread in this search
    std::vector<State> open_;
    std::unordered_set<std::string> seen_;
    std::size_t states_ = 0;
    std::set<litmus::FinalState> finals_;
};

Search::Search(const LitmusTest& test, const Options& options) : test_(test), options_(options), layout_(test) {
    for (const litmus::Location& location : test.locations) {
        for (const litmus::Value& value : location.initial) {
            initial_memory_.push_back({layout_.raw(value), initial_write});
        }
    }
    cell_sizes_.assign(layout_.cells(), 0);
    for (const litmus::Thread& thread : test.threads) {
        if (!thread.interrupts.empty()) throw Unsupported("reference model: an interrupt");
        Registers registers{};
        for (const litmus::InitialRegister& initial : thread.registers) {
            registers[initial.reg.number] = layout_.raw(initial.value);
        }
        initial_registers_.push_back(registers);
        traces_.push_back(traces_of(thread.program));
    }
    for (std::size_t t = 0; t < traces_.size(); ++t) {
        all_histories_.emplace_back();
        for (const Trace& trace : traces_[t]) {
            all_histories_.back().emplace_back(t, trace, initial_registers_[t], layout_);
        }
    }
    histories_.resize(test.threads.size());
}

std::set<litmus::FinalState> Search::run() {
    choose_traces(0);
    return std::move(finals_);
}

void Search::choose_traces(std::size_t thread) {
    if (thread == histories_.size()) return search();
    for (ThreadHistory& history : all_histories_[thread]) {
        histories_[thread] = &history;
        choose_traces(thread + 1);
    }
}

void Search::search() {
    State start;
    start.memory = initial_memory_;
    for (ThreadHistory* history : histories_) {
        start.threads.push_back(&history->start());
        if (!start.threads.back()->is_possible) return;
    }
    seen_.clear();
    add(std::move(start));
    while (!open_.empty()) {
        const State state = std::move(open_.back());
        open_.pop_back();
        expand(state);
    }
}

void Search::add(State state) {
    std::string key;
    const auto append = [&key](const auto& value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const Cell& cell : state.memory) {
        append(cell.value);
        append(cell.writer);
    }
    // Each state of a thread exists once, so that its address says which it is.
    for (const Progress* progress : state.threads) append(reinterpret_cast<std::uintptr_t>(progress));
    if (!seen_.insert(std::move(key)).second) return;
    if (++states_ > options_.most_states) throw Unsupported("reference model: too many states");
    open_.push_back(std::move(state));
}

void Search::check_size(std::size_t cell, unsigned size) {
    if (cell_sizes_[cell] == 0) cell_sizes_[cell] = size;
    if (cell_sizes_[cell] != size) throw Unsupported("reference model: accesses of several sizes");
}

void Search::expand(const State& state) {
    bool is_over = true;
    for (std::size_t t = 0; t < state.threads.size(); ++t) is_over &= state.threads[t]->is_over(trace(t));
    if (is_over) return record(state);
    if (perform_alone(state)) return;
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
        for (std::size_t e = 0; e < trace(t).events.size(); ++e) {
            if ((state.threads[t]->enabled >> e & 1) != 0) perform(state, t, e);
        }
    }
}

/// When an access has the same effect now and at any later time, the other orders need not be tried.
bool Search::perform_alone(const State& state) {
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
        for (std::size_t e = 0; e < trace(t).events.size(); ++e) {
            if ((state.threads[t]->enabled >> e & 1) == 0 || !touches_nobody(state, t, e)) continue;
            perform(state, t, e);
            return true;
        }
    }
    return false;
}

/// Whether no other thread will write the element that an access reads, or access the one that it writes.
bool Search::touches_nobody(const State& state, std::size_t thread, std::size_t event) const {
    const Progress& own = *state.threads[thread];
    const bool is_write = trace(thread).events[event].is_write;
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
        const Progress& other = *state.threads[t];
        for (std::size_t e = 0; e < trace(t).events.size(); ++e) {
            if (other.state.has_performed(e)) continue;
            const bool writes = trace(t).events[e].is_write;
            if (t == thread) {
                // An own write may turn out to be to this element.
                if (e < event && writes && (!other.cells[e] || other.cells[e] == own.cells[event])) return false;
            } else if (is_write || writes) {
                if (!other.cells[e] || other.cells[e] == own.cells[event]) return false;
            }
        }
    }
    return true;
}

void Search::perform(const State& state, std::size_t thread, std::size_t event) {
    if (trace(thread).events[event].is_write) {
        perform_write(state, thread, event);
    } else {
        perform_read(state, thread, event);
    }
}

/// Whether another thread has read the element for an update whose write is still to come.
bool Search::is_locked(const State& state, std::size_t thread, std::size_t cell) const {
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
        const auto& locked = state.threads[t]->locked;
        if (t != thread && std::find(locked.begin(), locked.end(), cell) != locked.end()) return true;
    }
    return false;
}

/// Reads of one element out of order have to read the same write, unless an own write stands between them.
bool Search::read_is_coherent(const State& state, std::size_t thread, std::size_t event, WriteId source) const {
    const Progress& own = *state.threads[thread];
    for (std::size_t later = event + 1; later < trace(thread).events.size(); ++later) {
        if (own.cells[later] != own.cells[event]) continue;
        if (trace(thread).events[later].is_write) return true;
        if (own.state.has_performed(later) && own.state.sources[later] != source) return false;
    }
    return true;
}

void Search::perform_read(const State& state, std::size_t thread, std::size_t event) {
    const Progress& own = *state.threads[thread];
    const std::size_t cell = *own.cells[event];
    const unsigned size = own.known.accesses[event].size;
    check_size(cell, size);
    std::uint64_t value = state.memory[cell].value;
    WriteId source = state.memory[cell].writer;
    for (std::size_t earlier = event; earlier-- > 0;) {
        const Event& other = trace(thread).events[earlier];
        if (!other.is_write || own.state.has_performed(earlier) || own.cells[earlier] != cell) continue;
        // An acquire takes the value of an update not before the update has read.
        const bool too_early = other.read >= 0 && trace(thread).events[event].acquire &&
                               !own.state.has_performed(static_cast<std::size_t>(other.read));
        const auto& data = own.known.accesses[earlier].data;
        if (too_early || !data) return;
        value = *data;
        source = write_id(thread, earlier);
        break;
    }
    if (!read_is_coherent(state, thread, event, source)) return;
    State next = state;
    next.threads[thread] = &histories_[thread]->perform(own, event, value & mask_of(size), source);
    if (next.threads[thread]->is_possible) add(std::move(next));
}

void Search::perform_write(const State& state, std::size_t thread, std::size_t event) {
    const Progress& own = *state.threads[thread];
    const std::size_t cell = *own.cells[event];
    if (is_locked(state, thread, cell)) return;
    const Access& access = own.known.accesses[event];
    check_size(cell, access.size);
    const std::uint64_t mask = mask_of(access.size);
    State next = state;
    next.memory[cell] = {(state.memory[cell].value & ~mask) | (*access.data & mask), write_id(thread, event)};
    next.threads[thread] = &histories_[thread]->perform(own, event, 0, initial_write);
    if (next.threads[thread]->is_possible) add(std::move(next));
}

void Search::record(const State& state) {
    litmus::FinalState final;
    for (const litmus::Observable& what : test_.observables) {
        std::uint64_t value = 0;
        if (what.kind == litmus::Observable::Kind::memory) {
            value = state.memory[layout_.cell(what.location, what.element)].value;
        } else if (!what.reg.is_zero()) {
            value = state.threads[what.thread]->known.registers[what.reg.number].value_or(0);
            if (what.bits == 32) value &= 0xffff'ffff;
        }
        final.values.push_back(litmus::symbolic_value(test_, layout_.addresses(), value));
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
