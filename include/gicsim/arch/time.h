#ifndef GICSIM_ARCH_TIME_H
#define GICSIM_ARCH_TIME_H

#include <compare>
#include <cstdint>

namespace gicsim {

/// A point in, or a length of, simulated time in whole femtoseconds (1e-15 s).
/// 64 bits reach 9,223 s; arithmetic is exact integer arithmetic throughout.
class Time {
public:
    constexpr Time() = default;

    static constexpr Time fs(std::int64_t count) { return Time(count); }
    static constexpr Time ps(std::int64_t count) { return Time(count * 1'000); }
    static constexpr Time ns(std::int64_t count) { return Time(count * 1'000'000); }
    static constexpr Time us(std::int64_t count) { return Time(count * 1'000'000'000); }
    static constexpr Time ms(std::int64_t count) { return Time(count * 1'000'000'000'000); }
    static constexpr Time max() { return Time(INT64_MAX); }

    [[nodiscard]] constexpr std::int64_t in_fs() const { return fs_; }
    /// For reports only; models never leave integer arithmetic.
    [[nodiscard]] constexpr double in_ns() const { return static_cast<double>(fs_) / 1e6; }

    constexpr auto operator<=>(const Time&) const = default;
    constexpr Time& operator+=(Time other) {
        fs_ += other.fs_;
        return *this;
    }
    constexpr Time& operator-=(Time other) {
        fs_ -= other.fs_;
        return *this;
    }
    friend constexpr Time operator+(Time a, Time b) { return Time(a.fs_ + b.fs_); }
    friend constexpr Time operator-(Time a, Time b) { return Time(a.fs_ - b.fs_); }
    friend constexpr Time operator*(Time a, std::int64_t n) { return Time(a.fs_ * n); }
    friend constexpr Time operator*(std::int64_t n, Time a) { return a * n; }

private:
    constexpr explicit Time(std::int64_t count) : fs_(count) {}
    std::int64_t fs_ = 0;
};

/// A number of cycles of a named clock; means nothing without its ClockDomain.
class Cycles {
public:
    constexpr Cycles() = default;
    constexpr explicit Cycles(std::int64_t count) : count_(count) {}
    [[nodiscard]] constexpr std::int64_t count() const { return count_; }
    constexpr auto operator<=>(const Cycles&) const = default;
    friend constexpr Cycles operator+(Cycles a, Cycles b) { return Cycles(a.count_ + b.count_); }

private:
    std::int64_t count_ = 0;
};

/// A clock of a fixed frequency: the one place where cycles become time.
class ClockDomain {
public:
    /// @param hertz frequency in Hz, greater than zero.
    constexpr explicit ClockDomain(std::int64_t hertz) : hertz_(hertz) {}

    [[nodiscard]] constexpr std::int64_t hertz() const { return hertz_; }

    /// Length of `cycles`, rounded half up to a femtosecond once, not cycle by cycle.
    [[nodiscard]] constexpr Time to_time(Cycles cycles) const {
        constexpr std::int64_t fs_per_second = 1'000'000'000'000'000;
        __extension__ using Wide = __int128;
        const Wide product = static_cast<Wide>(cycles.count()) * fs_per_second;
        return Time::fs(static_cast<std::int64_t>((2 * product + hertz_) / (2 * static_cast<Wide>(hertz_))));
    }

private:
    std::int64_t hertz_;
};

}  // namespace gicsim

#endif
