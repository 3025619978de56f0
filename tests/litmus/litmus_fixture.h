#ifndef GICSIM_TESTS_LITMUS_LITMUS_FIXTURE_H
#define GICSIM_TESTS_LITMUS_LITMUS_FIXTURE_H

#include <functional>
#include <string>
#include <string_view>

#include "gicsim/litmus/herd_reader.h"
#include "gicsim/litmus/isla_reader.h"
#include "support/catch.h"

namespace gicsim::litmus {

/// What the ConfigError thrown by `action` says.
inline std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

/// One instruction, assembled from a text of its own.
inline Instruction one(std::string_view text) {
    Program program = assemble(text, "t");
    REQUIRE(program.instructions.size() == 1);
    return program.instructions.front();
}

/// What is wrong with an assembler text.
inline std::string assembler_error(std::string_view text) {
    return error_of([text] { assemble(text, "t"); });
}

inline std::string herd_error(std::string_view text) {
    return error_of([text] { read_herd(text, "t.litmus"); });
}

inline std::string isla_error(std::string_view text) {
    return error_of([text] { read_isla(text, "t.litmus.toml"); });
}

/// A herd test of two threads with the given initial state, table rows and end.
inline std::string herd_text(const std::string& init, const std::string& rows, const std::string& end) {
    return "AArch64 T\n{" + init + "}\n P0 | P1 ;\n" + rows + "\n" + end + "\n";
}

}  // namespace gicsim::litmus

#endif
