#include "herd_init.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "operand_parser.h"
#include "token_reader.h"
#include "value_expression.h"

namespace gicsim::litmus {
namespace {

constexpr std::array<std::pair<std::string_view, unsigned>, 16> type_sizes{{
    {"int", 4},
    {"unsigned", 4},
    {"long", 8},
    {"short", 2},
    {"char", 1},
    {"int8_t", 1},
    {"int16_t", 2},
    {"int32_t", 4},
    {"int64_t", 8},
    {"uint8_t", 1},
    {"uint16_t", 2},
    {"uint32_t", 4},
    {"uint64_t", 8},
    {"intptr_t", 8},
    {"uintptr_t", 8},
    {"size_t", 8},
}};

constexpr std::size_t longest_name = 100;

}  // namespace

/// Takes one item after the other from the text.
class HerdInit::Parser {
public:
    explicit Parser(HerdInit& init) : init_(init), test_(init.test_), tokens_(init.source_, "the initial state") {}

    void parse() {
        while (!tokens_.at_end()) {
            if (tokens_.accept(";")) continue;
            parse_item();
            if (!tokens_.at_end() && tokens_.peek() != ';') tokens_.fail_here("';'");
        }
    }

private:
    void parse_item();
    unsigned accept_type();
    void parse_register();
    void parse_location(unsigned size);
    std::vector<Value> parse_elements(std::uint64_t most);
    Value value();
    std::size_t location(const std::string& name);
    std::string name(std::string_view wanted);

    HerdInit& init_;
    LitmusTest& test_;
    TokenReader tokens_;
};

/// Bytes of the type that comes next; 0 when none does.
unsigned HerdInit::Parser::accept_type() {
    for (const auto& [name, size] : type_sizes) {
        if (!tokens_.accept_word(name)) continue;
        unsigned bytes = size;
        while (tokens_.accept("*")) bytes = 8;
        return bytes;
    }
    return 0;
}

void HerdInit::Parser::parse_item() {
    const unsigned size = accept_type();
    if (std::isdigit(static_cast<unsigned char>(tokens_.peek())) != 0) {
        parse_register();
    } else {
        parse_location(size);
    }
}

std::string HerdInit::Parser::name(std::string_view wanted) {
    std::string found = tokens_.word(wanted);
    if (std::isdigit(static_cast<unsigned char>(found.front())) != 0) tokens_.fail("a name begins with a letter");
    if (found.size() > longest_name) tokens_.fail("the name is too long");
    return found;
}

std::size_t HerdInit::Parser::location(const std::string& name) {
    if (const auto found = test_.find_location(name)) return *found;
    if (test_.locations.size() == most_locations) tokens_.fail(fmt::format("more than {} locations", most_locations));
    Location fresh;
    fresh.name = name;
    test_.locations.push_back(std::move(fresh));
    init_.states_.push_back({});
    init_.places_.push_back(tokens_.last());
    return test_.locations.size() - 1;
}

Value HerdInit::Parser::value() {
    if (tokens_.number_follows()) return {no_location, tokens_.number()};
    tokens_.accept("&");
    return {static_cast<std::uint32_t>(location(name("a value"))), 0};
}

void HerdInit::Parser::parse_register() {
    RegisterItem item{tokens_.number(), {}, tokens_.last()};
    if (item.thread >= most_threads) tokens_.fail(fmt::format("there are {} threads at most", most_threads));
    tokens_.expect(":");
    const std::string written = tokens_.word("a register");
    const auto reg = litmus::parse_register(written);
    if (!reg || reg->reg.is_zero()) {
        tokens_.fail(fmt::format("'{}' is no register that can be set", excerpt(written)), "X0 to X30, W0 to W30, SP");
    }
    item.initial.reg = reg->reg;
    for (const RegisterItem& other : init_.registers_) {
        if (other.thread == item.thread && other.initial.reg == item.initial.reg) {
            tokens_.fail(fmt::format("register '{}' of thread {} is set twice", written, item.thread));
        }
    }
    if (tokens_.accept("=")) {
        item.initial.value = value();
        if (reg->bits == 32 && !cut_to_size(item.initial.value, 4)) tokens_.fail("does not fit into 32 bits");
    }
    init_.registers_.push_back(item);
}

std::vector<Value> HerdInit::Parser::parse_elements(std::uint64_t most) {
    std::vector<Value> values;
    tokens_.expect("{");
    while (!tokens_.accept("}")) {
        if (!values.empty()) tokens_.expect(",");
        if (values.size() == most) tokens_.fail(fmt::format("more values than the {} elements", most));
        values.push_back(value());
    }
    return values;
}

void HerdInit::Parser::parse_location(unsigned size) {
    const bool bracket = tokens_.accept("[");
    if (!bracket) tokens_.accept("*");
    const std::size_t index = location(name("a register or a location"));
    if (bracket) tokens_.expect("]");
    if (init_.states_[index].declared) {
        tokens_.fail(fmt::format("location '{}' is there twice", test_.locations[index].name));
    }
    init_.states_[index] = {true, size != 0};
    if (size != 0) test_.locations[index].element_size = static_cast<std::uint8_t>(size);
    std::uint64_t elements = 1;
    bool is_array = false;
    if (!bracket && tokens_.accept("[")) {
        is_array = true;
        elements = tokens_.number();
        if (elements == 0 || elements > most_elements) {
            tokens_.fail(fmt::format("expected 1 to {} elements", most_elements));
        }
        tokens_.expect("]");
    }
    std::vector<Value> values;
    if (tokens_.accept("=")) {
        if (is_array) {
            values = parse_elements(elements);
        } else {
            values = {value()};
        }
    }
    values.resize(elements);
    test_.locations[index].initial = std::move(values);
}

HerdInit::HerdInit(const SourceText& source, LitmusTest& test) : source_(source), test_(test) {
    Parser(*this).parse();
}

void HerdInit::size_untyped_locations() {
    bool wide = false;
    for (const Thread& thread : test_.threads) {
        for (const Instruction& instruction : thread.program.instructions) wide |= instruction.access_size == 8;
    }
    for (std::size_t i = 0; i < test_.locations.size(); ++i) {
        Location& location = test_.locations[i];
        if (states_[i].typed) continue;
        const bool small = std::ranges::all_of(location.initial, [](Value value) { return cut_to_size(value, 4); });
        location.element_size = wide || !small ? 8 : 4;
    }
}

void HerdInit::cut_initial_values() {
    for (std::size_t i = 0; i < test_.locations.size(); ++i) {
        Location& location = test_.locations[i];
        for (Value& value : location.initial) {
            if (cut_to_size(value, location.element_size)) continue;
            source_.fail(places_[i], fmt::format("an initial value of '{}' does not fit into its {} bits",
                                                 excerpt(location.name), 8 * location.element_size));
        }
    }
}

void HerdInit::finish() {
    for (const RegisterItem& item : registers_) {
        if (item.thread >= test_.threads.size()) {
            source_.fail(item.at, fmt::format("there is no thread {}", item.thread),
                         fmt::format("the test has {}", test_.threads.size()));
        }
        test_.threads[item.thread].registers.push_back(item.initial);
    }
    size_untyped_locations();
    cut_initial_values();
}

}  // namespace gicsim::litmus
