#include "gicsim/litmus/assembler.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "gicsim/config/suggestion.h"
#include "instruction_parser.h"
#include "text.h"

namespace gicsim::litmus {
namespace {

constexpr std::size_t most_labels = 2 * most_instructions;

/// One pass over the source collects instructions and labels; then the branches find their targets.
class Assembler {
public:
    Assembler(std::string file, std::uint64_t address) : file_(std::move(file)) { program_.address = address; }

    void add(const SourceText& text);
    Program finish();

private:
    struct Branch {
        std::size_t instruction;
        std::string target;
        SourcePosition position;
    };
    struct LocalLabel {
        std::string number;
        std::size_t instruction;
    };

    void add_statement(const SourceText& statement);
    std::size_t take_label(const SourceText& statement, std::size_t begin);
    [[nodiscard]] std::optional<std::size_t> find_target(const Branch& branch) const;

    std::string file_;
    Program program_;
    std::vector<LocalLabel> local_labels_;
    std::vector<Branch> branches_;
};

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

void Assembler::add(const SourceText& text) {
    std::size_t begin = 0;
    while (begin <= text.text().size()) {
        const std::size_t end = std::min(text.text().find_first_of("\n;", begin), text.text().size());
        std::size_t first = begin;
        while (first < end && is_blank(text.text()[first])) ++first;
        std::size_t last = end;
        while (last > first && is_blank(text.text()[last - 1])) --last;
        if (first < last) add_statement(text.part(first, last));
        begin = end + 1;
    }
}

/// Where the statement goes on behind the label at `begin`; `begin` when there is none.
std::size_t Assembler::take_label(const SourceText& statement, std::size_t begin) {
    const std::string_view text = statement.text();
    std::size_t end = begin;
    while (end < text.size() && (is_word(text[end]) || text[end] == '.' || text[end] == '$')) ++end;
    std::size_t colon = end;
    while (colon < text.size() && is_blank(text[colon])) ++colon;
    if (end == begin || colon == text.size() || text[colon] != ':') return begin;
    if (program_.labels.size() + local_labels_.size() == most_labels) {
        statement.fail(begin, fmt::format("more than {} labels", most_labels));
    }
    const std::string label(text.substr(begin, end - begin));
    const std::size_t here = program_.instructions.size();
    if (is_number(label)) {
        local_labels_.push_back({label, here});
    } else if (!program_.labels.emplace(label, here).second) {
        statement.fail(begin, fmt::format("label '{}' is there twice", excerpt(label)));
    }
    std::size_t next = colon + 1;
    while (next < text.size() && is_blank(text[next])) ++next;
    return next;
}

void Assembler::add_statement(const SourceText& statement) {
    std::size_t begin = 0;
    for (std::size_t next = take_label(statement, 0); next != begin; next = take_label(statement, begin)) begin = next;
    if (begin == statement.text().size()) return;
    if (program_.instructions.size() == most_instructions) {
        statement.fail(begin, fmt::format("more than {} instructions", most_instructions));
    }
    ParsedInstruction parsed = parse_instruction(statement.part(begin, statement.text().size()));
    if (!parsed.target.empty()) {
        branches_.push_back({program_.instructions.size(), parsed.target, parsed.target_position});
    }
    program_.instructions.push_back(std::move(parsed.instruction));
}

std::optional<std::size_t> Assembler::find_target(const Branch& branch) const {
    if (const auto found = program_.labels.find(branch.target); found != program_.labels.end()) return found->second;
    if (branch.target.size() > 1 && branch.target[0] == '.') {
        const auto distance = parse_number(branch.target.substr(1));
        if (distance && *distance % 4 == 0) {
            const std::uint64_t target =
                branch.instruction + static_cast<std::uint64_t>(static_cast<std::int64_t>(*distance) / 4);
            if (target <= program_.instructions.size()) return target;
        }
    }
    // GNU's local labels: "1f" is the next 1, "1b" the last one.
    const std::string number = branch.target.substr(0, branch.target.size() - 1);
    if (!is_number(number)) return std::nullopt;
    const auto direction = std::tolower(static_cast<unsigned char>(branch.target.back()));
    std::optional<std::size_t> before;
    for (const LocalLabel& label : local_labels_) {
        if (label.number != number) continue;
        if (label.instruction <= branch.instruction) {
            before = label.instruction;
        } else if (direction == 'f') {
            return label.instruction;
        }
    }
    return direction == 'b' ? before : std::nullopt;
}

Program Assembler::finish() {
    for (const Branch& branch : branches_) {
        Instruction& instruction = program_.instructions[branch.instruction];
        const auto target = find_target(branch);
        if (!target) {
            std::vector<std::string> known;
            known.reserve(program_.labels.size());
            for (const auto& [label, index] : program_.labels) known.push_back(label);
            fail(file_, branch.position,
                 fmt::format("'{}': unknown label '{}'", excerpt(instruction.text), excerpt(branch.target)),
                 did_you_mean(excerpt(branch.target), known));
        }
        instruction.target = *target;
    }
    return std::move(program_);
}

}  // namespace

Program assemble(const std::vector<SourceLine>& lines, const std::string& file, std::uint64_t address) {
    Assembler assembler(file, address);
    for (const SourceLine& line : lines) {
        SourceText text(line.text, file, line.position);
        text.blank_comments();
        assembler.add(text);
    }
    return assembler.finish();
}

Program assemble(std::string_view text, const std::string& file, SourcePosition first, std::uint64_t address) {
    Assembler assembler(file, address);
    SourceText source(text, file, first);
    source.blank_comments();
    assembler.add(source);
    return assembler.finish();
}

}  // namespace gicsim::litmus
