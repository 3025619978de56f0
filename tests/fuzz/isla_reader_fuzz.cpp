// libFuzzer target: whatever the bytes, an isla test is read or refused with a ConfigError. Run by script/fuzz.
#include <cstddef>
#include <cstdint>

#include "fuzz/exercise.h"
#include "gicsim/litmus/isla_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    gicsim::litmus::exercise(gicsim::litmus::read_isla, data, size);
    return 0;
}
