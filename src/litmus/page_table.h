#ifndef GICSIM_SRC_LITMUS_PAGE_TABLE_H
#define GICSIM_SRC_LITMUS_PAGE_TABLE_H

#include "gicsim/litmus/litmus_test.h"
#include "text.h"

namespace gicsim::litmus {

/// Reads isla's page_table_setup as far as it gives each location a page of its own:
///
///     physical pa1 pa2;  x |-> pa1;  y |-> pa2;  identity 0x1000 with code;  *pa1 = 0;
///
/// and sets initial values. Throws ConfigError for all that would make translations matter.
void apply_page_table(const SourceText& source, LitmusTest& test);

}  // namespace gicsim::litmus

#endif
