#include "gicsim/laboratory/campaign.h"

#include <algorithm>

namespace gicsim {
namespace {

/// First systematically, then at random, and counts.
class Search : public Arena::Director {
public:
    Search(const litmus::LitmusTest& test, const CampaignOptions& options, CampaignResult& result)
        : test_(test), options_(options), result_(result), random_(options.seed) {}

    Strategy* next() override {
        if (result_.executions >= options_.iterations) return nullptr;
        if (!systematic_over_ && result_.systematic < std::min(options_.systematic, options_.iterations)) {
            systematic_.begin();
            in_systematic_ = true;
            return &systematic_;
        }
        in_systematic_ = false;
        random_.begin(random_executions_);
        return &random_;
    }

    void ended(const Arena::Execution& execution) override {
        ++result_.executions;
        result_.events += execution.events;
        switch (execution.end) {
            case Arena::End::complete: count(execution); break;
            case Arena::End::stuck: ++result_.stuck; break;
            case Arena::End::exhausted: ++result_.exhausted; break;
        }
        if (in_systematic_) {
            ++result_.systematic;
            systematic_over_ = !systematic_.advance();
            result_.choice_points = systematic_.choice_points();
            result_.share_explored = systematic_.share_explored();
            result_.complete = systematic_.complete();
        } else {
            ++random_executions_;
        }
    }

private:
    void count(const Arena::Execution& execution) {
        auto found = std::find_if(result_.states.begin(), result_.states.end(),
                                  [&](const StateCount& each) { return each.state == execution.state; });
        if (found == result_.states.end()) {
            result_.states.push_back(
                {execution.state, 0, litmus::is_asked_for(test_.condition, execution.state), {}, 0});
            found = std::prev(result_.states.end());
        }
        ++found->count;
        if (found->asked_for) ++result_.asked_for;
        if (found->count > 1 && execution.events >= found->events) return;
        found->events = execution.events;
        found->shortest =
            in_systematic_ ? Replay{true, 0, systematic_.decisions()} : Replay{false, random_executions_, {}};
    }

    const litmus::LitmusTest& test_;
    const CampaignOptions& options_;
    CampaignResult& result_;
    SystematicStrategy systematic_;
    RandomStrategy random_;
    bool in_systematic_ = false;
    bool systematic_over_ = false;
    std::uint64_t random_executions_ = 0;
};

Finding finding_of(const CampaignResult& result) {
    switch (result.expected.verdict) {
        case litmus::Verdict::unknown: return Finding::no_verdict;
        case litmus::Verdict::forbidden: return result.asked_for > 0 ? Finding::violation : Finding::ok;
        case litmus::Verdict::allowed: return result.asked_for > 0 ? Finding::ok : Finding::not_seen;
    }
    return Finding::no_verdict;
}

/// A property of the core that keeps an allowed state away, as far as the test's instructions tell.
std::string why_not_seen(const litmus::LitmusTest& test) {
    for (const litmus::Thread& thread : test.threads) {
        for (const litmus::Instruction& i : thread.program.instructions) {
            if (i.opcode == litmus::Opcode::atomic || i.opcode == litmus::Opcode::compare_and_swap ||
                i.opcode == litmus::Opcode::store_exclusive) {
                return "a read-modify-write of this core reads and writes at one moment, when it owns the line: "
                       "nothing "
                       "that needs its value comes before its write is visible";
            }
        }
    }
    return {};
}

class Once : public Arena::Director {
public:
    explicit Once(Strategy& strategy) : strategy_(&strategy) {}
    Strategy* next() override { return std::exchange(strategy_, nullptr); }
    void ended(const Arena::Execution&) override {}

private:
    Strategy* strategy_;
};

}  // namespace

const char* finding_name(Finding finding) {
    switch (finding) {
        case Finding::ok: return "ok";
        case Finding::violation: return "VIOLATION";
        case Finding::not_seen: return "not seen";
        case Finding::no_verdict: return "no verdict";
    }
    return "?";
}

CampaignResult run_campaign(Arena& arena, const CampaignOptions& options, const Platform::Monitor& monitor) {
    const litmus::LitmusTest& test = arena.test();
    CampaignResult result;
    result.name = test.name;
    result.file = test.file;
    result.expected = test.expected;
    result.condition = std::string(litmus::to_string(test.condition.quantifier)) + " (" +
                       litmus::to_string(test, test.condition.expression) + ")";
    Search search(test, options, result);
    result.interrupted = arena.run(search, monitor) == Platform::End::interrupted;
    std::sort(result.states.begin(), result.states.end(),
              [](const StateCount& a, const StateCount& b) { return a.state < b.state; });
    for (const StateCount& each : result.states) result.state_texts.push_back(litmus::to_string(test, each.state));
    result.finding = finding_of(result);
    if (result.finding == Finding::not_seen) result.why_not_seen = why_not_seen(test);
    return result;
}

Witness replay(Arena& arena, const CampaignOptions& options, const Replay& which) {
    Witness witness;
    arena.record(&witness);
    if (which.systematic) {
        ReplayStrategy strategy(which.decisions);
        Once once(strategy);
        arena.run(once);
    } else {
        RandomStrategy strategy(options.seed);
        strategy.begin(which.execution);
        Once once(strategy);
        arena.run(once);
    }
    arena.record(nullptr);
    return witness;
}

}  // namespace gicsim
