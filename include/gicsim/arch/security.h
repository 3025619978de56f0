#ifndef GICSIM_ARCH_SECURITY_H
#define GICSIM_ARCH_SECURITY_H

// Installed: C++17.

#include <cstdint>

namespace gicsim {

/// The security attribute of an access, or the Security state of a PE.
enum class Security : std::uint8_t { secure, non_secure };

}  // namespace gicsim

#endif
