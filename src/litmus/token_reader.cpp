#include "token_reader.h"

#include <fmt/core.h>

namespace gicsim::litmus {

std::size_t TokenReader::at() {
    while (at_ < source_.text().size() && is_blank(source_.text()[at_])) ++at_;
    return at_;
}

bool TokenReader::at_end() {
    return at() == source_.text().size();
}

char TokenReader::peek() {
    return at_end() ? '\0' : source_.text()[at_];
}

std::string_view TokenReader::peek_word() {
    std::size_t end = at();
    while (end < source_.text().size() && is_word(source_.text()[end])) ++end;
    return source_.text().substr(at_, end - at_);
}

bool TokenReader::accept(std::string_view sign) {
    if (source_.text().substr(at(), sign.size()) != sign) return false;
    last_ = at_;
    at_ += sign.size();
    return true;
}

bool TokenReader::accept_word(std::string_view lower_case) {
    if (to_lower(peek_word().substr(0, lower_case.size() + 1)) != lower_case) return false;
    last_ = at_;
    at_ += lower_case.size();
    return true;
}

void TokenReader::expect(std::string_view sign) {
    if (!accept(sign)) fail_here(fmt::format("'{}'", sign));
}

std::string TokenReader::word(std::string_view wanted) {
    const std::string_view found = peek_word();
    if (found.empty()) fail_here(wanted);
    last_ = at_;
    at_ += found.size();
    return std::string(found);
}

bool TokenReader::number_follows() {
    const char c = peek();
    return (c >= '0' && c <= '9') || c == '-' || c == '+';
}

std::uint64_t TokenReader::number() {
    const std::size_t begin = at();
    std::size_t end = begin;
    if (end < source_.text().size() && (source_.text()[end] == '-' || source_.text()[end] == '+')) ++end;
    while (end < source_.text().size() && is_word(source_.text()[end])) ++end;
    const auto found = parse_number(source_.text().substr(begin, end - begin));
    if (!found) fail_here("a number");
    last_ = begin;
    at_ = end;
    return *found;
}

void TokenReader::fail(std::string message, std::string hint) const {
    source_.fail(last_, std::move(message), std::move(hint));
}

void TokenReader::fail_here(std::string_view expected) {
    if (at_end()) source_.fail(at_, fmt::format("expected {}, found the end of {}", expected, what_));
    const std::string_view found = peek_word();
    source_.fail(at_, fmt::format("expected {}, found '{}'", expected,
                                  found.empty() ? source_.text().substr(at_, 1) : excerpt(found)));
}

}  // namespace gicsim::litmus
