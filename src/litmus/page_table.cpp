#include "page_table.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "token_reader.h"
#include "value_expression.h"

namespace gicsim::litmus {
namespace {

constexpr const char* supported = "supported: physical, x |-> pa1, identity 0x1000 with code, *pa1 = 0";

class PageTable {
public:
    PageTable(const SourceText& source, LitmusTest& test) : tokens_(source, "page_table_setup"), test_(test) {}

    void apply();

private:
    void read_physical();
    void read_identity();
    void read_value();
    void read_mapping();
    void end_statement();

    TokenReader tokens_;
    LitmusTest& test_;
    std::set<std::string> physical_;
    std::map<std::string, std::size_t> location_of_;  ///< by physical name
    std::set<std::size_t> mapped_;
};

void PageTable::end_statement() {
    if (tokens_.accept(";")) return;
    if (!tokens_.at_end()) {
        const std::string_view word = tokens_.peek_word();
        if (!word.empty()) {
            tokens_.word("a word");
            tokens_.fail("only plain mappings are supported: the attributes and levels of pages are not simulated",
                         supported);
        }
    }
    tokens_.fail_here("';'");
}

void PageTable::read_physical() {
    while (tokens_.peek() != ';') {
        const std::string name = tokens_.word("a name or ';'");
        if (test_.find_location(name)) tokens_.fail(fmt::format("'{}' is a location already", excerpt(name)));
        if (!physical_.insert(name).second) tokens_.fail(fmt::format("'{}' is there twice", excerpt(name)));
    }
    end_statement();
}

void PageTable::read_identity() {
    tokens_.number();
    if (!tokens_.accept_word("with") || !tokens_.accept_word("code")) tokens_.fail_here("'with code'");
    end_statement();
}

void PageTable::read_value() {
    const std::string name = tokens_.word("a physical address");
    std::optional<std::size_t> location = test_.find_location(name);
    if (const auto found = location_of_.find(name); found != location_of_.end()) location = found->second;
    if (!location) tokens_.fail(fmt::format("no location is mapped to '{}'", excerpt(name)));
    tokens_.expect("=");
    test_.locations[*location].initial.front() = parse_value(tokens_, test_);
    end_statement();
}

void PageTable::read_mapping() {
    const std::string name = tokens_.word("a statement");
    const auto location = test_.find_location(name);
    if (!location) {
        tokens_.fail(fmt::format("'{}' is no location and no statement that is supported", excerpt(name)), supported);
    }
    if (tokens_.accept("?->")) tokens_.fail("a mapping that may change is not supported", supported);
    tokens_.expect("|->");
    const std::string page = tokens_.word("a physical address");
    if (!physical_.contains(page)) {
        tokens_.fail(fmt::format("'{}' is not supported as what a location is mapped to", excerpt(page)), supported);
    }
    const auto [other, is_first] = location_of_.emplace(page, *location);
    if (!is_first) {
        tokens_.fail(fmt::format("two names of one page are not supported: '{}' has it already",
                                 test_.locations[other->second].name));
    }
    if (!mapped_.insert(*location).second) tokens_.fail(fmt::format("'{}' is mapped twice", excerpt(name)));
    end_statement();
}

void PageTable::apply() {
    while (!tokens_.at_end()) {
        if (tokens_.accept(";")) continue;
        if (tokens_.accept_word("physical")) {
            read_physical();
        } else if (tokens_.accept_word("identity")) {
            read_identity();
        } else if (tokens_.accept("*")) {
            read_value();
        } else {
            read_mapping();
        }
    }
    for (std::size_t i = 0; i < test_.locations.size(); ++i) {
        if (!mapped_.contains(i)) tokens_.fail_here(fmt::format("a mapping of '{}'", test_.locations[i].name));
    }
}

}  // namespace

void apply_page_table(const SourceText& source, LitmusTest& test) {
    SourceText without_comments = source;
    without_comments.blank_comments();
    PageTable(without_comments, test).apply();
}

}  // namespace gicsim::litmus
