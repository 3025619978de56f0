#ifndef GICSIM_CONFIG_QUANTITY_H
#define GICSIM_CONFIG_QUANTITY_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gicsim/arch/time.h"
#include "gicsim/config/error.h"

namespace gicsim {

/// A value as it was written, before anyone knows what it is for.
struct RawValue {
    enum class Type : std::uint8_t {
        text,     ///< a TOML string
        integer,  ///< a TOML integer
        decimal,  ///< a TOML float
        boolean,  ///< a TOML boolean
        untyped,  ///< from the command line: whatever the text can be read as
    };
    Type type = Type::untyped;
    std::string text;
    Origin origin;
};

/// What a value measures, and so which units it may carry.
enum class UnitKind : std::uint8_t {
    time,       ///< fs, ps, ns, us, ms, s, or cycles of the core clock
    cycles,     ///< cycles of the core clock only
    frequency,  ///< Hz, kHz, MHz, GHz
    bandwidth,  ///< B/ns, MB/s, GB/s (powers of ten)
    count,      ///< a whole number and a unit word
    number,     ///< a whole number that has no unit, such as a seed or a CPU
    choice,     ///< one of a list of words
    name,       ///< a word that something else checks: a fabric node, a CPU list
    toggle,     ///< true or false
    address,    ///< physical address in hexadecimal
};

/// What a value has to look like.
struct ValueRule {
    UnitKind kind = UnitKind::number;
    std::string_view unit;   ///< unit word of a count
    std::int64_t least = 0;  ///< in fs, cycles, Hz, bytes a second, or as written
    std::int64_t greatest = INT64_MAX;
    std::vector<std::string_view> choices;  ///< of a choice
};

/// A value that has been read and found to fit its rule.
struct Quantity {
    std::int64_t amount = 0;  ///< fs, cycles, Hz, bytes a second, the number, 0 or 1, the address
    std::string text;         ///< normalised: "45 ns", "6 cycles", "dsb st"
    std::string canonical;    ///< what it comes to, one spelling a meaning: "45000000 fs"

    [[nodiscard]] Time time() const { return Time::fs(amount); }
    [[nodiscard]] Cycles cycles() const { return Cycles(amount); }
    [[nodiscard]] bool on() const { return amount != 0; }
    [[nodiscard]] unsigned count() const { return static_cast<unsigned>(amount); }
    /// Of a bandwidth: how long one byte takes, rounded half up to a femtosecond.
    [[nodiscard]] Time time_per_byte() const;
};

/// Reads `raw` by `rule`. Throws ConfigError, which names `path`, on a wrong type, a missing or unknown unit, a value
/// out of bounds, or one that is no whole number of the smallest unit.
/// @param clock turns cycles into time; the cycles of UnitKind::cycles stay cycles.
Quantity read_quantity(const RawValue& raw, const ValueRule& rule, const std::string& path, ClockDomain clock);

/// "fs, ps, ns, us, ms, s or cycles", "one of: home, chip-to-chip", ...: what may be written for a rule.
std::string describe_units(const ValueRule& rule);
/// "0 fs to 1 ms", "1 to 1024 entries"; empty for words and switches.
std::string describe_bounds(const ValueRule& rule);

}  // namespace gicsim

#endif
