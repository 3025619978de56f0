#include "condition_parser.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "gicsim/config/suggestion.h"
#include "operand_parser.h"
#include "value_expression.h"

namespace gicsim::litmus {
namespace {

constexpr std::size_t most_observables = 4096;

/// Recursive descent; every recursion counts towards deepest_condition.
class ConditionParser {
public:
    ConditionParser(const SourceText& source, LitmusTest& test) : tokens_(source, "the condition"), test_(test) {
        for (std::size_t i = 0; i < test.observables.size(); ++i) indices_.emplace(test.observables[i], i);
    }

    Expression parse();
    void parse_list();

private:
    Expression implication();
    Expression disjunction();
    Expression conjunction();
    Expression unary();
    Expression atom();
    bool accept_and();
    bool accept_or();
    std::size_t intern(const Observable& observable);
    void intern_array(Observable what);
    Observable observable(bool whole_array_allowed);
    Observable register_observable();
    Observable memory_observable(bool whole_array_allowed);
    Value value_for(const Observable& observable);
    void enter();

    static constexpr std::size_t whole_array = SIZE_MAX;
    TokenReader tokens_;
    LitmusTest& test_;
    std::map<Observable, std::size_t> indices_;  ///< of test_.observables
    std::set<std::size_t> whole_arrays_;         ///< locations whose elements are all observed
    unsigned depth_ = 0;
};

std::size_t ConditionParser::intern(const Observable& observable) {
    const auto [entry, is_new] = indices_.emplace(observable, test_.observables.size());
    if (!is_new) return entry->second;
    if (test_.observables.size() == most_observables) {
        tokens_.fail(fmt::format("more than {} registers and locations are looked at", most_observables));
    }
    test_.observables.push_back(observable);
    return entry->second;
}

void ConditionParser::intern_array(Observable what) {
    if (!whole_arrays_.insert(what.location).second) return;
    const std::size_t elements = test_.locations[what.location].initial.size();
    for (what.element = 0; what.element < elements; ++what.element) intern(what);
}

void ConditionParser::enter() {
    if (++depth_ > deepest_condition) {
        tokens_.fail(fmt::format("more than {} parentheses within each other", deepest_condition));
    }
}

bool ConditionParser::accept_and() {
    return tokens_.accept("/\\") || tokens_.accept("&&") || tokens_.accept("&") || tokens_.accept_word("and");
}

bool ConditionParser::accept_or() {
    return tokens_.accept("\\/") || tokens_.accept("||") || tokens_.accept("|") || tokens_.accept_word("or");
}

Expression ConditionParser::parse() {
    if (tokens_.at_end()) tokens_.fail_here("a proposition");
    Expression whole = implication();
    if (!tokens_.at_end()) tokens_.fail_here("'/\\', '\\/' or the end");
    return whole;
}

Expression ConditionParser::implication() {
    Expression left = disjunction();
    if (!tokens_.accept("=>") && !tokens_.accept("->")) return left;
    enter();
    Expression right = implication();
    --depth_;
    Expression negation{Expression::Kind::negation, 0, {}, {}};
    negation.operands.push_back(std::move(left));
    Expression whole{Expression::Kind::any_of, 0, {}, {}};
    whole.operands.push_back(std::move(negation));
    whole.operands.push_back(std::move(right));
    return whole;
}

Expression ConditionParser::disjunction() {
    Expression first = conjunction();
    Expression whole{Expression::Kind::any_of, 0, {}, {}};
    while (accept_or()) whole.operands.push_back(conjunction());
    if (whole.operands.empty()) return first;
    whole.operands.insert(whole.operands.begin(), std::move(first));
    return whole;
}

Expression ConditionParser::conjunction() {
    Expression first = unary();
    Expression whole{Expression::Kind::all_of, 0, {}, {}};
    while (accept_and()) whole.operands.push_back(unary());
    if (whole.operands.empty()) return first;
    whole.operands.insert(whole.operands.begin(), std::move(first));
    return whole;
}

Expression ConditionParser::unary() {
    if (tokens_.accept("~") || tokens_.accept("!") || tokens_.accept_word("not")) {
        enter();
        Expression negation{Expression::Kind::negation, 0, {}, {}};
        negation.operands.push_back(unary());
        --depth_;
        return negation;
    }
    if (tokens_.accept("(")) {
        enter();
        Expression inner = implication();
        tokens_.expect(")");
        --depth_;
        return inner;
    }
    return atom();
}

Expression ConditionParser::atom() {
    if (tokens_.accept_word("true")) return {Expression::Kind::always, 0, {}, {}};
    if (tokens_.accept_word("false")) return {Expression::Kind::never, 0, {}, {}};
    const Observable what = observable(false);
    Expression comparison{Expression::Kind::equal, intern(what), {}, {}};
    if (tokens_.accept("!=") || tokens_.accept("<>")) {
        comparison.kind = Expression::Kind::not_equal;
    } else if (!tokens_.accept("==") && !tokens_.accept("=")) {
        tokens_.fail_here("'=' or '!='");
    }
    comparison.value = value_for(what);
    return comparison;
}

Value ConditionParser::value_for(const Observable& what) {
    Value value = parse_value(tokens_, test_);
    const unsigned bits =
        what.kind == Observable::Kind::reg ? what.bits : 8U * test_.locations[what.location].element_size;
    if (!cut_to_size(value, bits / 8)) tokens_.fail(fmt::format("does not fit into {} bits", bits));
    return value;
}

Observable ConditionParser::register_observable() {
    Observable what;
    what.thread = parse_thread_number(tokens_, test_);
    tokens_.expect(":");
    std::string name = tokens_.word("a register");
    // isla's tests call the registers R0 to R30.
    if (name.front() == 'R' || name.front() == 'r') name.front() = 'X';
    const auto reg = parse_register(name);
    if (!reg) tokens_.fail(fmt::format("'{}' is no register", excerpt(name)));
    what.reg = reg->reg;
    what.bits = reg->bits;
    return what;
}

Observable ConditionParser::memory_observable(bool whole_array_allowed) {
    const bool bracket = tokens_.accept("[");
    if (!bracket) tokens_.accept("*");
    Observable what;
    what.kind = Observable::Kind::memory;
    what.location = find_location(tokens_, test_);
    const std::size_t elements = test_.locations[what.location].initial.size();
    if (tokens_.accept("[")) {
        const std::uint64_t index = tokens_.number();
        if (index >= elements) tokens_.fail(fmt::format("the index is out of range: there are {} elements", elements));
        what.element = static_cast<std::size_t>(index);
        tokens_.expect("]");
    } else if (elements > 1) {
        if (!whole_array_allowed) tokens_.fail("an element of the array is meant; which?", "a[0]");
        what.element = whole_array;
    }
    if (bracket) tokens_.expect("]");
    return what;
}

Observable ConditionParser::observable(bool whole_array_allowed) {
    const char next = tokens_.peek();
    if (next >= '0' && next <= '9') return register_observable();
    return memory_observable(whole_array_allowed);
}

void ConditionParser::parse_list() {
    while (!tokens_.at_end()) {
        if (tokens_.accept(";")) continue;
        const Observable what = observable(true);
        if (what.element == whole_array) {
            intern_array(what);
        } else {
            intern(what);
        }
        if (!tokens_.at_end() && tokens_.peek() != ';') tokens_.fail_here("';'");
    }
}

}  // namespace

Expression parse_condition(const SourceText& source, LitmusTest& test) {
    return ConditionParser(source, test).parse();
}

void parse_observed_list(const SourceText& source, LitmusTest& test) {
    ConditionParser(source, test).parse_list();
}

unsigned parse_thread_number(TokenReader& tokens, const LitmusTest& test) {
    const std::uint64_t thread = tokens.number();
    if (thread >= test.threads.size()) {
        tokens.fail(fmt::format("there is no thread {}", thread), fmt::format("the test has {}", test.threads.size()));
    }
    return static_cast<unsigned>(thread);
}

}  // namespace gicsim::litmus
