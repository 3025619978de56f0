#ifndef GICSIM_SRC_LITMUS_OPERAND_PARSER_H
#define GICSIM_SRC_LITMUS_OPERAND_PARSER_H

#include <optional>
#include <string>
#include <string_view>

#include "gicsim/litmus/instruction.h"
#include "text.h"

namespace gicsim::litmus {

/// A register as written, with its width.
struct SizedRegister {
    Register reg;
    std::uint8_t bits = 64;
};

/// X0 to X30, W0 to W30, XZR, WZR, SP, WSP, LR, FP in any case.
std::optional<SizedRegister> parse_register(std::string_view text);

/// eq, ne, cs, hs, ... in any case.
std::optional<Condition> parse_condition(std::string_view text);

/// Takes the operands of one instruction from its text. Every mistake is a ConfigError at the operand that names the
/// instruction.
class OperandParser {
public:
    /// @param source of the instruction, mnemonic and all  @param operands where the operands begin in it
    OperandParser(const SourceText& source, std::size_t operands) : source_(source), at_(operands) {}

    [[nodiscard]] bool at_end();
    void comma();
    bool accept_comma();
    void finish();  ///< Throws when something is left.

    SizedRegister any_register();
    SizedRegister general_register();  ///< not the stack pointer
    Register general_register(unsigned bits);
    Register any_register(unsigned bits);
    [[nodiscard]] bool register_follows();
    /// "#1", "1", "#-0x10". @param most for the message when it is larger
    std::uint64_t immediate(std::uint64_t most);
    std::uint64_t any_immediate();
    std::string word();
    Condition condition();

    /// ", LSL #n" behind an immediate, if it is there: one of 0, step, 2 * step, ... below `bits`.
    unsigned left_shift(unsigned step, unsigned bits);
    /// A register and its shift, if any.
    Operand shifted_register(unsigned bits, bool may_rotate);
    /// A register and its shift or extension, if any.
    Operand shifted_or_extended_register(unsigned bits);
    /// "[x1]", "[x1, #8]", "[x1, x2, lsl #3]", "[x1, #8]!", "[x1], #8". @param size of an access in bytes
    Address address(unsigned size);
    /// The same for a pair, which has no register offset.
    Address pair_address(unsigned size);
    /// "[x1]" or "[x1, #0]".
    Address plain_address();

    /// Place of the operand that was read last.
    [[nodiscard]] SourcePosition last_position() const { return source_.position(last_); }
    /// Throws at the operand that was read last.
    [[noreturn]] void fail(std::string message, std::string hint = {}) const;

private:
    void skip_blanks();
    bool accept(char c);
    void expect(char c);
    std::string_view peek_word();
    std::optional<Modifier> accept_modifier();
    void modifier_amount(Operand& operand, unsigned most, bool needed);
    Register base();
    void register_offset(Operand& offset, unsigned size);
    Address address_with(unsigned size, bool pair);
    void check_offset(const Address& address, unsigned size, bool pair) const;

    const SourceText& source_;
    std::size_t at_;
    std::size_t last_ = 0;  ///< where the operand that was read last begins
};

}  // namespace gicsim::litmus

#endif
