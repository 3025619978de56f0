#ifndef GICSIM_SRC_LITMUS_INSTRUCTION_PARSER_H
#define GICSIM_SRC_LITMUS_INSTRUCTION_PARSER_H

#include <string>
#include <string_view>
#include <vector>

#include "gicsim/litmus/instruction.h"
#include "operand_parser.h"
#include "text.h"

namespace gicsim::litmus {

/// An instruction whose branch target is still a name.
struct ParsedInstruction {
    Instruction instruction;
    std::string target;  ///< empty when it is no branch
    SourcePosition target_position;
};

/// Parses one instruction without labels and comments around it.
ParsedInstruction parse_instruction(const SourceText& source);

/// Fills in the operands of one mnemonic; `parsed` holds text and position already.
using OperandReader = void (*)(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic);
struct Mnemonic {
    std::string name;  ///< in lower case
    OperandReader read;
};

std::vector<Mnemonic> data_mnemonics();
std::vector<Mnemonic> branch_mnemonics();
std::vector<Mnemonic> memory_mnemonics();
std::vector<Mnemonic> system_mnemonics();

}  // namespace gicsim::litmus

#endif
