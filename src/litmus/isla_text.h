#ifndef GICSIM_SRC_LITMUS_ISLA_TEXT_H
#define GICSIM_SRC_LITMUS_ISLA_TEXT_H

#include <string_view>

#include "gicsim/config/toml_reader.h"
#include "text.h"

namespace gicsim::litmus {

/// The content of a TOML string with the place in the file where it begins, so that mistakes inside are reported where
/// they are. Escapes shift columns behind them.
SourceText string_content(std::string_view file_text, const toml::node& node, const std::string& file,
                          const std::string& path);

}  // namespace gicsim::litmus

#endif
