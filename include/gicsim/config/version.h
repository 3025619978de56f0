#ifndef GICSIM_CONFIG_VERSION_H
#define GICSIM_CONFIG_VERSION_H

#include <string_view>

namespace gicsim {

/// "0.1.0": the version of the project, from CMakeLists.txt.
std::string_view version();

}  // namespace gicsim

#endif
