#ifndef GICSIM_SRC_CONFIG_TOML_CHECK_H
#define GICSIM_SRC_CONFIG_TOML_CHECK_H

#include <string>

namespace gicsim {

/// Refuses what the parser of toml++ 3.3 must not be given. Throws ConfigError with the position.
void refuse_unparsable_toml(const std::string& content, const std::string& name);

}  // namespace gicsim

#endif
