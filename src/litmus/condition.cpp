#include "gicsim/litmus/condition.h"

#include <algorithm>

namespace gicsim::litmus {

bool evaluate(const Expression& expression, const FinalState& state) {
    const auto holds = [&state](const Expression& operand) { return evaluate(operand, state); };
    switch (expression.kind) {
        case Expression::Kind::always: return true;
        case Expression::Kind::never: return false;
        case Expression::Kind::equal: return state.values.at(expression.observable) == expression.value;
        case Expression::Kind::not_equal: return state.values.at(expression.observable) != expression.value;
        case Expression::Kind::all_of: return std::ranges::all_of(expression.operands, holds);
        case Expression::Kind::any_of: return std::ranges::any_of(expression.operands, holds);
        case Expression::Kind::negation: return !holds(expression.operands.at(0));
    }
    return false;
}

bool is_asked_for(const FinalCondition& condition, const FinalState& state) {
    return evaluate(condition.expression, state) != (condition.quantifier == Quantifier::for_all);
}

}  // namespace gicsim::litmus
