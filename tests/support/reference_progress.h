#ifndef GICSIM_TESTS_SUPPORT_REFERENCE_PROGRESS_H
#define GICSIM_TESTS_SUPPORT_REFERENCE_PROGRESS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "support/reference_thread.h"

namespace gicsim::reference {

/// The elements of all locations as one numbered memory.
class Layout {
public:
    explicit Layout(const litmus::LitmusTest& test);

    [[nodiscard]] std::uint64_t raw(const litmus::Value& value) const {
        return value.is_address() ? addresses_[value.location] + value.number : value.number;
    }
    [[nodiscard]] std::size_t cell(std::size_t location, std::size_t element) const {
        return first_cells_[location] + element;
    }
    /// The element that an access is to. Throws Unsupported when it is none.
    [[nodiscard]] std::size_t cell_of(std::uint64_t address, unsigned size) const;
    [[nodiscard]] std::size_t cells() const { return cells_; }
    [[nodiscard]] const std::vector<std::uint64_t>& addresses() const { return addresses_; }

private:
    const litmus::LitmusTest& test_;
    std::vector<std::uint64_t> addresses_;  ///< of the locations
    std::vector<std::size_t> first_cells_;  ///< of the locations
    std::size_t cells_ = 0;
};

/// How far one thread has come on its path, and all that follows from that alone.
struct Progress {
    ThreadState state;
    Evaluation known;
    std::vector<std::optional<std::size_t>> cells;  ///< by event, when the address is known
    bool is_possible = true;                        ///< no guess and no coherence rule is broken
    std::uint64_t enabled = 0;                      ///< bit i: the own thread lets event i be performed now
    std::vector<std::size_t> locked;                ///< cells read for an update whose write is still to come

    [[nodiscard]] bool is_over(const Trace& trace) const {
        return state.performed + 1 == std::uint64_t{1} << trace.events.size();
    }
};

/// All states of one thread on one path that a search has met, each worked out once.
class ThreadHistory {
public:
    ThreadHistory(std::size_t thread, const Trace& trace,
                  const std::array<std::uint64_t, litmus::register_count>& registers, const Layout& layout)
        : thread_(thread), trace_(trace), registers_(registers), layout_(layout) {}

    [[nodiscard]] const Trace& trace() const { return trace_; }
    const Progress& find(ThreadState state);
    const Progress& start();
    /// `from` with one more event performed. @param value and source of a read
    const Progress& perform(const Progress& from, std::size_t event, std::uint64_t value, WriteId source);

private:
    void work_out(Progress& progress) const;
    [[nodiscard]] bool may_perform(const Progress& progress, std::size_t event) const;
    [[nodiscard]] bool is_resolved_before(const Progress& progress, std::size_t step) const;
    [[nodiscard]] bool aliases_performed_read(const Progress& progress, std::size_t event) const;
    void find_locked(Progress& progress) const;

    std::size_t thread_;
    const Trace& trace_;
    const std::array<std::uint64_t, litmus::register_count>& registers_;
    const Layout& layout_;
    std::unordered_map<std::string, std::unique_ptr<Progress>> met_;
};

}  // namespace gicsim::reference

#endif
