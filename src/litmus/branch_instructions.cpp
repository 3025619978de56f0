// Mnemonics of branches.
#include "instruction_parser.h"

namespace gicsim::litmus {
namespace {

void read_target(OperandParser& operands, ParsedInstruction& parsed) {
    if (operands.at_end()) operands.fail("a label is missing");
    parsed.target = operands.word();
    // ".+8": so many bytes further on.
    if (parsed.target != ".") return;
    const std::uint64_t bytes = operands.any_immediate();
    parsed.target += std::to_string(static_cast<std::int64_t>(bytes));
}

void read_branch(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = Opcode::branch;
    if (mnemonic != "b") {
        i.opcode = Opcode::branch_condition;
        const std::size_t name = mnemonic.starts_with("b.") ? 2 : 1;
        i.condition = parse_condition(mnemonic.substr(name)).value_or(Condition::al);
    }
    read_target(operands, parsed);
}

void read_compare_branch(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = mnemonic == "cbz" ? Opcode::branch_zero : Opcode::branch_not_zero;
    const SizedRegister rt = operands.general_register();
    i.rt = rt.reg;
    i.bits = rt.bits;
    operands.comma();
    read_target(operands, parsed);
}

void read_test_branch(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    Instruction& i = parsed.instruction;
    i.opcode = mnemonic == "tbz" ? Opcode::branch_bit_zero : Opcode::branch_bit_set;
    const SizedRegister rt = operands.general_register();
    i.rt = rt.reg;
    i.bits = rt.bits;
    operands.comma();
    i.bit = static_cast<std::uint8_t>(operands.immediate(i.bits - 1U));
    operands.comma();
    read_target(operands, parsed);
}

}  // namespace

std::vector<Mnemonic> branch_mnemonics() {
    std::vector<Mnemonic> list{{"b", read_branch},
                               {"cbz", read_compare_branch},
                               {"cbnz", read_compare_branch},
                               {"tbz", read_test_branch},
                               {"tbnz", read_test_branch}};
    for (const char* condition :
         {"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"}) {
        list.push_back({std::string("b.") + condition, read_branch});
        list.push_back({std::string("b") + condition, read_branch});
    }
    return list;
}

}  // namespace gicsim::litmus
