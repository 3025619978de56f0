// Mnemonics of barriers, system registers, exceptions and hints.
#include <fmt/format.h>

#include "gicsim/config/suggestion.h"
#include "instruction_parser.h"

namespace gicsim::litmus {
namespace {

std::vector<std::string> barrier_options() {
    std::vector<std::string> options;
    for (const Barrier& barrier : Barrier::all()) {
        if (barrier.kind() == Barrier::Kind::dsb) options.push_back(barrier.name().substr(4));
    }
    return options;
}

void read_barrier(OperandParser& operands, ParsedInstruction& parsed, std::string_view mnemonic) {
    parsed.instruction.opcode = Opcode::barrier;
    if (operands.at_end())
        operands.fail("the option is missing", fmt::format("{}", fmt::join(barrier_options(), ", ")));
    const std::string option = to_lower(operands.word());
    const auto barrier = Barrier::parse(fmt::format("{} {}", mnemonic, option));
    if (!barrier) {
        operands.fail(fmt::format("unknown barrier option '{}'", excerpt(option)),
                      fmt::format("{}", fmt::join(barrier_options(), ", ")));
    }
    parsed.instruction.barrier = *barrier;
}

void read_isb(OperandParser& operands, ParsedInstruction& parsed, std::string_view) {
    parsed.instruction.opcode = Opcode::isb;
    if (!operands.at_end() && to_lower(operands.word()) != "sy") operands.fail("the only option of ISB is SY");
}

SystemRegister system_register(OperandParser& operands, const std::string& name) {
    const auto reg = parse_system_register(name);
    if (reg) return *reg;
    std::vector<std::string> known;
    known.reserve(system_register_count);
    for (unsigned i = 0; i < system_register_count; ++i) {
        known.emplace_back(litmus::name(static_cast<SystemRegister>(i)));
    }
    operands.fail(fmt::format("unknown system register '{}'", excerpt(name)), did_you_mean(excerpt(name), known));
}

void read_mrs(OperandParser& operands, ParsedInstruction& parsed, std::string_view) {
    Instruction& i = parsed.instruction;
    i.opcode = Opcode::read_system;
    i.rt = operands.general_register(64);
    operands.comma();
    i.system_register = system_register(operands, operands.word());
    if (!is_readable(i.system_register)) operands.fail("is write-only");
}

void read_msr(OperandParser& operands, ParsedInstruction& parsed, std::string_view) {
    Instruction& i = parsed.instruction;
    const std::string name = operands.word();
    const std::string lower = to_lower(name);
    if (lower == "daifset" || lower == "daifclr") {
        i.opcode = lower == "daifset" ? Opcode::set_interrupt_mask : Opcode::clear_interrupt_mask;
        operands.comma();
        i.operand.kind = Operand::Kind::immediate;
        i.operand.immediate = operands.immediate(15);
        return;
    }
    i.opcode = Opcode::write_system;
    i.system_register = system_register(operands, name);
    if (!is_writable(i.system_register)) operands.fail("is read-only");
    operands.comma();
    i.rt = operands.general_register(64);
}

void read_svc(OperandParser& operands, ParsedInstruction& parsed, std::string_view) {
    Instruction& i = parsed.instruction;
    i.opcode = Opcode::supervisor_call;
    i.operand.kind = Operand::Kind::immediate;
    i.operand.immediate = operands.immediate(0xffff);
}

void refuse(OperandParser& operands, ParsedInstruction&, std::string_view) {
    operands.fail("is not supported: there is no exception level above EL1");
}

template <Opcode opcode>
void read_bare(OperandParser&, ParsedInstruction& parsed, std::string_view) {
    parsed.instruction.opcode = opcode;
}

}  // namespace

std::vector<Mnemonic> system_mnemonics() {
    return {
        {"dmb", read_barrier},
        {"dsb", read_barrier},
        {"isb", read_isb},
        {"mrs", read_mrs},
        {"msr", read_msr},
        {"svc", read_svc},
        {"hvc", refuse},
        {"smc", refuse},
        {"eret", read_bare<Opcode::exception_return>},
        {"wfi", read_bare<Opcode::wait_for_interrupt>},
        {"wfe", read_bare<Opcode::wait_for_event>},
        {"sev", read_bare<Opcode::send_event>},
        {"sevl", read_bare<Opcode::send_event_local>},
        {"nop", read_bare<Opcode::nop>},
    };
}

}  // namespace gicsim::litmus
