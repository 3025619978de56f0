#include "value_expression.h"

#include <fmt/core.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "gicsim/config/suggestion.h"
#include "gicsim/litmus/condition.h"

namespace gicsim::litmus {
namespace {

[[noreturn]] void fail_unknown_location(const TokenReader& tokens, const LitmusTest& test, const std::string& name) {
    std::vector<std::string> known;
    known.reserve(test.locations.size());
    for (const Location& location : test.locations) known.push_back(location.name);
    tokens.fail(fmt::format("unknown location '{}'", excerpt(name)), did_you_mean_or_list(excerpt(name), known));
}

constexpr std::size_t most_arguments = 16;

/// A value and its width in bits, which is what a sign extension looks at: 4 a hexadecimal digit, 1 a binary one.
struct Term {
    Value value;
    unsigned bits = 64;
};

class ValueParser {
public:
    ValueParser(TokenReader& tokens, const LitmusTest& test, const Thread* thread)
        : tokens_(tokens), test_(test), thread_(thread) {}

    Term parse();

private:
    Term literal();
    Term call(const std::string& function);
    Value label(const std::string& name);
    Value location(const std::string& name);
    Term extended(const Term& from, const Term& width, bool is_signed);
    std::uint64_t plain(const Term& term);

    TokenReader& tokens_;
    const LitmusTest& test_;
    const Thread* thread_;
    unsigned depth_ = 0;
};

Term ValueParser::parse() {
    if (++depth_ > deepest_condition) tokens_.fail("functions within each other without end");
    Term term;
    if (tokens_.accept("(")) {
        term = parse();
        tokens_.expect(")");
    } else if (tokens_.number_follows()) {
        term = literal();
    } else {
        tokens_.accept("&");
        const std::string name = tokens_.word("a value");
        if (tokens_.accept("(")) {
            term = call(name);
        } else if (tokens_.accept(":")) {
            term.value = label(name);
        } else {
            term.value = location(name);
        }
    }
    --depth_;
    return term;
}

Term ValueParser::literal() {
    const std::string_view word = tokens_.peek_word();
    Term term;
    if (word.starts_with("0x")) term.bits = static_cast<unsigned>(4 * (word.size() - 2));
    if (word.starts_with("0b")) term.bits = static_cast<unsigned>(word.size() - 2);
    term.value.number = tokens_.number();
    return term;
}

Value ValueParser::location(const std::string& name) {
    const auto found = test_.find_location(name);
    if (!found) fail_unknown_location(tokens_, test_, name);
    Value value{static_cast<std::uint32_t>(*found), 0};
    if (!tokens_.accept("[")) return value;
    const Location& location = test_.locations[*found];
    const std::uint64_t index = tokens_.number();
    if (index >= location.initial.size()) tokens_.fail("the index is out of range");
    tokens_.expect("]");
    value.number = index * location.element_size;
    return value;
}

Value ValueParser::label(const std::string& name) {
    if (thread_ == nullptr) tokens_.fail("a label cannot stand here");
    const auto find = [&name](const Program& program) -> std::optional<std::uint64_t> {
        const auto found = program.labels.find(name);
        if (found == program.labels.end()) return std::nullopt;
        return program.address_of(found->second);
    };
    if (const auto address = find(thread_->program)) return {no_location, *address};
    for (const Handler& handler : thread_->handlers) {
        if (const auto address = find(handler.program)) return {no_location, *address};
    }
    tokens_.fail(fmt::format("the thread has no label '{}'", excerpt(name)));
}

std::uint64_t ValueParser::plain(const Term& term) {
    if (term.value.is_address()) tokens_.fail("cannot be computed with an address");
    return term.value.number;
}

Term ValueParser::extended(const Term& from, const Term& width, bool is_signed) {
    const std::uint64_t to = plain(width);
    if (to == 0 || to > 64) tokens_.fail("expected a width from 1 to 64");
    Term term{from.value, static_cast<unsigned>(to)};
    if (term.value.is_address()) {
        if (to != 64) tokens_.fail("an address has 64 bits");
        return term;
    }
    if (is_signed && from.bits > 0 && from.bits < 64 && (term.value.number >> (from.bits - 1) & 1) != 0) {
        term.value.number |= ~std::uint64_t{0} << from.bits;
    }
    if (to < 64) term.value.number &= (std::uint64_t{1} << to) - 1;
    return term;
}

Term ValueParser::call(const std::string& function) {
    using Operation = std::uint64_t (*)(std::uint64_t, std::uint64_t);
    static constexpr std::array<std::pair<std::string_view, Operation>, 7> operations{{
        {"bvor", [](std::uint64_t a, std::uint64_t b) { return a | b; }},
        {"bvand", [](std::uint64_t a, std::uint64_t b) { return a & b; }},
        {"bvxor", [](std::uint64_t a, std::uint64_t b) { return a ^ b; }},
        {"bvadd", [](std::uint64_t a, std::uint64_t b) { return a + b; }},
        {"bvsub", [](std::uint64_t a, std::uint64_t b) { return a - b; }},
        {"bvshl", [](std::uint64_t a, std::uint64_t b) { return b > 63 ? 0 : a << b; }},
        {"bvlshr", [](std::uint64_t a, std::uint64_t b) { return b > 63 ? 0 : a >> b; }},
    }};
    std::vector<Term> arguments{parse()};
    while (tokens_.accept(",")) {
        arguments.push_back(parse());
        if (arguments.size() > most_arguments) tokens_.fail("too many arguments");
    }
    tokens_.expect(")");

    const bool two = arguments.size() == 2;
    if ((function == "extz" || function == "exts") && two) {
        return extended(arguments[0], arguments[1], function == "exts");
    }
    if (function == "bvnot" && arguments.size() == 1) return {{no_location, ~plain(arguments[0])}, 64};
    for (const auto& [name, operation] : operations) {
        if (name != function || !two) continue;
        Value first = arguments[0].value;
        if (name == "bvadd" && first.is_address()) {
            first.number += plain(arguments[1]);
            return {first, 64};
        }
        return {{no_location, operation(plain(arguments[0]), plain(arguments[1]))}, 64};
    }
    tokens_.fail(fmt::format("function '{}' with {} argument(s) is not supported", excerpt(function), arguments.size()),
                 "extz, exts, bvor, bvand, bvxor, bvnot, bvadd, bvsub, bvshl, bvlshr");
}

}  // namespace

std::size_t find_location(TokenReader& tokens, const LitmusTest& test) {
    const std::string name = tokens.word("a register or a location");
    if (const auto found = test.find_location(name)) return *found;
    fail_unknown_location(tokens, test, name);
}

bool cut_to_size(Value& value, unsigned bytes) {
    if (bytes == 8) return true;
    if (value.is_address()) return false;
    const unsigned bits = 8 * bytes;
    const bool negative = static_cast<std::int64_t>(value.number) < 0 && ~value.number >> (bits - 1) == 0;
    if (value.number >> bits != 0 && !negative) return false;
    value.number &= (std::uint64_t{1} << bits) - 1;
    return true;
}

Value parse_value(TokenReader& tokens, const LitmusTest& test, const Thread* thread) {
    return ValueParser(tokens, test, thread).parse().value;
}

}  // namespace gicsim::litmus
