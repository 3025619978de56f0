#ifndef GICSIM_LITMUS_ISLA_READER_H
#define GICSIM_LITMUS_ISLA_READER_H

#include <string>
#include <string_view>

#include "gicsim/litmus/litmus_test.h"

namespace gicsim::litmus {

/// Reads the text of an isla test (.litmus.toml). A location has 8 bytes unless [types] says otherwise.
///
/// gicsim's own additions, all optional: `title`, `description`, `family`; `[expected]` with `verdict` and `source`;
/// `[owner]` with the thread whose cache holds a location's line Modified (`x = 1`); `intid` of an injected interrupt.
/// A page table may only give each location a page of its own (`x |-> pa1`, `identity 0x1000 with code`, `*pa1 = 1`).
///
/// @param file for messages
/// Throws ConfigError with file, line and column.
LitmusTest read_isla(std::string_view text, const std::string& file);

}  // namespace gicsim::litmus

#endif
