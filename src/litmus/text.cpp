#include "text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "gicsim/litmus/litmus_test.h"

namespace gicsim::litmus {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string to_lower(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string fold_blanks(std::string_view text) {
    std::string folded;
    for (const char c : trim(text)) {
        if (!is_blank(c)) {
            folded += c;
        } else if (folded.back() != ' ') {
            folded += ' ';
        }
    }
    return folded;
}

std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string folded = fold_blanks(text.substr(0, 4 * longest));
    if (folded.size() <= longest) return folded;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(folded[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
    return folded.substr(0, end) + "...";
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    unsigned base = 10;
    if (text.size() > 2 && text[0] == '0') {
        const char kind = static_cast<char>(std::tolower(static_cast<unsigned char>(text[1])));
        if (kind == 'x') base = 16;
        if (kind == 'b') base = 2;
        if (base != 10) text.remove_prefix(2);
    }
    if (text.empty()) return std::nullopt;
    std::uint64_t number = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isxdigit(byte) == 0) return std::nullopt;
        const unsigned digit =
            std::isdigit(byte) != 0 ? byte - '0' : static_cast<unsigned>(std::tolower(byte)) - 'a' + 10;
        if (digit >= base || number > (UINT64_MAX - digit) / base) return std::nullopt;
        number = number * base + digit;
    }
    if (!negative) return number;
    if (number > std::uint64_t{1} << 63) return std::nullopt;
    return ~number + 1;
}

void fail(const std::string& file, SourcePosition position, std::string message, std::string hint) {
    throw ConfigError(Origin::in_file(file, position.line, position.column), {}, std::move(message), std::move(hint));
}

SourceText::SourceText(std::string_view text, std::string file, SourcePosition first)
    : text_(text), file_(std::move(file)), first_(first), line_starts_{0} {
    for (std::size_t at = 0; at < text_.size(); ++at) {
        if (text_[at] == '\n') line_starts_.push_back(at + 1);
    }
}

SourcePosition SourceText::position(std::size_t at) const {
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), std::min(at, text_.size()));
    const auto line = static_cast<std::size_t>(next - line_starts_.begin()) - 1;
    const auto column = static_cast<unsigned>(std::min(at, text_.size()) - line_starts_[line]);
    if (line == 0) return {first_.line, first_.column + column};
    return {first_.line + static_cast<unsigned>(line), column + 1};
}

void SourceText::fail(std::size_t at, std::string message, std::string hint) const {
    litmus::fail(file_, position(at), std::move(message), std::move(hint));
}

SourceText SourceText::part(std::size_t begin, std::size_t end) const {
    return {std::string_view(text_).substr(begin, end - begin), file_, position(begin)};
}

std::size_t SourceText::end_of_ml_comment(std::size_t begin) const {
    unsigned depth = 0;
    for (std::size_t at = begin; at + 1 < text_.size(); ++at) {
        if (text_.compare(at, 2, "(*") == 0) {
            ++depth;
            ++at;
        } else if (text_.compare(at, 2, "*)") == 0) {
            ++at;
            if (--depth == 0) return at + 1;
        }
    }
    fail(begin, "comment without an end");
}

void SourceText::blank(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
        if (text_[at] != '\n') text_[at] = ' ';
    }
}

void SourceText::blank_comments() {
    for (std::size_t at = 0; at < text_.size(); ++at) {
        const std::string_view rest = std::string_view(text_).substr(at, 2);
        std::size_t end = at;
        if (rest == "(*") {
            end = end_of_ml_comment(at);
        } else if (rest == "//") {
            end = std::min(text_.find('\n', at), text_.size());
        } else if (rest == "/*") {
            end = text_.find("*/", at + 2);
            if (end == std::string::npos) fail(at, "comment without an end");
            end += 2;
        }
        if (end == at) continue;
        blank(at, end);
        at = end - 1;
    }
}

std::string_view checked_content(std::string_view text, const std::string& file) {
    if (text.size() > largest_file) {
        throw ConfigError(Origin::in_file(file), {}, fmt::format("is larger than {} bytes", largest_file));
    }
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    if (const std::size_t at = text.find('\0'); at != std::string_view::npos) {
        SourceText(text, file).fail(at, "a NUL character; this is no text file");
    }
    return text;
}

}  // namespace gicsim::litmus
