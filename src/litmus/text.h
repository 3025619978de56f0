#ifndef GICSIM_SRC_LITMUS_TEXT_H
#define GICSIM_SRC_LITMUS_TEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gicsim/config/error.h"
#include "gicsim/litmus/assembler.h"

namespace gicsim::litmus {

[[nodiscard]] bool is_blank(char c);
/// Letters, digits and '_'.
[[nodiscard]] bool is_word(char c);
std::string to_lower(std::string_view text);
std::string_view trim(std::string_view text);
/// Trimmed, and every run of blanks and line ends as one blank.
std::string fold_blanks(std::string_view text);
/// At most as much of a text as an error message can bear.
std::string excerpt(std::string_view text);

/// Decimal, 0x or 0b, with an optional sign, as two's complement; nothing when it is no number or has more than 64
/// bits.
std::optional<std::uint64_t> parse_number(std::string_view text);

/// Throws ConfigError at a place in a file.
[[noreturn]] void fail(const std::string& file, SourcePosition position, std::string message, std::string hint = {});

/// A text with the place of its first character, from which the place of every other follows.
class SourceText {
public:
    SourceText(std::string_view text, std::string file, SourcePosition first = {1, 1});

    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] const std::string& file() const { return file_; }
    /// Place of the character `at`; of the end for what is behind it.
    [[nodiscard]] SourcePosition position(std::size_t at) const;
    [[noreturn]] void fail(std::size_t at, std::string message, std::string hint = {}) const;
    /// A part of it, that knows its place.
    [[nodiscard]] SourceText part(std::size_t begin, std::size_t end) const;

    /// Overwrites comments (`//`, `/* */` and nested `(* *)`) with blanks, so that all places stay as they are.
    void blank_comments();
    /// Behind the `*)` of the comment that begins at `begin`.
    [[nodiscard]] std::size_t end_of_ml_comment(std::size_t begin) const;

private:
    void blank(std::size_t begin, std::size_t end);

    std::string text_;
    std::string file_;
    SourcePosition first_;
    std::vector<std::size_t> line_starts_;
};

/// The content of a file without its byte order mark. Throws ConfigError for more than largest_file bytes and for NULs.
std::string_view checked_content(std::string_view text, const std::string& file);

}  // namespace gicsim::litmus

#endif
