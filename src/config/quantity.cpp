#include "gicsim/config/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "gicsim/config/suggestion.h"

namespace gicsim {

namespace {

constexpr std::int64_t fs_per_second = 1'000'000'000'000'000;

struct Unit {
    std::string_view name;
    std::int64_t factor;  ///< of the smallest unit
};

constexpr std::array<Unit, 6> time_units = {{{"fs", 1},
                                             {"ps", 1'000},
                                             {"ns", 1'000'000},
                                             {"us", 1'000'000'000},
                                             {"ms", 1'000'000'000'000},
                                             {"s", fs_per_second}}};
constexpr std::array<Unit, 4> frequency_units = {
    {{"Hz", 1}, {"kHz", 1'000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}}};
constexpr std::array<Unit, 3> bandwidth_units = {
    {{"MB/s", 1'000'000}, {"GB/s", 1'000'000'000}, {"B/ns", 1'000'000'000}}};

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// A decimal numeral and what follows it.
struct Numeral {
    bool negative = false;
    std::string whole;
    std::string fraction;  ///< without trailing zeros
    std::string_view rest;

    [[nodiscard]] std::string text() const {
        return fmt::format("{}{}{}{}", negative ? "-" : "", whole, fraction.empty() ? "" : ".", fraction);
    }
};

std::optional<Numeral> split_numeral(std::string_view text) {
    Numeral numeral;
    text = trim(text);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        numeral.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    while (!text.empty() && (is_digit(text.front()) || (text.front() == '_' && !numeral.whole.empty()))) {
        if (text.front() != '_') numeral.whole += text.front();
        text.remove_prefix(1);
    }
    if (numeral.whole.empty()) return std::nullopt;
    if (text.size() > 1 && text.front() == '.' && is_digit(text[1])) {
        text.remove_prefix(1);
        while (!text.empty() && is_digit(text.front())) {
            numeral.fraction += text.front();
            text.remove_prefix(1);
        }
    }
    while (!numeral.fraction.empty() && numeral.fraction.back() == '0') numeral.fraction.pop_back();
    numeral.whole.erase(0, std::min(numeral.whole.find_first_not_of('0'), numeral.whole.size() - 1));
    numeral.rest = trim(text);
    return numeral;
}

/// numeral * factor as an exact integer: decimal arithmetic, never through double.
enum class Scaling : std::uint8_t { exact, inexact, too_large };
Scaling scale(const Numeral& numeral, std::int64_t factor, std::int64_t& result) {
    __extension__ using Wide = __int128;
    if (numeral.whole.size() > 18 || numeral.fraction.size() > 18) {
        return numeral.whole.size() > 18 ? Scaling::too_large : Scaling::inexact;
    }
    Wide digits = 0;
    for (const char c : numeral.whole + numeral.fraction) digits = digits * 10 + (c - '0');
    Wide divisor = 1;
    for (std::size_t i = 0; i < numeral.fraction.size(); ++i) divisor *= 10;
    // 36 digits times a factor of 10^15 pass 128 bits: cancel what the two have in common first.
    Wide wide_factor = factor;
    while (divisor > 1 && wide_factor % 10 == 0) {
        wide_factor /= 10;
        divisor /= 10;
    }
    if (digits % divisor != 0) return Scaling::inexact;
    digits /= divisor;
    if (digits != 0 && wide_factor > static_cast<Wide>(INT64_MAX) / digits) return Scaling::too_large;
    result = static_cast<std::int64_t>(digits * wide_factor);
    if (numeral.negative) result = -result;
    return Scaling::exact;
}

std::string show(std::int64_t amount, const ValueRule& rule) {
    const auto in_largest_unit = [amount](const auto& units) {
        const Unit* best = &units.front();
        for (const Unit& unit : units) {
            if (amount != 0 && amount % unit.factor == 0 && unit.factor >= best->factor) best = &unit;
        }
        return fmt::format("{} {}", amount / best->factor, best->name);
    };
    switch (rule.kind) {
        case UnitKind::time: return in_largest_unit(time_units);
        case UnitKind::frequency: return in_largest_unit(frequency_units);
        case UnitKind::bandwidth: return in_largest_unit(bandwidth_units);
        case UnitKind::cycles: return fmt::format("{} cycles", amount);
        case UnitKind::count: return fmt::format("{} {}", amount, rule.unit);
        case UnitKind::address: return fmt::format("{:#x}", amount);
        default: return fmt::format("{}", amount);
    }
}

class QuantityReader {
public:
    QuantityReader(const RawValue& raw, const ValueRule& rule, const std::string& path, ClockDomain clock)
        : raw_(raw), rule_(rule), path_(path), clock_(clock) {}

    [[nodiscard]] Quantity read() const {
        switch (rule_.kind) {
            case UnitKind::toggle: return toggle();
            case UnitKind::choice: return choice();
            case UnitKind::name: return name();
            case UnitKind::address: return address();
            case UnitKind::number: return number();
            default: return measured();
        }
    }

private:
    [[noreturn]] void fail(std::string message, std::string hint = {}) const {
        throw ConfigError(raw_.origin, path_, std::move(message), std::move(hint));
    }
    [[noreturn]] void wrong_type(std::string_view expected) const {
        static constexpr std::array<std::string_view, 5> names = {"a string", "an integer", "a decimal number",
                                                                  "a boolean", "a value"};
        fail(
            fmt::format("expected {}, found {} '{}'", expected, names[static_cast<std::size_t>(raw_.type)], raw_.text));
    }
    [[nodiscard]] bool is(RawValue::Type type) const {
        return raw_.type == type || raw_.type == RawValue::Type::untyped;
    }

    [[nodiscard]] Quantity bounded(std::int64_t amount, std::string text) const {
        if (amount < rule_.least || amount > rule_.greatest) {
            fail(fmt::format("'{}' is out of bounds", text), "allowed: " + describe_bounds(rule_));
        }
        Quantity quantity;
        quantity.amount = amount;
        quantity.text = std::move(text);
        quantity.canonical = rule_.kind == UnitKind::time        ? fmt::format("{} fs", amount)
                             : rule_.kind == UnitKind::frequency ? fmt::format("{} Hz", amount)
                             : rule_.kind == UnitKind::bandwidth ? fmt::format("{} B/s", amount)
                                                                 : show(amount, rule_);
        return quantity;
    }

    [[nodiscard]] Quantity toggle() const {
        if (!is(RawValue::Type::boolean) || (raw_.text != "true" && raw_.text != "false")) wrong_type("true or false");
        return {raw_.text == "true" ? 1 : 0, raw_.text, raw_.text};
    }

    [[nodiscard]] Quantity choice() const {
        if (!is(RawValue::Type::text)) wrong_type("a string");
        const auto found = std::find(rule_.choices.begin(), rule_.choices.end(), raw_.text);
        if (found == rule_.choices.end()) {
            const std::vector<std::string> known(rule_.choices.begin(), rule_.choices.end());
            fail(fmt::format("unknown choice '{}'", raw_.text), fmt::format("known: {}", fmt::join(known, ", ")));
        }
        return {found - rule_.choices.begin(), raw_.text, raw_.text};
    }

    [[nodiscard]] Quantity name() const {
        if (!is(RawValue::Type::text)) wrong_type("a string");
        const std::string word(trim(raw_.text));
        if (word.empty()) fail("is empty");
        return {0, word, word};
    }

    [[nodiscard]] Quantity address() const {
        if (!is(RawValue::Type::text)) wrong_type("a string such as \"0xae000000\"");
        std::uint64_t value = 0;
        const char* const end = raw_.text.data() + raw_.text.size();
        const bool prefixed =
            raw_.text.size() > 2 && raw_.text[0] == '0' && (raw_.text[1] == 'x' || raw_.text[1] == 'X');
        const auto [stop, error] = std::from_chars(raw_.text.data() + (prefixed ? 2 : 0), end, value, 16);
        if (!prefixed || error != std::errc{} || stop != end) {
            fail(fmt::format("'{}' is no hexadecimal address", raw_.text), "write it as \"0xae000000\"");
        }
        if (value > static_cast<std::uint64_t>(rule_.greatest)) return bounded(INT64_MAX, raw_.text);
        return bounded(static_cast<std::int64_t>(value), fmt::format("{:#x}", value));
    }

    [[nodiscard]] Quantity number() const {
        if (!is(RawValue::Type::integer)) wrong_type("an integer");
        const auto numeral = split_numeral(raw_.text);
        if (!numeral || !numeral->rest.empty()) fail(fmt::format("'{}' is no whole number", raw_.text));
        return bounded(whole(*numeral, 1, ""), numeral->text());
    }

    [[nodiscard]] std::int64_t whole(const Numeral& numeral, std::int64_t factor, std::string_view smallest) const {
        std::int64_t amount = 0;
        switch (scale(numeral, factor, amount)) {
            case Scaling::exact: break;
            case Scaling::inexact:
                fail(fmt::format("'{}' is no whole number{}{}", raw_.text, smallest.empty() ? "" : " of ", smallest));
            case Scaling::too_large:
                fail(fmt::format("'{}' is out of bounds", raw_.text), "allowed: " + describe_bounds(rule_));
        }
        return amount;
    }

    [[nodiscard]] Quantity measured() const {
        if (raw_.type == RawValue::Type::integer || raw_.type == RawValue::Type::decimal) {
            fail(fmt::format("'{}' has no unit", raw_.text), "write it as a string with " + describe_units(rule_));
        }
        if (!is(RawValue::Type::text)) wrong_type("a string with " + describe_units(rule_));
        const auto numeral = split_numeral(raw_.text);
        if (!numeral)
            fail(fmt::format("'{}' is no number with a unit", raw_.text), "expected " + describe_units(rule_));
        if (numeral->rest.empty()) {
            fail(fmt::format("'{}' has no unit", raw_.text), "expected " + describe_units(rule_));
        }
        const std::string text = fmt::format("{} {}", numeral->text(), numeral->rest);
        switch (rule_.kind) {
            case UnitKind::time:
                if (numeral->rest == "cycles" || numeral->rest == "cycle") return time_of_cycles(*numeral, text);
                return in_units(*numeral, time_units, "fs", text);
            case UnitKind::frequency: return in_units(*numeral, frequency_units, "Hz", text);
            case UnitKind::bandwidth: return in_units(*numeral, bandwidth_units, "bytes a second", text);
            case UnitKind::cycles:
                if (numeral->rest != "cycles" && numeral->rest != "cycle") unknown_unit(numeral->rest);
                return bounded(whole(*numeral, 1, "cycles"), text);
            default:
                // "1 entry" beside "47 entries": the singular is the word without its ending.
                if (numeral->rest != rule_.unit && numeral->rest != singular()) unknown_unit(numeral->rest);
                return bounded(whole(*numeral, 1, rule_.unit), text);
        }
    }

    [[nodiscard]] Quantity time_of_cycles(const Numeral& numeral, const std::string& text) const {
        const std::int64_t count = whole(numeral, 1, "cycles");
        if (count > 1'000'000'000)
            fail(fmt::format("'{}' is out of bounds", text), "allowed: " + describe_bounds(rule_));
        return bounded(count < 0 ? count : clock_.to_time(Cycles(count)).in_fs(), text);
    }

    template <typename Units>
    [[nodiscard]] Quantity in_units(const Numeral& numeral, const Units& units, std::string_view smallest,
                                    const std::string& text) const {
        for (const Unit& unit : units) {
            if (unit.name == numeral.rest) return bounded(whole(numeral, unit.factor, smallest), text);
        }
        unknown_unit(numeral.rest);
    }

    [[noreturn]] void unknown_unit(std::string_view unit) const {
        fail(fmt::format("unknown unit '{}'", unit), "expected " + describe_units(rule_));
    }
    [[nodiscard]] std::string singular() const {
        const std::string word(rule_.unit);
        if (word.ends_with("ies")) return word.substr(0, word.size() - 3) + "y";
        return word.ends_with("s") ? word.substr(0, word.size() - 1) : word;
    }

    const RawValue& raw_;
    const ValueRule& rule_;
    const std::string& path_;
    ClockDomain clock_;
};

}  // namespace

Time Quantity::time_per_byte() const {
    return Time::fs((2 * fs_per_second + amount) / (2 * amount));
}

Quantity read_quantity(const RawValue& raw, const ValueRule& rule, const std::string& path, ClockDomain clock) {
    return QuantityReader(raw, rule, path, clock).read();
}

std::string describe_units(const ValueRule& rule) {
    switch (rule.kind) {
        case UnitKind::time: return "fs, ps, ns, us, ms, s or cycles";
        case UnitKind::cycles: return "cycles";
        case UnitKind::frequency: return "Hz, kHz, MHz or GHz";
        case UnitKind::bandwidth: return "B/ns, GB/s or MB/s";
        case UnitKind::count: return std::string(rule.unit);
        case UnitKind::number: return "whole number";
        case UnitKind::choice: return fmt::format("one of: {}", fmt::join(rule.choices, ", "));
        case UnitKind::name: return rule.unit.empty() ? "name" : std::string(rule.unit);
        case UnitKind::toggle: return "true or false";
        case UnitKind::address: return "hexadecimal address";
    }
    return {};
}

std::string describe_bounds(const ValueRule& rule) {
    switch (rule.kind) {
        case UnitKind::choice:
        case UnitKind::name:
        case UnitKind::toggle: return {};
        default:
            // "1 to 64 entries", but "0 fs to 10 us": one unit is named once.
            if (rule.kind == UnitKind::count || rule.kind == UnitKind::cycles) {
                return fmt::format("{} to {}", rule.least, show(rule.greatest, rule));
            }
            return fmt::format("{} to {}", show(rule.least, rule), show(rule.greatest, rule));
    }
}

}  // namespace gicsim
