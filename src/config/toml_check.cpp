#include "toml_check.h"

#include <algorithm>
#include <string_view>

#include "gicsim/config/error.h"

namespace gicsim {

namespace {

/// The parser recurses once for each part of a dotted name; the files here have four at most.
void refuse_deep_names(const std::string& content, const std::string& name) {
    constexpr unsigned most_dots_in_a_line = 1000;
    unsigned line = 1;
    unsigned dots = 0;
    for (const char c : content) {
        if (c == '\n') {
            ++line;
            dots = 0;
        } else if (c == '.' && ++dots > most_dots_in_a_line) {
            throw ConfigError(Origin::in_file(name, line, 1), {},
                              "a line with more than a thousand dots is no table name");
        }
    }
}

bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

/// toml++ 3.3 has undefined behaviour when it looks for blanks and finds certain other characters, U+00E9 for one
/// (is_non_ascii_horizontal_whitespace). It looks for them outside of strings and comments, where TOML 1.0 has nothing
/// but ASCII, and behind a backslash in a string.
class NonAsciiCheck {
public:
    NonAsciiCheck(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    void run() {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
        while (at_ < text_.size()) {
            if (text_[at_] == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (text_[at_] == '"' || text_[at_] == '\'') {
                skip_string();
            } else {
                require_ascii();
                ++at_;
            }
        }
    }

private:
    void require_ascii() const {
        if (at_ == text_.size() || is_ascii(text_[at_])) return;
        const std::string_view before = text_.substr(0, at_);
        const auto line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n')) + 1;
        const std::string_view same_line = before.substr(before.rfind('\n') + 1);
        const auto is_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
        const auto column = static_cast<unsigned>(std::count_if(same_line.begin(), same_line.end(), is_character)) + 1;
        throw ConfigError(Origin::in_file(name_, line, column), {},
                          "a character that is not ASCII can stand in strings and comments only");
    }

    void skip_string() {
        const char quote = text_[at_];
        const std::string end(text_.substr(at_, 3) == std::string(3, quote) ? 3 : 1, quote);
        at_ += end.size();
        while (at_ < text_.size() && text_.substr(at_, end.size()) != end) {
            if (end.size() == 1 && text_[at_] == '\n') return;
            if (quote == '"' && text_[at_] == '\\') {
                skip_escape();
            } else {
                ++at_;
            }
        }
        at_ = std::min(at_ + end.size(), text_.size());
        // A string of several lines may end with two quotes of its own.
        for (unsigned i = 0; end.size() == 3 && i < 2 && at_ < text_.size() && text_[at_] == quote; ++i) ++at_;
    }

    void skip_escape() {
        constexpr std::string_view blanks = " \t\r\n\f\v";
        ++at_;
        require_ascii();
        if (at_ < text_.size() && blanks.find(text_[at_]) == std::string_view::npos) {
            ++at_;
            return;
        }
        while (at_ < text_.size() && blanks.find(text_[at_]) != std::string_view::npos) ++at_;
        require_ascii();
    }

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
};

}  // namespace

void refuse_unparsable_toml(const std::string& content, const std::string& name) {
    refuse_deep_names(content, name);
    NonAsciiCheck(content, name).run();
}

}  // namespace gicsim
