#ifndef GICSIM_SRC_LITMUS_VALUE_EXPRESSION_H
#define GICSIM_SRC_LITMUS_VALUE_EXPRESSION_H

#include "gicsim/litmus/litmus_test.h"
#include "token_reader.h"

namespace gicsim::litmus {

/// Takes the name of a location. Throws when the test has none of that name.
std::size_t find_location(TokenReader& tokens, const LitmusTest& test);

/// Cuts a negative number, or one that fits anyway, to so many bytes. False when the value does not fit.
bool cut_to_size(Value& value, unsigned bytes);

/// A constant value: a number; the address of a location, also of an element (`a[1]`); a label ("L0:") of
/// `thread`, when there is one; and isla's functions extz, exts, bvor, bvand, bvxor, bvnot, bvadd, bvsub, bvshl,
/// bvlshr.
Value parse_value(TokenReader& tokens, const LitmusTest& test, const Thread* thread = nullptr);

}  // namespace gicsim::litmus

#endif
