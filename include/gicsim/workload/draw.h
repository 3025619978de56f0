#ifndef GICSIM_WORKLOAD_DRAW_H
#define GICSIM_WORKLOAD_DRAW_H

#include <cstdint>
#include <string_view>

namespace gicsim {

/// A source of random numbers of its own for each (seed, name): adding one changes none of the others. SplitMix64
/// (Steele, Lea, Flood, OOPSLA 2014), seeded by an FNV-1a hash of the name.
class Draw {
public:
    Draw(std::uint64_t seed, std::string_view name) : state_(seed * 0x9E3779B97F4A7C15U) {
        std::uint64_t hash = 0xCBF29CE484222325U;
        for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
        state_ ^= hash;
    }

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
        z = (z ^ z >> 27) * 0x94D049BB133111EBU;
        return z ^ z >> 31;
    }
    /// Uniform over 0 to bound - 1; the bias of the remainder is below 2^-40 for the bounds in use.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }

private:
    std::uint64_t state_;
};

}  // namespace gicsim

#endif
