#include "operand_parser.h"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <charconv>
#include <utility>

namespace gicsim::litmus {
namespace {

constexpr std::array<std::pair<std::string_view, Modifier>, 12> modifier_names{{
    {"lsl", Modifier::lsl},
    {"lsr", Modifier::lsr},
    {"asr", Modifier::asr},
    {"ror", Modifier::ror},
    {"uxtb", Modifier::uxtb},
    {"uxth", Modifier::uxth},
    {"uxtw", Modifier::uxtw},
    {"uxtx", Modifier::uxtx},
    {"sxtb", Modifier::sxtb},
    {"sxth", Modifier::sxth},
    {"sxtw", Modifier::sxtw},
    {"sxtx", Modifier::sxtx},
}};

bool is_extension(Modifier modifier) {
    return modifier >= Modifier::uxtb;
}

bool extends_x(Modifier modifier) {
    return modifier == Modifier::uxtx || modifier == Modifier::sxtx;
}

}  // namespace

std::string to_string(Register reg, unsigned bits) {
    if (reg.is_zero()) return bits == 32 ? "wzr" : "xzr";
    if (reg.is_stack_pointer()) return bits == 32 ? "wsp" : "sp";
    return fmt::format("{}{}", bits == 32 ? 'w' : 'x', reg.number);
}

std::optional<SizedRegister> parse_register(std::string_view text) {
    const std::string lower = to_lower(text);
    if (lower == "xzr") return SizedRegister{zero_register, 64};
    if (lower == "wzr") return SizedRegister{zero_register, 32};
    if (lower == "sp") return SizedRegister{stack_pointer, 64};
    if (lower == "wsp") return SizedRegister{stack_pointer, 32};
    if (lower == "fp") return SizedRegister{Register{29}, 64};
    if (lower == "lr") return SizedRegister{Register{30}, 64};
    if (lower.size() < 2 || lower.size() > 3 || (lower[0] != 'x' && lower[0] != 'w')) return std::nullopt;
    unsigned number = 0;
    const auto [end, error] = std::from_chars(lower.data() + 1, lower.data() + lower.size(), number);
    if (error != std::errc{} || end != lower.data() + lower.size() || number > 30) return std::nullopt;
    if (lower.size() == 3 && lower[1] == '0') return std::nullopt;
    return SizedRegister{Register{static_cast<std::uint8_t>(number)},
                         static_cast<std::uint8_t>(lower[0] == 'x' ? 64 : 32)};
}

std::optional<Condition> parse_condition(std::string_view text) {
    static constexpr std::array<std::string_view, 16> names = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                                               "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"};
    const std::string lower = to_lower(text);
    if (lower == "hs") return Condition::cs;
    if (lower == "lo") return Condition::cc;
    for (unsigned i = 0; i < names.size(); ++i) {
        if (names[i] == lower) return static_cast<Condition>(i);
    }
    return std::nullopt;
}

void OperandParser::fail(std::string message, std::string hint) const {
    source_.fail(last_, fmt::format("'{}': {}", excerpt(source_.text()), message), std::move(hint));
}

void OperandParser::skip_blanks() {
    while (at_ < source_.text().size() && is_blank(source_.text()[at_])) ++at_;
}

bool OperandParser::at_end() {
    skip_blanks();
    return at_ == source_.text().size();
}

bool OperandParser::accept(char c) {
    if (at_end() || source_.text()[at_] != c) return false;
    last_ = at_++;
    return true;
}

void OperandParser::expect(char c) {
    if (accept(c)) return;
    last_ = at_;
    fail(at_end() ? fmt::format("'{}' is missing", c) : fmt::format("expected '{}'", c));
}

void OperandParser::comma() {
    expect(',');
}

bool OperandParser::accept_comma() {
    return accept(',');
}

void OperandParser::finish() {
    if (at_end()) return;
    last_ = at_;
    fail("too much behind the operands");
}

std::string_view OperandParser::peek_word() {
    skip_blanks();
    std::size_t end = at_;
    while (end < source_.text().size() && (is_word(source_.text()[end]) || source_.text()[end] == '.')) ++end;
    return source_.text().substr(at_, end - at_);
}

