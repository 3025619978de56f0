#ifndef GICSIM_SRC_LITMUS_TOKEN_READER_H
#define GICSIM_SRC_LITMUS_TOKEN_READER_H

#include <string>
#include <string_view>

#include "text.h"

namespace gicsim::litmus {

/// Walks over a text whose comments are blank: names, numbers and signs with any blanks between.
class TokenReader {
public:
    /// @param what is read, for messages at the end: "the final condition"
    TokenReader(const SourceText& source, std::string what) : source_(source), what_(std::move(what)) {}

    [[nodiscard]] bool at_end();
    [[nodiscard]] std::size_t at();  ///< where the next token begins
    [[nodiscard]] std::size_t last() const { return last_; }
    [[nodiscard]] char peek();  ///< first character of the next token; NUL at the end
    /// The name or number that comes next, without taking it; empty when a sign comes.
    [[nodiscard]] std::string_view peek_word();
    bool accept(std::string_view sign);
    /// The same for a whole word in any case.
    bool accept_word(std::string_view lower_case);
    void expect(std::string_view sign);
    /// Takes a word. @param wanted for the message: "a location"
    std::string word(std::string_view wanted);
    /// A number with an optional sign before it.
    std::uint64_t number();
    /// Whether a number, maybe signed, comes.
    [[nodiscard]] bool number_follows();

    /// Throws at the token that was read last.
    [[noreturn]] void fail(std::string message, std::string hint = {}) const;
    /// Throws at the next token.
    [[noreturn]] void fail_here(std::string_view expected);

private:
    const SourceText& source_;
    std::string what_;
    std::size_t at_ = 0;
    std::size_t last_ = 0;
};

}  // namespace gicsim::litmus

#endif
