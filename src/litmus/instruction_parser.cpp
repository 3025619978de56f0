#include "instruction_parser.h"

#include <fmt/core.h>

#include <map>

#include "gicsim/config/suggestion.h"

namespace gicsim::litmus {
namespace {

const std::map<std::string, OperandReader, std::less<>>& mnemonics() {
    static const std::map<std::string, OperandReader, std::less<>> table = [] {
        std::map<std::string, OperandReader, std::less<>> all;
        for (const auto& list : {data_mnemonics(), branch_mnemonics(), memory_mnemonics(), system_mnemonics()}) {
            for (const Mnemonic& mnemonic : list) all.emplace(mnemonic.name, mnemonic.read);
        }
        return all;
    }();
    return table;
}

[[noreturn]] void refuse(const SourceText& source, const std::string& mnemonic) {
    const std::string shown = excerpt(source.text());
    if (mnemonic.starts_with('.')) source.fail(0, fmt::format("'{}': directives are not supported", shown));
    std::vector<std::string> known;
    known.reserve(mnemonics().size());
    for (const auto& [name, read] : mnemonics()) known.push_back(name);
    const std::string hint = mnemonic.size() <= 10 ? did_you_mean(mnemonic, known) : std::string();
    source.fail(0, fmt::format("'{}': unknown instruction", shown), hint);
}

}  // namespace

ParsedInstruction parse_instruction(const SourceText& source) {
    const std::string_view text = source.text();
    std::size_t end = 0;
    while (end < text.size() && (is_word(text[end]) || text[end] == '.')) ++end;
    const std::string mnemonic = to_lower(text.substr(0, end));
    const auto found = mnemonics().find(mnemonic);
    if (found == mnemonics().end() || (end < text.size() && !is_blank(text[end]))) refuse(source, mnemonic);

    ParsedInstruction parsed;
    parsed.instruction.position = source.position(0);
    parsed.instruction.text = fold_blanks(text);
    OperandParser operands(source, end);
    found->second(operands, parsed, mnemonic);
    operands.finish();
    if (!parsed.target.empty()) parsed.target_position = operands.last_position();
    return parsed;
}

}  // namespace gicsim::litmus
