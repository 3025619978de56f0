#include "gicsim/litmus/herd_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "condition_parser.h"
#include "herd_init.h"
#include "program_address.h"
#include "text.h"
#include "token_reader.h"

namespace gicsim::litmus {
namespace {

class HerdReader {
public:
    HerdReader(std::string_view text, const std::string& file) : source_(checked_content(text, file), file) {
        test_.file = file;
    }

    LitmusTest read();

private:
    void read_name();
    void read_header();
    void read_info_line();
    void read_doc_string();
    void apply_owners();
    void read_expected();
    [[nodiscard]] std::size_t end_of_init() const;
    void read_table();
    std::vector<SourceText> read_row();
    std::optional<SourceText> read_observed();
    void read_final();
    [[nodiscard]] bool keyword_follows() const;
    void skip_blanks();
    [[nodiscard]] char next() const { return at_ < source_.text().size() ? source_.text()[at_] : '\0'; }
    [[nodiscard]] std::size_t end_of_line() const { return std::min(source_.text().find('\n', at_), size()); }
    [[nodiscard]] std::size_t size() const { return source_.text().size(); }

    SourceText source_;
    LitmusTest test_;
    std::size_t at_ = 0;
    std::map<std::string, SourcePosition> info_places_;
};

void HerdReader::skip_blanks() {
    while (at_ < size()) {
        if (is_blank(source_.text()[at_])) {
            ++at_;
        } else if (source_.text().substr(at_, 2) == "(*") {
            at_ = source_.end_of_ml_comment(at_);
        } else {
            return;
        }
    }
}

void HerdReader::read_name() {
    skip_blanks();
    if (at_ == size()) source_.fail(at_, "is empty", "a herd test begins with 'AArch64' and its name");
    const std::size_t end = end_of_line();
    const std::string_view line = trim(source_.text().substr(at_, end - at_));
    const std::size_t gap = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view architecture = line.substr(0, gap);
    if (architecture != "AArch64") {
        source_.fail(at_,
                     fmt::format("expected 'AArch64' and the name of the test, found '{}'", excerpt(architecture)));
    }
    test_.name = fold_blanks(line.substr(gap));
    if (test_.name.empty()) source_.fail(at_, "the name of the test is missing behind 'AArch64'");
    at_ = end;
}

void HerdReader::read_doc_string() {
    const std::size_t end = source_.text().find('"', at_ + 1);
    if (end == std::string_view::npos) source_.fail(at_, "string without an end");
    if (!test_.description.empty()) test_.description += ' ';
    test_.description += fold_blanks(source_.text().substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
}

void HerdReader::read_info_line() {
    const std::size_t end = end_of_line();
    const std::string_view line = source_.text().substr(at_, end - at_);
    std::size_t sign = 0;
    while (sign < line.size() && (is_word(line[sign]) || line[sign] == '.' || line[sign] == '-')) ++sign;
    const std::string key(line.substr(0, sign));
    while (sign < line.size() && is_blank(line[sign])) ++sign;
    if (key.empty() || sign == line.size() || (line[sign] != '=' && line[sign] != ':')) {
        source_.fail(at_, fmt::format("expected Key=Value, a \"string\" or '{{', found '{}'", excerpt(line)));
    }
    if (!info_places_.emplace(key, source_.position(at_)).second)
        source_.fail(at_, fmt::format("'{}' is there twice", excerpt(key)));
    test_.info[key] = fold_blanks(line.substr(sign + 1));
    at_ = end;
}

void HerdReader::read_header() {
    for (skip_blanks(); next() != '{'; skip_blanks()) {
        if (at_ == size()) source_.fail(at_, "expected '{' and the initial state, found the end of the file");
        if (next() == '"') {
            read_doc_string();
        } else {
            read_info_line();
        }
    }
    read_expected();
    const auto take = [this](const char* key, std::string& into) {
        if (const auto found = test_.info.find(key); found != test_.info.end()) {
            into = found->second;
            test_.info.erase(found);
        }
    };
    test_.family = family_of(test_.name);
    take("Family", test_.family);
    take("Title", test_.title);
}

void HerdReader::read_expected() {
    const auto verdict = test_.info.find("Expected");
    const auto source = test_.info.find("Source");
    if (verdict == test_.info.end()) return;
    const SourcePosition position = info_places_["Expected"];
    const auto parsed = parse_verdict(verdict->second);
    if (!parsed) {
        fail(source_.file(), position, fmt::format("unknown verdict '{}'", excerpt(verdict->second)),
             "Allowed or Forbidden");
    }
    test_.expected.verdict = *parsed;
    test_.expected.origin = Origin::in_file(source_.file(), position.line, position.column);
    if (source == test_.info.end() || source->second.empty()) {
        fail(source_.file(), position, "a verdict needs a source", "Source=why");
    }
    test_.expected.source = source->second;
    test_.info.erase("Expected");
    test_.info.erase("Source");
    if (const auto needs = test_.info.find("Needs"); needs != test_.info.end()) {
        if (needs->second != "split-rmw") fail(source_.file(), info_places_["Needs"], "expected split-rmw");
        test_.expected.needs_split_rmw = test_.expected.needs_split_rmw_behind_dsb_of_loads = true;
        test_.info.erase(needs);
    }
}

/// "x=1, y=0": the thread whose cache holds the line Modified.
void HerdReader::apply_owners() {
    const auto owners = test_.info.find("Owner");
    if (owners == test_.info.end()) return;
    const SourceText source(owners->second, source_.file(), info_places_["Owner"]);
    TokenReader tokens(source, "the owners");
    while (!tokens.at_end()) {
        const std::string name = tokens.word("a location");
        const auto location = test_.find_location(name);
        if (!location) tokens.fail(fmt::format("unknown location '{}'", excerpt(name)));
        tokens.expect("=");
        test_.locations[*location].owner = parse_thread_number(tokens, test_);
        if (!tokens.at_end()) tokens.expect(",");
    }
    test_.info.erase(owners);
}

std::size_t HerdReader::end_of_init() const {
    unsigned depth = 0;
    for (std::size_t at = at_; at < size(); ++at) {
        if (source_.text()[at] == '{') ++depth;
        if (source_.text()[at] == '}' && --depth == 0) return at;
    }
    source_.fail(at_, "initial state without an end", "'}' is missing");
}

bool HerdReader::keyword_follows() const {
    std::size_t at = at_;
    if (next() == '~') {
        ++at;
        while (at < size() && is_blank(source_.text()[at])) ++at;
    }
    std::size_t end = at;
    while (end < size() && is_word(source_.text()[end])) ++end;
    const std::string_view word = source_.text().substr(at, end - at);
    return word == "exists" || word == "forall" || word == "locations" || word == "filter";
}

/// The cells of the next row of the program table, without the ';' at its end.
std::vector<SourceText> HerdReader::read_row() {
    const std::size_t end = source_.text().find(';', at_);
    if (end == std::string_view::npos) source_.fail(at_, "row without an end", "';' is missing");
    std::vector<SourceText> cells;
    while (true) {
        if (cells.size() > most_threads) source_.fail(at_, fmt::format("more than {} threads", most_threads));
        const std::size_t bar = source_.text().substr(at_, end - at_).find('|');
        const std::size_t cell_end = bar == std::string_view::npos ? end : at_ + bar;
        while (at_ < cell_end && is_blank(source_.text()[at_])) ++at_;
        std::size_t last = cell_end;
        while (last > at_ && is_blank(source_.text()[last - 1])) --last;
        cells.push_back(source_.part(at_, last));
        at_ = cell_end + 1;
        if (cell_end == end) return cells;
    }
}

void HerdReader::read_table() {
    skip_blanks();
    if (at_ == size()) source_.fail(at_, "expected the program table, found the end of the file");
    const std::vector<SourceText> header = read_row();
    if (header.size() > most_threads) header.back().fail(0, fmt::format("more than {} threads", most_threads));
    for (std::size_t thread = 0; thread < header.size(); ++thread) {
        if (header[thread].text() == fmt::format("P{}", thread)) continue;
        header[thread].fail(0, fmt::format("expected P{}, found '{}'", thread, excerpt(header[thread].text())));
    }
    std::vector<std::vector<SourceLine>> columns(header.size());
    for (skip_blanks(); at_ < size() && !keyword_follows(); skip_blanks()) {
        const std::vector<SourceText> cells = read_row();
        if (cells.size() != columns.size()) {
            cells.front().fail(0, fmt::format("a row of {} cells for {} threads", cells.size(), columns.size()));
        }
        for (std::size_t thread = 0; thread < columns.size(); ++thread) {
            columns[thread].push_back({std::string(cells[thread].text()), cells[thread].position(0)});
        }
    }
    for (std::size_t thread = 0; thread < columns.size(); ++thread) {
        test_.threads.push_back({});
        test_.threads.back().program = assemble(columns[thread], source_.file(), program_address(thread));
    }
}

/// What stands between the brackets of `locations [...]`, if that comes next.
std::optional<SourceText> HerdReader::read_observed() {
    const SourceText rest = source_.part(at_, size());
    TokenReader tokens(rest, "the file");
    if (!tokens.accept_word("locations")) return std::nullopt;
    tokens.expect("[");
    const std::size_t begin = tokens.at();
    // The list ends with the bracket that no index opened.
    std::size_t end = begin;
    for (unsigned depth = 1; end < rest.text().size(); ++end) {
        if (rest.text()[end] == '[') ++depth;
        if (rest.text()[end] == ']' && --depth == 0) break;
    }
    if (end == rest.text().size()) rest.fail(begin, "list of locations without an end", "']' is missing");
    at_ += end + 1;
    skip_blanks();
    if (next() == ';') ++at_;
    return rest.part(begin, end);
}

void HerdReader::read_final() {
    const std::optional<SourceText> observed = read_observed();
    const SourceText rest = source_.part(at_, size());
    TokenReader tokens(rest, "the file");
    const std::size_t place = tokens.at();
    if (tokens.accept_word("filter")) tokens.fail("'filter' is not supported");
    if (tokens.accept("~")) test_.condition.quantifier = Quantifier::not_exists;
    if (!tokens.accept_word("exists")) {
        if (test_.condition.quantifier == Quantifier::not_exists || !tokens.accept_word("forall")) {
            tokens.fail_here("the final condition (exists, ~exists or forall)");
        }
        test_.condition.quantifier = Quantifier::for_all;
    }
    test_.condition.position = rest.position(place);
    test_.condition.text = fold_blanks(rest.text());
    std::size_t end = rest.text().size();
    while (end > tokens.at() && is_blank(rest.text()[end - 1])) --end;
    if (end > tokens.at() && rest.text()[end - 1] == ';') --end;
    test_.condition.expression = parse_condition(rest.part(tokens.at(), end), test_);
    if (observed) parse_observed_list(*observed, test_);
}

LitmusTest HerdReader::read() {
    read_name();
    read_header();
    const std::size_t init_begin = at_;
    SourceText body = source_.part(init_begin, size());
    body.blank_comments();
    source_ = std::move(body);
    at_ = 0;
    const std::size_t init_end = end_of_init();
    const SourceText init_text = source_.part(1, init_end);
    HerdInit init(init_text, test_);
    at_ = init_end + 1;
    read_table();
    init.finish();
    apply_owners();
    read_final();
    return std::move(test_);
}

}  // namespace

LitmusTest read_herd(std::string_view text, const std::string& file) {
    return HerdReader(text, file).read();
}

}  // namespace gicsim::litmus
