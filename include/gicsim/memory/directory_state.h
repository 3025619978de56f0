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

/// What one level of a directory-based MESI protocol knows of one line. Its children hold copies of the line; it may
/// itself be the child of a parent directory, or the root, behind which is memory. It handles one request at a time and
/// queues the others in order of arrival; a snoop from its parent overtakes a request that waits for that same parent
/// (otherwise two directories that want the same line would wait for each other for ever).
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

    DirectoryState() : DirectoryState(Level::inner) {}
    /// Behind the root is only memory: nobody else can hold what it governs.
    explicit DirectoryState(Level level)
        : permission_(level == Level::root ? Permission::exclusive : Permission::none), level_(level) {}

    /// A child asks for a copy.
    void request(unsigned child, bool exclusive, Effects& effects);
    /// A child answers a snoop. `data` is null when it carries none.
    void snoop_answer(unsigned child, const LineData* data, Effects& effects);
    /// The parent snoops this level.
    void parent_snoop(bool invalidate, bool fetch, Effects& effects);
    /// The parent grants what was asked of it.
    void parent_grant(bool exclusive, const LineData* data, Effects& effects);
    /// What the line was busy with after all answers had come is over: the child that was granted it has it, or the
    /// time of an answer that was handled ahead has come.
    void settled(Effects& effects);
    /// Root: the read asked for by a `memory` effect is done.
    void memory_read(Effects& effects);

    /// Is one answer to a snoop all that it waits for? Until that has come, inputs are only queued.
    [[nodiscard]] bool waits_for_one_answer() const { return answers_left_ == 1; }
    /// Makes an idle line busy until settled(). False when it is busy anyway.
    bool hold();

    /// Who holds copies, as if it had always been so; nothing of the line is under way.
    struct Holders {
        int owner = -1;         ///< child with the only copy, dirty
        ChildSet sharers;       ///< children with copies
        bool readable = false;  ///< inner level: its parent knows that it, or a child of it, has a copy
        LineData data{};
    };
    void preset(const Holders& holders);
    /// What it has of the line itself: of the root, what memory holds.
    [[nodiscard]] const LineData& data() const { return data_; }

    /// The child that holds the line exclusively, or -1; for tests.
    [[nodiscard]] int owner() const { return owner_; }

private:
    enum class Permission : std::uint8_t { none, shared, exclusive };
    enum class Phase : std::uint8_t { idle, parent, snooping, memory, settling };
    enum class ParentSnoop : std::uint8_t { none, deferred, active };

    struct Request {
        std::uint8_t child = 0;
        bool exclusive = false;
    };

    void start(Effects& effects);
    void start_exclusive(Effects& effects);
    void start_shared(Effects& effects);
    void finish(Effects& effects);
    void next(Effects& effects);
    void start_parent_snoop(Effects& effects);
    void finish_parent_snoop(Effects& effects);
    void ask_parent(CoherenceKind kind, Effects& effects);
    static void snoop_child(unsigned child, bool invalidate, bool fetch, Effects& effects);

    LineData data_{};
    ChildSet sharers_;
    std::vector<Request> queue_;
    std::int16_t owner_ = -1;
    std::uint16_t answers_left_ = 0;
    Request current_;
    Permission permission_;
    Phase phase_ = Phase::idle;
    ParentSnoop parent_snoop_ = ParentSnoop::none;
    Level level_;
    bool snoop_invalidate_ = false;
    bool snoop_fetch_ = false;
    bool data_valid_ = false;
    bool data_fresh_ = false;  ///< arrived with the answer that is being handled
};

}  // namespace gicsim

#endif
