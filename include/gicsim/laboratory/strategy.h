#ifndef GICSIM_LABORATORY_STRATEGY_H
#define GICSIM_LABORATORY_STRATEGY_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gicsim/timeline/variation.h"

namespace gicsim {

/// Decides what the models leave open: where lines are at the start, and how much longer than its least time each
/// thing takes. The same decisions give the same execution, to the femtosecond.
class Strategy : public Variation::Source {
public:
    /// One of `alternatives`, counted from 0.
    virtual unsigned choose(unsigned alternatives) = 0;
};

/// Every decision at random, each execution from a number of its own.
class RandomStrategy : public Strategy {
public:
    explicit RandomStrategy(std::uint64_t seed) : seed_(seed) {}
    /// From now on the decisions of this execution.
    void begin(std::uint64_t execution);
    unsigned choose(unsigned alternatives) override;
    Time delay(Varying what) override;

private:
    std::uint64_t next();
    std::uint64_t seed_;
    std::uint64_t state_ = 0;
    unsigned odds_ = 0;  ///< of this execution: in how many of 16 cases something takes longer
};

/// Goes through all decisions, depth first. Each thing takes its least time or much longer; messages between caches
/// and packets of the stream links always take their least time, so that the number of executions stays small.
class SystematicStrategy : public Strategy {
public:
    /// Starts the next execution, the first one included.
    void begin() { position_ = 0; }
    /// After an execution: on to the next set of decisions; false when there is none.
    bool advance();
    unsigned choose(unsigned alternatives) override;
    Time delay(Varying what) override;

    /// The largest number of decisions in one execution so far.
    [[nodiscard]] std::size_t choice_points() const { return deepest_; }
    /// The part of the tree of decisions that lies behind, 0 to 1.
    [[nodiscard]] double share_explored() const;
    [[nodiscard]] bool complete() const { return complete_; }
    /// The decisions of the execution that is under way or has just ended.
    [[nodiscard]] std::vector<unsigned> decisions() const;

private:
    struct Decision {
        unsigned choice;
        unsigned alternatives;
    };
    std::vector<Decision> decisions_;
    std::size_t position_ = 0;
    std::size_t deepest_ = 0;
    bool complete_ = false;
};

/// Decides as another strategy did before.
class ReplayStrategy : public Strategy {
public:
    explicit ReplayStrategy(std::vector<unsigned> decisions) : decisions_(std::move(decisions)) {}
    unsigned choose(unsigned alternatives) override;
    Time delay(Varying what) override;

private:
    std::vector<unsigned> decisions_;
    std::size_t position_ = 0;
};

}  // namespace gicsim

#endif
