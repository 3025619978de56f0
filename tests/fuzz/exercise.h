#ifndef GICSIM_TESTS_FUZZ_EXERCISE_H
#define GICSIM_TESTS_FUZZ_EXERCISE_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gicsim/litmus/litmus_test.h"

namespace gicsim::litmus {

/// Reads a test and uses what came out: every index in it has to be good, and every error has to say where.
template <class Reader>
void exercise(Reader read, const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const LitmusTest test = read(text, "fuzz");
        FinalState state;
        state.values.resize(test.observables.size());
        is_asked_for(test.condition, state);
        to_string(test, test.condition.expression);
        to_string(test, state);
        for (const Thread& thread : test.threads) {
            for (const Instruction& instruction : thread.program.instructions) {
                if (instruction.target > thread.program.instructions.size()) std::abort();
            }
            for (const InjectedInterrupt& interrupt : thread.interrupts) {
                if (interrupt.instruction > thread.program.instructions.size()) std::abort();
            }
        }
    } catch (const ConfigError& error) {
        if (error.origin().file != "fuzz") std::abort();
    }
}

}  // namespace gicsim::litmus

#endif
