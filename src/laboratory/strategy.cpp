#include "gicsim/laboratory/strategy.h"

#include <algorithm>
#include <iterator>

namespace gicsim {
namespace {

/// Much longer than any transfer of a line or interrupt takes: whatever can overtake has done so by then.
constexpr Time long_delay = Time::us(1);

/// What the systematic search varies.
bool is_searched(Varying what) {
    return what != Varying::coherence_message && what != Varying::stream_packet;
}

std::uint64_t mix(std::uint64_t x) {
    // The finaliser of SplitMix64.
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}

}  // namespace

void RandomStrategy::begin(std::uint64_t execution) {
    state_ = mix(mix(seed_) + execution * 0x9E3779B97F4A7C15U);
    // Some executions run nearly undisturbed, in others nearly everything is late.
    static constexpr unsigned odds[] = {1, 3, 6, 10};
    odds_ = odds[next() % std::size(odds)];
}

std::uint64_t RandomStrategy::next() {
    state_ += 0x9E3779B97F4A7C15U;
    return mix(state_);
}

unsigned RandomStrategy::choose(unsigned alternatives) {
    return static_cast<unsigned>((next() >> 32) * alternatives >> 32);
}

Time RandomStrategy::delay(Varying) {
    const std::uint64_t random = next();
    if (random % 16 >= odds_) return Time{};
    // Delays of all sizes, as likely short as long: 2 ns to 1 us.
    const unsigned octave = (random >> 8) % 9;
    const auto within = static_cast<std::int64_t>(random >> 40);
    return Time::ns(std::int64_t{2} << octave) + Time::fs(within % 2'000'000);
}

bool SystematicStrategy::advance() {
    decisions_.resize(position_);
    while (!decisions_.empty()) {
        Decision& last = decisions_.back();
        if (++last.choice < last.alternatives) return true;
        decisions_.pop_back();
    }
    complete_ = true;
    return false;
}

unsigned SystematicStrategy::choose(unsigned alternatives) {
    if (alternatives < 2) return 0;
    if (position_ == decisions_.size()) decisions_.push_back({0, alternatives});
    deepest_ = std::max(deepest_, position_ + 1);
    return decisions_[position_++].choice;
}

Time SystematicStrategy::delay(Varying what) {
    return is_searched(what) && choose(2) == 1 ? long_delay : Time{};
}

double SystematicStrategy::share_explored() const {
    if (complete_) return 1;
    double share = 0;
    double part = 1;
    for (const Decision& decision : decisions_) {
        part /= decision.alternatives;
        share += part * decision.choice;
    }
    return share;
}

std::vector<unsigned> SystematicStrategy::decisions() const {
    std::vector<unsigned> list;
    for (std::size_t i = 0; i < position_; ++i) list.push_back(decisions_[i].choice);
    return list;
}

unsigned ReplayStrategy::choose(unsigned alternatives) {
    if (alternatives < 2 || position_ >= decisions_.size()) return 0;
    return decisions_[position_++];
}

Time ReplayStrategy::delay(Varying what) {
    return is_searched(what) && choose(2) == 1 ? long_delay : Time{};
}

}  // namespace gicsim
