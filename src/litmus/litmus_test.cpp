#include "gicsim/litmus/litmus_test.h"

#include <fmt/format.h>

#include "text.h"

namespace gicsim::litmus {

std::optional<std::uint64_t> Thread::vector_base() const {
    for (const InitialSystemRegister& initial : system_registers) {
        if (initial.reg == SystemRegister::VBAR_EL1 && !initial.value.is_address()) return initial.value.number;
    }
    return std::nullopt;
}

std::optional<std::size_t> LitmusTest::find_location(std::string_view wanted) const {
    for (std::size_t i = 0; i < locations.size(); ++i) {
        if (locations[i].name == wanted) return i;
    }
    return std::nullopt;
}

Value symbolic_value(const LitmusTest& test, std::span<const std::uint64_t> addresses, std::uint64_t raw) {
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        if (raw >= addresses[i] && raw - addresses[i] < test.locations.at(i).size()) {
            return {static_cast<std::uint32_t>(i), raw - addresses[i]};
        }
    }
    return {no_location, raw};
}

std::optional<Verdict> parse_verdict(std::string_view text) {
    const std::string lower = to_lower(text);
    if (lower == "allowed") return Verdict::allowed;
    if (lower == "forbidden") return Verdict::forbidden;
    return std::nullopt;
}

std::string family_of(std::string_view name) {
    // Shapes such as 2+2W have a '+' of their own.
    const std::size_t from = name.find_first_not_of("0123456789");
    const bool number_first = from != std::string_view::npos && from > 0 && name[from] == '+';
    return std::string(name.substr(0, name.find('+', number_first ? from + 1 : 0)));
}

std::string_view to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::unknown: break;
        case Verdict::allowed: return "Allowed";
        case Verdict::forbidden: return "Forbidden";
    }
    return "unknown";
}

std::string_view to_string(Quantifier quantifier) {
    switch (quantifier) {
        case Quantifier::exists: break;
        case Quantifier::not_exists: return "~exists";
        case Quantifier::for_all: return "forall";
    }
    return "exists";
}

std::string to_string(const LitmusTest& test, const Value& value) {
    if (!value.is_address()) {
        return value.number < 1024 ? fmt::format("{}", value.number) : fmt::format("{:#x}", value.number);
    }
    const std::string& name = test.locations.at(value.location).name;
    return value.number == 0 ? name : fmt::format("{}+{}", name, value.number);
}

std::string to_string(const LitmusTest& test, const Observable& observable) {
    if (observable.kind == Observable::Kind::reg) {
        std::string name = to_string(observable.reg, observable.bits);
        if (!observable.reg.is_stack_pointer() && !observable.reg.is_zero()) {
            name.front() = observable.bits == 32 ? 'W' : 'X';
        }
        return fmt::format("{}:{}", observable.thread, name);
    }
    const Location& location = test.locations.at(observable.location);
    if (location.initial.size() == 1) return location.name;
    return fmt::format("{}[{}]", location.name, observable.element);
}

std::string to_string(const LitmusTest& test, const Expression& expression) {
    const auto comparison = [&](std::string_view sign) {
        return fmt::format("{}{}{}", to_string(test, test.observables.at(expression.observable)), sign,
                           to_string(test, expression.value));
    };
    const auto joined = [&](std::string_view sign) {
        std::vector<std::string> parts;
        parts.reserve(expression.operands.size());
        for (const Expression& operand : expression.operands) {
            const bool compound = operand.kind == Expression::Kind::all_of || operand.kind == Expression::Kind::any_of;
            parts.push_back(compound ? fmt::format("({})", to_string(test, operand)) : to_string(test, operand));
        }
        return fmt::format("{}", fmt::join(parts, sign));
    };
    switch (expression.kind) {
        case Expression::Kind::always: return "true";
        case Expression::Kind::never: return "false";
        case Expression::Kind::equal: return comparison("=");
        case Expression::Kind::not_equal: return comparison("!=");
        case Expression::Kind::all_of: return joined(" /\\ ");
        case Expression::Kind::any_of: return joined(" \\/ ");
        case Expression::Kind::negation: return fmt::format("not ({})", to_string(test, expression.operands.at(0)));
    }
    return {};
}

std::string to_string(const LitmusTest& test, const FinalState& state) {
    std::vector<std::string> parts;
    parts.reserve(state.values.size());
    for (std::size_t i = 0; i < state.values.size(); ++i) {
        parts.push_back(
            fmt::format("{}={};", to_string(test, test.observables.at(i)), to_string(test, state.values[i])));
    }
    return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace gicsim::litmus