std::string OperandParser::word() {
    const std::string_view found = peek_word();
    last_ = at_;
    if (found.empty()) fail(at_end() ? "an operand is missing" : "expected a name");
    at_ += found.size();
    return std::string(found);
}

bool OperandParser::register_follows() {
    return parse_register(peek_word()).has_value();
}

SizedRegister OperandParser::any_register() {
    const std::string name = word();
    const auto found = parse_register(name);
    if (!found) fail(fmt::format("'{}' is no register", excerpt(name)), "X0 to X30, W0 to W30, XZR, WZR, SP or WSP");
    return *found;
}

SizedRegister OperandParser::general_register() {
    const SizedRegister found = any_register();
    if (found.reg.is_stack_pointer()) fail("the stack pointer cannot stand here");
    return found;
}

Register OperandParser::general_register(unsigned bits) {
    const Register reg = any_register(bits);
    if (reg.is_stack_pointer()) fail("the stack pointer cannot stand here");
    return reg;
}

Register OperandParser::any_register(unsigned bits) {
    const SizedRegister found = any_register();
    if (found.bits != bits) fail(fmt::format("expected {} register", bits == 32 ? "a W" : "an X"));
    return found.reg;
}

std::uint64_t OperandParser::any_immediate() {
    accept('#');
    skip_blanks();
    last_ = at_;
    std::size_t end = at_;
    if (end < source_.text().size() && (source_.text()[end] == '-' || source_.text()[end] == '+')) ++end;
    while (end < source_.text().size() && is_word(source_.text()[end])) ++end;
    const auto number = parse_number(source_.text().substr(at_, end - at_));
    if (!number) fail(at_end() ? "a number is missing" : "expected a number");
    at_ = end;
    return *number;
}

std::uint64_t OperandParser::immediate(std::uint64_t most) {
    const std::uint64_t number = any_immediate();
    if (number > most) fail(fmt::format("expected a number from 0 to {}", most));
    return number;
}

Condition OperandParser::condition() {
    const auto found = parse_condition(word());
    if (!found) fail("expected a condition", "eq, ne, cs, cc, mi, pl, vs, vc, hi, ls, ge, lt, gt, le, al");
    return *found;
}

unsigned OperandParser::left_shift(unsigned step, unsigned bits) {
    if (!accept_comma()) return 0;
    if (to_lower(word()) != "lsl") fail("expected 'lsl'");
    const std::uint64_t amount = any_immediate();
    if (amount >= bits || amount % step != 0) fail(fmt::format("cannot be shifted by {}", amount));
    return static_cast<unsigned>(amount);
}

std::optional<Modifier> OperandParser::accept_modifier() {
    const std::string name = to_lower(peek_word());
    for (const auto& [known, modifier] : modifier_names) {
        if (known != name) continue;
        last_ = at_;
        at_ += name.size();
        return modifier;
    }
    return std::nullopt;
}

void OperandParser::modifier_amount(Operand& operand, unsigned most, bool needed) {
    skip_blanks();
    const bool there = at_ < source_.text().size() && source_.text()[at_] != ',' && source_.text()[at_] != ']';
    if (!there && !needed) return;
    operand.amount = static_cast<std::uint8_t>(immediate(most));
}

Operand OperandParser::shifted_register(unsigned bits, bool may_rotate) {
    Operand operand;
    operand.kind = Operand::Kind::reg;
    operand.rm = general_register(bits);
    if (!accept_comma()) return operand;
    const auto modifier = accept_modifier();
    if (!modifier || is_extension(*modifier) || (*modifier == Modifier::ror && !may_rotate)) {
        fail(may_rotate ? "expected lsl, lsr, asr or ror" : "expected lsl, lsr or asr");
    }
    operand.modifier = *modifier;
    modifier_amount(operand, bits - 1, true);
    return operand;
}

