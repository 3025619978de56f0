#ifndef GICSIM_SRC_LITMUS_CONDITION_PARSER_H
#define GICSIM_SRC_LITMUS_CONDITION_PARSER_H

#include "gicsim/litmus/litmus_test.h"
#include "text.h"
#include "token_reader.h"

namespace gicsim::litmus {

/// Parses a proposition on the final state in herd's or isla's spelling (`/\` or `&`, `\/` or `|`, `not`, `~` or `!`)
/// and adds what it mentions to test.observables. The threads and locations must be known already.
Expression parse_condition(const SourceText& source, LitmusTest& test);

/// Parses "x; 1:X2; a[0];": herd's list of what else is to be observed. An array without an index is all of it.
void parse_observed_list(const SourceText& source, LitmusTest& test);

/// "0" in "0:X1". Throws unless the test has that thread.
unsigned parse_thread_number(TokenReader& tokens, const LitmusTest& test);

}  // namespace gicsim::litmus

#endif
