#include "gicsim/laboratory/campaign.h"

#include <fmt/format.h>

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
        if (execution.lost_sgi) {
            if (result_.untargeted++ == 0) lost_sgi_ = execution.lost_sgi;
        }
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

    /// The first one.
    [[nodiscard]] const std::optional<Interpreter::LostSgi>& lost_sgi() const { return lost_sgi_; }

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
    std::optional<Interpreter::LostSgi> lost_sgi_;
};

Finding finding_of(const CampaignResult& result) {
    const litmus::Verdict verdict = result.expected.verdict;
    const std::uint64_t ended = result.executions - result.stuck - result.exhausted;
    if (verdict == litmus::Verdict::unknown) {
        return ended == 0 && result.executions > 0 ? Finding::unfinished : Finding::no_verdict;
    }
    if (result.asked_for > 0) return verdict == litmus::Verdict::forbidden ? Finding::violation : Finding::ok;
    if (result.untargeted > 0) return Finding::no_target;
    if (ended < result.executions) return Finding::unfinished;
    if (result.interrupted) return Finding::partial;
    return verdict == litmus::Verdict::forbidden ? Finding::ok : Finding::not_seen;
}

std::string why_not_seen(const CampaignResult& result) {
    if (result.expected.needs_split_rmw && (result.complete || result.executions >= enough_executions)) {
        return "a read-modify-write of this core reads and writes at one moment, when it owns the line: nothing that "
               "needs its value comes before its write is visible";
    }
    std::string text = fmt::format("not reached in {} executions", result.executions);
    if (result.complete) return text + "; the systematic search was complete";
    if (result.systematic > 0) text += fmt::format(" (systematic search: {:.2g} %)", 100 * result.share_explored);
    return text;
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
        case Finding::unfinished: return "unfinished";
        case Finding::no_target: return "no target";
        case Finding::partial: return "partial";
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
    if (search.lost_sgi()) result.remark = arena.explain(*search.lost_sgi());
    if (result.finding == Finding::not_seen) result.remark = why_not_seen(result);
    if (result.finding == Finding::unfinished) {
        result.remark =
            fmt::format("{} of {} executions came to no end", result.stuck + result.exhausted, result.executions);
    }
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
