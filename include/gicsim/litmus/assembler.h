#ifndef GICSIM_LITMUS_ASSEMBLER_H
#define GICSIM_LITMUS_ASSEMBLER_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gicsim/litmus/instruction.h"

namespace gicsim::litmus {

inline constexpr std::size_t most_instructions = 4096;  ///< of one section

/// One section of code: a thread's program or a handler.
struct Program {
    std::uint64_t address = 0;  ///< of the first instruction; the others follow at 4 bytes each
    std::vector<Instruction> instructions;
    std::map<std::string, std::size_t> labels;  ///< index of the instruction that a label stands before

    [[nodiscard]] std::uint64_t address_of(std::size_t instruction) const { return address + 4 * instruction; }
};

/// A line of assembler text and where it is in its file.
struct SourceLine {
    std::string text;
    SourcePosition position;  ///< of the first character
};

/// Assembles lines that may hold labels ("again:", GNU's "1:" with 1b and 1f), one instruction each, several with ';'
/// between, and comments (`//` to the end of the line, `/* */`, `(* *)`). Case does not matter but in labels.
/// @param file for messages
/// Throws ConfigError with file, line and column, naming the instruction, for whatever is not in the subset.
Program assemble(const std::vector<SourceLine>& lines, const std::string& file, std::uint64_t address = 0);

/// The same for a whole text whose first character is at `first`; later lines start at column 1.
Program assemble(std::string_view text, const std::string& file, SourcePosition first = {1, 1},
                 std::uint64_t address = 0);

}  // namespace gicsim::litmus

#endif
