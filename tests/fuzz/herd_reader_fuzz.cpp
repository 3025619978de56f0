// libFuzzer target: whatever the bytes, a herd test is read or refused with a ConfigError. Run by script/fuzz.
#include <cstddef>
#include <cstdint>

#include "fuzz/exercise.h"
#include "gicsim/litmus/herd_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    gicsim::litmus::exercise(gicsim::litmus::read_herd, data, size);
    return 0;
}
