#ifndef GICSIM_LABORATORY_CAMPAIGN_H
#define GICSIM_LABORATORY_CAMPAIGN_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gicsim/laboratory/arena.h"

namespace gicsim {

/// After so many executions, or a complete search, what has not been seen is taken to be out of the core's reach if the
/// test says that it needs what the core does not do.
constexpr std::uint64_t enough_executions = 10'000;

/// How long and how a test is searched.
struct CampaignOptions {
    std::uint64_t iterations = 10'000;  ///< executions in all
    std::uint64_t systematic = 4'000;   ///< at most so many of them by systematic search, the others at random
    std::uint64_t seed = 1;
};

/// How to have an execution once more.
struct Replay {
    bool systematic = false;
    std::uint64_t execution = 0;      ///< number of a random one
    std::vector<unsigned> decisions;  ///< of a systematic one
};

/// A final state that was seen.
struct StateCount {
    litmus::FinalState state;
    std::uint64_t count = 0;
    bool asked_for = false;  ///< one that the test's verdict is about
    Replay shortest;         ///< the execution with the fewest events that led to it
    std::uint64_t events = 0;
};

enum class Finding : std::uint8_t {
    ok,          ///< as expected: forbidden and not seen, or allowed and seen
    violation,   ///< forbidden and seen
    not_seen,    ///< allowed and not seen: proves nothing
    no_verdict,  ///< nothing is expected
    // Of what would be ok or not seen otherwise, because nothing that is asked for was seen:
    unfinished,  ///< executions came to no end: a thread waits for ever or goes round in circles
    no_target,   ///< an SGI reached no CPU of the test
    partial,     ///< the search was broken off
};
/// "ok", "VIOLATION", "not seen", "no verdict", "unfinished", "no target", "partial"
const char* finding_name(Finding finding);

/// What came out of one test.
struct CampaignResult {
    std::string name;
    std::string file;
    litmus::Expected expected;
    std::string condition;
    std::vector<StateCount> states;  ///< in order of their values
    std::vector<std::string> state_texts;
    std::uint64_t executions = 0;
    std::uint64_t stuck = 0;
    std::uint64_t exhausted = 0;
    std::uint64_t asked_for = 0;    ///< executions in a state that the verdict is about
    std::size_t choice_points = 0;  ///< of the systematic search: most in one execution
    std::uint64_t systematic = 0;   ///< executions of the systematic search
    double share_explored = 0;      ///< of its decisions, 0 to 1
    bool complete = false;          ///< all of them
    std::uint64_t events = 0;
    std::uint64_t untargeted = 0;  ///< executions in which an SGI reached no CPU of the test
    bool interrupted = false;
    Finding finding = Finding::no_verdict;
    std::string remark;  ///< why it is not seen, as far as that is known; which SGI reached nobody
};

/// Searches for the final states of a test that the arena has loaded.
CampaignResult run_campaign(Arena& arena, const CampaignOptions& options, const Platform::Monitor& monitor = {});

/// The timeline of one execution of the test that the arena has loaded.
Witness replay(Arena& arena, const CampaignOptions& options, const Replay& which);

}  // namespace gicsim

#endif
