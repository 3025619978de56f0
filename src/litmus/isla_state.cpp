#include "isla_state.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "isla_text.h"
#include "operand_parser.h"
#include "value_expression.h"

namespace gicsim::litmus {
namespace {

class InitialState {
public:
    InitialState(TableReader& values, std::string_view file_text, const LitmusTest& test, Thread& thread)
        : values_(values), file_text_(file_text), test_(test), thread_(thread) {}

    void read();

private:
    Value value(std::string_view key);
    std::uint64_t number(std::string_view key, std::uint64_t most);
    void read_pstate(std::string_view key, std::string_view field);
    void read_register(const std::string& key);

    TableReader& values_;
    std::string_view file_text_;
    const LitmusTest& test_;
    Thread& thread_;
};

Value InitialState::value(std::string_view key) {
    const SourceText source = string_content(file_text_, *values_.find(key), values_.file(), values_.path_of(key));
    TokenReader tokens(source, "the value");
    const Value found = parse_value(tokens, test_, &thread_);
    if (!tokens.at_end()) tokens.fail_here("the end of the value");
    return found;
}

std::uint64_t InitialState::number(std::string_view key, std::uint64_t most) {
    const Value found = value(key);
    if (found.is_address() || found.number > most) {
        values_.fail(key, fmt::format("expected a number from 0 to {}", most));
    }
    return found.number;
}

void InitialState::read_pstate(std::string_view key, std::string_view field) {
    InitialPstate& pstate = thread_.pstate;
    if (field == "EL") {
        pstate.exception_level = static_cast<std::uint8_t>(number(key, 1));
    } else if (field == "SP") {
        pstate.uses_sp_el0 = number(key, 1) == 0;
    } else if (field == "D") {
        pstate.masks_debug = number(key, 1) == 1;
    } else if (field == "A") {
        pstate.masks_serror = number(key, 1) == 1;
    } else if (field == "I") {
        pstate.masks_irq = number(key, 1) == 1;
    } else if (field == "F") {
        pstate.masks_fiq = number(key, 1) == 1;
    } else {
        values_.fail(key, "unknown field of PSTATE", "EL, SP, D, A, I, F");
    }
}

void InitialState::read_register(const std::string& key) {
    std::string name = key;
    if (name.size() > 1 && (name[0] == 'R' || name[0] == 'r')) name[0] = 'X';
    if (const auto reg = parse_register(name)) {
        if (reg->reg.is_zero()) values_.fail(key, "the zero register cannot be set");
        InitialRegister initial{reg->reg, value(key)};
        if (reg->bits == 32 && !cut_to_size(initial.value, 4)) values_.fail(key, "does not fit into 32 bits");
        const bool twice = std::ranges::any_of(thread_.registers,
                                               [&](const InitialRegister& other) { return other.reg == initial.reg; });
        if (twice) values_.fail(key, "the register is set twice");
        thread_.registers.push_back(initial);
        return;
    }
    const auto system_register = parse_system_register(key);
    if (!system_register) values_.fail(key, "unknown register");
    if (icc_register(*system_register) || *system_register == SystemRegister::CurrentEL ||
        *system_register == SystemRegister::MPIDR_EL1) {
        values_.fail(key, "this register cannot be set from outside");
    }
    thread_.system_registers.push_back({*system_register, value(key)});
}

void InitialState::read() {
    for (const std::string& key : values_.all_keys()) {
        // A hint to isla's search, without any meaning for the test.
        if (key == "__isla_monomorphize_writes") continue;
        if (key == "PSTATE") {
            TableReader fields = values_.table(key);
            InitialState nested(fields, file_text_, test_, thread_);
            for (const std::string& field : fields.all_keys()) nested.read_pstate(field, field);
        } else if (key.starts_with("PSTATE.")) {
            read_pstate(key, std::string_view(key).substr(7));
        } else {
            read_register(key);
        }
    }
}

}  // namespace

void read_initial_state(TableReader& values, std::string_view file_text, const LitmusTest& test, Thread& thread) {
    InitialState(values, file_text, test, thread).read();
}

}  // namespace gicsim::litmus