Operand OperandParser::shifted_or_extended_register(unsigned bits) {
    Operand operand;
    operand.kind = Operand::Kind::reg;
    const SizedRegister rm = general_register();
    const std::size_t register_at = last_;
    operand.rm = rm.reg;
    if (rm.bits > bits) fail("expected a W register");
    std::optional<Modifier> modifier;
    if (accept_comma()) {
        modifier = accept_modifier();
        if (!modifier || *modifier == Modifier::ror) fail("expected a shift or an extension");
        operand.modifier = *modifier;
        modifier_amount(operand, is_extension(*modifier) ? 4 : bits - 1, !is_extension(*modifier));
    }
    const bool x_needed = modifier && is_extension(*modifier) ? extends_x(*modifier) : bits == 64;
    if ((rm.bits == 64) != x_needed) {
        last_ = register_at;
        fail(fmt::format("expected {} register", x_needed ? "an X" : "a W"));
    }
    return operand;
}

Register OperandParser::base() {
    expect('[');
    const SizedRegister found = any_register();
    if (found.bits != 64 || found.reg.is_zero()) fail("expected X0 to X30 or SP as the base");
    return found.reg;
}

void OperandParser::register_offset(Operand& offset, unsigned size) {
    offset.kind = Operand::Kind::reg;
    const SizedRegister rm = general_register();
    offset.rm = rm.reg;
    const std::size_t register_at = last_;
    std::optional<Modifier> modifier;
    if (accept_comma()) {
        modifier = accept_modifier();
        if (!modifier || (*modifier != Modifier::lsl && *modifier != Modifier::uxtw && *modifier != Modifier::sxtw &&
                          *modifier != Modifier::sxtx)) {
            fail("expected lsl, uxtw, sxtw or sxtx");
        }
        offset.modifier = *modifier;
        modifier_amount(offset, 4, *modifier == Modifier::lsl);
        const auto scale = static_cast<unsigned>(std::countr_zero(size));
        if (offset.amount != 0 && offset.amount != scale) {
            fail(fmt::format("an offset is shifted by 0 or, for accesses of {} bytes, by {}", size, scale));
        }
    }
    const bool w_needed = modifier == Modifier::uxtw || modifier == Modifier::sxtw;
    // herd writes an X register also where only its lower half is extended: [X1,X2,SXTW].
    if (rm.bits == 32 && !w_needed) {
        last_ = register_at;
        fail("expected an X register", "or W with uxtw or sxtw");
    }
}

void OperandParser::check_offset(const Address& address, unsigned size, bool pair) const {
    if (address.offset.kind != Operand::Kind::immediate) return;
    const auto offset = static_cast<std::int64_t>(address.offset.immediate);
    const auto scale = static_cast<std::int64_t>(size);
    if (pair) {
        if (offset % scale != 0 || offset < -64 * scale || offset > 63 * scale) {
            fail(fmt::format("expected a multiple of {} from {} to {}", scale, -64 * scale, 63 * scale));
        }
        return;
    }
    const bool unscaled = offset >= -256 && offset <= 255;
    const bool scaled = offset >= 0 && offset % scale == 0 && offset <= 4095 * scale;
    if (address.mode != Address::Mode::offset && !unscaled) fail("expected an offset from -256 to 255");
    if (!unscaled && !scaled) {
        fail(fmt::format("expected an offset from -256 to 255 or a multiple of {} to {}", scale, 4095 * scale));
    }
}

Address OperandParser::address_with(unsigned size, bool pair) {
    Address address;
    address.base = base();
    const auto set_immediate = [&] {
        address.offset.kind = Operand::Kind::immediate;
        address.offset.immediate = any_immediate();
    };
    if (accept_comma()) {
        if (!pair && register_follows()) {
            register_offset(address.offset, size);
        } else {
            set_immediate();
        }
        const std::size_t offset_at = last_;
        expect(']');
        if (accept('!')) {
            if (address.offset.kind != Operand::Kind::immediate) fail("only an immediate offset can be written back");
            address.mode = Address::Mode::pre_index;
        }
        last_ = offset_at;
    } else {
        expect(']');
        if (accept_comma()) {
            set_immediate();
            address.mode = Address::Mode::post_index;
        }
    }
    check_offset(address, size, pair);
    return address;
}

Address OperandParser::address(unsigned size) {
    return address_with(size, false);
}

Address OperandParser::pair_address(unsigned size) {
    return address_with(size, true);
}

Address OperandParser::plain_address() {
    Address address;
    address.base = base();
    if (accept_comma() && any_immediate() != 0) fail("this instruction has no offset");
    expect(']');
    return address;
}

}  // namespace gicsim::litmus
