#ifndef GICSIM_LITMUS_HERD_READER_H
#define GICSIM_LITMUS_HERD_READER_H

#include <string>
#include <string_view>

#include "gicsim/litmus/litmus_test.h"

namespace gicsim::litmus {

/// Reads the text of a herd AArch64 test:
///
///     AArch64 MP+dmb.st+addr
///     "a doc string"
///     Expected=Forbidden
///     Source=why
///     { uint64_t x=0; int a[2]={0,1}; 0:X1=x; 1:X3=a; }
///      P0          | P1          ;
///      STR W0,[X1] | LDR W2,[X3] ;
///     locations [x; 1:X2;]
///     exists (1:X2=1 /\ x=0)
///
/// Of the Key=Value lines gicsim knows Expected, Source (of the verdict), Title, Family and Owner ("x=1, y=0": the
/// thread whose cache holds the line Modified); the others are kept in LitmusTest::info. A location without a type has
/// 4 bytes when no access of the test is wider and nothing in it is an address, else 8.
///
/// @param file for messages
/// Throws ConfigError with file, line and column.
LitmusTest read_herd(std::string_view text, const std::string& file);

}  // namespace gicsim::litmus

#endif
