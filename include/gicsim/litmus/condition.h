#ifndef GICSIM_LITMUS_CONDITION_H
#define GICSIM_LITMUS_CONDITION_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gicsim/litmus/instruction.h"

namespace gicsim::litmus {

inline constexpr std::uint32_t no_location = 0xffff'ffff;

/// A number, or the address of a location plus an offset. Keeping addresses symbolic makes final states of different
/// placements equal.
struct Value {
    std::uint32_t location = no_location;  ///< index into LitmusTest::locations
    std::uint64_t number = 0;              ///< or the offset in bytes
    [[nodiscard]] constexpr bool is_address() const { return location != no_location; }
    constexpr auto operator<=>(const Value&) const = default;
};

/// Something whose value at the end is looked at.
struct Observable {
    enum class Kind : std::uint8_t { reg, memory };
    Kind kind = Kind::reg;
    unsigned thread = 0;       ///< of a register
    Register reg;              ///< of a register
    std::uint8_t bits = 64;    ///< of a register: 32 looks at its lower half
    std::size_t location = 0;  ///< of memory: index into LitmusTest::locations
    std::size_t element = 0;   ///< of memory: index into the array
    auto operator<=>(const Observable&) const = default;
};

/// What a run left behind: the values of LitmusTest::observables, in that order.
struct FinalState {
    std::vector<Value> values;
    auto operator<=>(const FinalState&) const = default;
};

/// A proposition on final states.
struct Expression {
    enum class Kind : std::uint8_t { always, never, equal, not_equal, all_of, any_of, negation };
    Kind kind = Kind::always;
    std::size_t observable = 0;        ///< of equal and not_equal: index into LitmusTest::observables
    Value value;                       ///< of equal and not_equal
    std::vector<Expression> operands;  ///< at least two of all_of and any_of, one of negation
};

inline constexpr unsigned deepest_condition = 100;  ///< parentheses and negations within each other

enum class Quantifier : std::uint8_t { exists, not_exists, for_all };

/// The question that a test asks about its final states.
struct FinalCondition {
    Quantifier quantifier = Quantifier::exists;
    Expression expression;
    std::string text;  ///< as it is written, blanks folded
    SourcePosition position;
};

/// Whether the proposition holds in a state, whatever the quantifier.
bool evaluate(const Expression& expression, const FinalState& state);

/// Whether the state is one that the test is about, the one that its verdict allows or forbids: one in which the
/// proposition holds after `exists` and `~exists`, one in which it fails after `forall`.
bool is_asked_for(const FinalCondition& condition, const FinalState& state);

}  // namespace gicsim::litmus

#endif
