#ifndef GICSIM_MEMORY_DIRECTORY_STATE_H
#define GICSIM_MEMORY_DIRECTORY_STATE_H

#include <array>
#include <bit>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <vector>

#include "gicsim/memory/coherence_message.h"

namespace gicsim {

/// A set of the children of a directory, numbered 0 to 127.
class ChildSet {
public:
    static constexpr unsigned capacity = 128;
    void insert(unsigned child) { words_[child / 64] |= std::uint64_t{1} << child % 64; }
    void erase(unsigned child) { words_[child / 64] &= ~(std::uint64_t{1} << child % 64); }
    [[nodiscard]] bool contains(unsigned child) const { return (words_[child / 64] >> child % 64 & 1) != 0; }
    [[nodiscard]] bool empty() const { return (words_[0] | words_[1]) == 0; }
    void clear() { words_ = {}; }
    template <class F>
    void for_each(F&& f) const {
        for (unsigned w = 0; w < words_.size(); ++w) {
            for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
                f(w * 64 + static_cast<unsigned>(std::countr_zero(bits)));
            }
        }
    }

private:
    std::array<std::uint64_t, 2> words_{};
};

/// One level of a directory-based MESI protocol. Its children hold copies of lines; it may itself be the child of a
/// parent directory, or the root, behind which is memory. It handles one request a line at a time and queues the
/// others in order of arrival; a snoop from its parent overtakes a request that waits for that same parent (otherwise
/// two directories that want the same line would wait for each other for ever).
///
/// After a grant the line stays busy until the child has acknowledged it, so that no snoop can meet a child that does
/// not have its grant yet.
///
/// A line is granted exclusively only when every other holder has answered its snoop: that answer is what "complete"
/// means for a store (other-multi-copy atomicity, DDI 0487 B2.3).
///
/// Pure: inputs return effects, time is the shell's.
class DirectoryState {
public:
    enum class Level : std::uint8_t { inner, root };

    struct Effect {
        enum class To : std::uint8_t { child, parent, memory };
        To to = To::child;
        CoherenceKind kind{};            ///< of the message; unused for `memory`, which asks for a read
        const LineData* data = nullptr;  ///< what the message carries, valid until the next input
        bool fetch = false;
        bool supplied = false;  ///< the data come from this level's own array, not straight out of an answer
        bool awaited = false;   ///< of a grant: somebody waits for its acknowledgement
        std::uint8_t child = 0;
    };
    /// Room for a snoop to every child; nothing is allocated.
    using Effects = boost::container::static_vector<Effect, ChildSet::capacity + 2>;

    explicit DirectoryState(Level level) : level_(level) {}

    void reset() { lines_.clear(); }

    /// A child asks for a copy.
    void request(unsigned child, LineId line, bool exclusive, Effects& effects);
    /// A child answers a snoop. `data` is null when it carries none.
    void snoop_answer(unsigned child, LineId line, const LineData* data, Effects& effects);
    /// The parent snoops this level.
    void parent_snoop(LineId line, bool invalidate, bool fetch, Effects& effects);
    /// The parent grants what was asked of it.
    void parent_grant(LineId line, bool exclusive, const LineData* data, Effects& effects);
    /// The child that was granted the line last has it.
    void acknowledged(LineId line, Effects& effects);
    /// Root: the read asked for by a `memory` effect is done.
    void memory_read(LineId line, Effects& effects);

    /// The child that holds the line exclusively, or -1; for tests.
    [[nodiscard]] int owner(LineId line) const;

private:
    enum class Permission : std::uint8_t { none, shared, exclusive };
    enum class Phase : std::uint8_t { idle, parent, snooping, memory, granted };
    enum class ParentSnoop : std::uint8_t { none, deferred, active };

    struct Request {
        std::uint8_t child = 0;
        bool exclusive = false;
    };
    struct Line {
        LineData data{};
        ChildSet sharers;
        std::vector<Request> queue;
        std::int16_t owner = -1;
        std::uint16_t answers_left = 0;
        Request current;
        Permission permission = Permission::none;
        Phase phase = Phase::idle;
        ParentSnoop parent_snoop = ParentSnoop::none;
        bool snoop_invalidate = false;
        bool snoop_fetch = false;
        bool data_valid = false;
        bool data_fresh = false;  ///< arrived with the answer that is being handled
    };

    Line& line_of(LineId line);
    void start(Line& entry, Effects& effects);
    void start_exclusive(Line& entry, Effects& effects);
    void start_shared(Line& entry, Effects& effects);
    void finish(Line& entry, Effects& effects);
    void next(Line& entry, Effects& effects);
    void start_parent_snoop(Line& entry, Effects& effects);
    void finish_parent_snoop(Line& entry, Effects& effects);
    void ask_parent(Line& entry, CoherenceKind kind, Effects& effects);
    static void snoop_child(unsigned child, bool invalidate, bool fetch, Effects& effects);

    Level level_;
    LineTable<Line> lines_;
};

}  // namespace gicsim

#endif
