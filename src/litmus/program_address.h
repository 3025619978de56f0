#ifndef GICSIM_SRC_LITMUS_PROGRAM_ADDRESS_H
#define GICSIM_SRC_LITMUS_PROGRAM_ADDRESS_H

#include <cstddef>
#include <cstdint>

namespace gicsim::litmus {

/// Where the program of a thread begins: a place of its own for each, far from the handlers that tests put at low
/// addresses, with room for the largest program.
constexpr std::uint64_t program_address(std::size_t thread) {
    return 0x4000'0000 + 0x1'0000 * std::uint64_t{thread};
}

}  // namespace gicsim::litmus

#endif
