#include "gicsim/litmus/isla_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "condition_parser.h"
#include "gicsim/config/toml_reader.h"
#include "isla_state.h"
#include "isla_text.h"
#include "page_table.h"
#include "program_address.h"
#include "value_expression.h"
#include "verdict_table.h"

namespace gicsim::litmus {
namespace {

/// What the tools of the field write beside a test; it changes nothing.
constexpr std::array info_keys = {"hash", "cycle", "relax", "safe", "generator", "prefetch", "com", "orig", "author"};

/// Where programs begin: handlers have to be below.
constexpr std::uint64_t handlers_end = program_address(0);

class IslaReader {
public:
    IslaReader(std::string_view text, const std::string& file)
        : text_(checked_content(text, file)), table_(parse_toml(std::string(text_), file)), root_(table_, file, {}) {
        test_.file = file;
    }

    LitmusTest read();

private:
    void read_head();
    void read_locations();
    void read_types();
    void read_values();
    void read_programs();
    void read_sections();
    void read_section(TableReader section, const std::string& name);
    void read_thread(TableReader& table, Thread& thread);
    void read_interrupts(TableReader& table, Thread& thread);
    void read_final();
    void read_expected();
    void read_owners();
    SourceText content(TableReader& table, std::string_view key);
    std::size_t location(const TableReader& table, const std::string& name);

    std::string_view text_;
    toml::table table_;
    TableReader root_;
    LitmusTest test_;
    std::vector<TableReader> threads_;
};

SourceText IslaReader::content(TableReader& table, std::string_view key) {
    table.text(key);  // complains when it is missing
    return string_content(text_, *table.find(key), table.file(), table.path_of(key));
}

std::size_t IslaReader::location(const TableReader& table, const std::string& name) {
    const auto found = test_.find_location(name);
    if (!found) table.fail(name, "unknown location", "locations are listed in 'symbolic'");
    return *found;
}

void IslaReader::read_head() {
    if (const std::string architecture = root_.text("arch"); architecture != "AArch64") {
        root_.fail("arch", fmt::format("architecture '{}' is not supported", excerpt(architecture)), "AArch64");
    }
    test_.name = root_.text("name");
    if (test_.name.empty()) root_.fail("name", "is empty");
    test_.title = root_.text_or("title", {});
    test_.description = root_.text_or("description", {});
    test_.family = root_.text_or("family", family_of(test_.name));
    for (const char* key : info_keys) {
        if (root_.has(key)) test_.info[key] = root_.text(key);
    }
    // How isla draws its graphs.
    root_.find("meta");
    root_.find("graph");
}

void IslaReader::read_locations() {
    for (const RawValue& name : root_.texts("symbolic")) {
        const bool good = !name.text.empty() && name.text.size() <= 100 &&
                          std::all_of(name.text.begin(), name.text.end(), is_word) &&
                          (name.text.front() < '0' || name.text.front() > '9');
        if (!good) throw ConfigError(name.origin, "symbolic", "expected a name of letters, digits and '_'");
        if (test_.find_location(name.text)) throw ConfigError(name.origin, "symbolic", "is there twice");
        if (test_.locations.size() == most_locations) {
            throw ConfigError(name.origin, "symbolic", fmt::format("more than {} locations", most_locations));
        }
        Location fresh;
        fresh.name = name.text;
        fresh.element_size = 8;
        test_.locations.push_back(std::move(fresh));
    }
    read_types();
    read_values();
    if (root_.has("page_table_setup")) apply_page_table(content(root_, "page_table_setup"), test_);
    for (Location& location : test_.locations) {
        if (cut_to_size(location.initial.front(), location.element_size)) continue;
        root_.fail("symbolic", fmt::format("the initial value of '{}' does not fit into its {} bits", location.name,
                                           8 * location.element_size));
    }
}

void IslaReader::read_types() {
    static constexpr std::array<std::pair<std::string_view, unsigned>, 4> sizes{
        {{"uint8_t", 1}, {"uint16_t", 2}, {"uint32_t", 4}, {"uint64_t", 8}}};
    auto types = root_.table_if_there("types");
    if (!types) return;
    for (const std::string& name : types->all_keys()) {
        const std::string type = types->text(name);
        const auto* const found =
            std::find_if(sizes.begin(), sizes.end(), [&type](const auto& size) { return size.first == type; });
        if (found == sizes.end()) {
            types->fail(name, "unknown type", "uint8_t, uint16_t, uint32_t, uint64_t");
        }
        test_.locations[location(*types, name)].element_size = static_cast<std::uint8_t>(found->second);
    }
}

void IslaReader::read_values() {
    auto values = root_.table_if_there("locations");
    if (!values) return;
    for (const std::string& name : values->all_keys()) {
        const SourceText source = content(*values, name);
        TokenReader tokens(source, "the value");
        const Value value = parse_value(tokens, test_);
        if (!tokens.at_end()) tokens.fail_here("the end of the value");
        test_.locations[location(*values, name)].initial.front() = value;
    }
}

void IslaReader::read_programs() {
    TableReader threads = root_.table("thread");
    const std::size_t count = threads.all_keys().size();
    if (count == 0) throw ConfigError(threads.origin(), "thread", "there is no thread");
    if (count > most_threads)
        throw ConfigError(threads.origin(), "thread", fmt::format("more than {} threads", most_threads));
    for (const std::string& key : threads.all_keys()) {
        std::size_t number = count;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number);
        const bool whole = error == std::errc{} && end == key.data() + key.size() && (key.size() == 1 || key[0] != '0');
        if (!whole || number >= count) threads.fail(key, "threads are numbered from 0 without a gap");
    }
    for (std::size_t number = 0; number < count; ++number) {
        threads_.push_back(threads.table(std::to_string(number)));
        const SourceText code = content(threads_.back(), "code");
        test_.threads.push_back({});
        test_.threads.back().program = assemble(code.text(), code.file(), code.position(0), program_address(number));
    }
}

/// The thread that a section belongs to by its name, "thread1_el1_handler".
std::optional<std::size_t> thread_of_section(std::string_view name) {
    if (!name.starts_with("thread")) return std::nullopt;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data() + 6, name.data() + name.size(), number);
    if (error != std::errc{} || end == name.data() + name.size() || *end != '_') return std::nullopt;
    return number;
}

void IslaReader::read_section(TableReader section, const std::string& name) {
    const SourceText address_text = content(section, "address");
    const auto address = parse_number(trim(address_text.text()));
    if (!address || *address % 4 != 0) section.fail("address", "expected a multiple of 4");
    const SourceText code = content(section, "code");
    Handler handler;
    handler.name = name;
    const Origin origin = section.origin();
    handler.position = {origin.line, origin.column};
    handler.program = assemble(code.text(), code.file(), code.position(0), *address);
    section.finish();
    const std::uint64_t end = *address + 4 * handler.program.instructions.size();
    if (*address >= handlers_end || end > handlers_end) {
        section.fail("address", fmt::format("expected an address below {:#x}", handlers_end));
    }
    const auto owner = thread_of_section(name);
    if (owner && *owner >= test_.threads.size()) {
        throw ConfigError(origin, section.path(), fmt::format("there is no thread {}", *owner));
    }
    for (std::size_t thread = 0; thread < test_.threads.size(); ++thread) {
        if (owner && *owner != thread) continue;
        for (const Handler& other : test_.threads[thread].handlers) {
            const std::uint64_t other_end = other.program.address + 4 * other.program.instructions.size();
            if (*address < other_end && other.program.address < end) {
                section.fail("address", fmt::format("overlaps section '{}'", excerpt(other.name)));
            }
        }
        test_.threads[thread].handlers.push_back(handler);
    }
}

void IslaReader::read_sections() {
    auto sections = root_.table_if_there("section");
    if (!sections) return;
    const auto names = sections->all_keys();
    if (names.size() > 4 * most_threads) sections->fail(names.back(), "too many sections");
    for (const std::string& name : names) read_section(sections->table(name), name);
}

void IslaReader::read_thread(TableReader& table, Thread& thread) {
    for (const char* key : {"init", "reset"}) {
        if (auto values = table.table_if_there(key)) read_initial_state(*values, text_, test_, thread);
    }
    read_interrupts(table, thread);
    table.finish();
}

void IslaReader::read_interrupts(TableReader& table, Thread& thread) {
    const toml::node* node = table.find("interrupt");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr) table.fail("interrupt", "expected [[thread.N.interrupt]]");
    for (const toml::node& element : *list) {
        if (!element.is_table()) table.fail("interrupt", "expected [[thread.N.interrupt]]");
        TableReader reader(*element.as_table(), table.file(), table.path_of("interrupt"));
        InjectedInterrupt interrupt;
        const Origin origin = reader.origin_of(element);
        interrupt.position = {origin.line, origin.column};
        interrupt.label = reader.text("at");
        if (interrupt.label.ends_with(':')) interrupt.label.pop_back();
        const auto label = thread.program.labels.find(interrupt.label);
        if (label == thread.program.labels.end()) {
            reader.fail("at", fmt::format("the thread has no label '{}'", excerpt(interrupt.label)));
        }
        interrupt.instruction = label->second;
        if (reader.has("intid")) {
            const std::int64_t intid = reader.integer("intid");
            if (intid < 0 || intid > 1019) reader.fail("intid", "expected an INTID from 0 to 1019");
            interrupt.intid = static_cast<std::uint32_t>(intid);
        }
        reader.finish();
        thread.interrupts.push_back(std::move(interrupt));
    }
}

void IslaReader::read_final() {
    TableReader table = root_.table("final");
    const std::string expect = table.text_or("expect", "sat");
    if (expect != "sat" && expect != "unsat") table.fail("expect", "expected \"sat\" or \"unsat\"");
    const SourceText assertion = content(table, "assertion");
    test_.condition.quantifier = expect == "sat" ? Quantifier::exists : Quantifier::not_exists;
    test_.condition.position = assertion.position(0);
    test_.condition.text = fold_blanks(assertion.text());
    test_.condition.expression = parse_condition(assertion, test_);
    table.finish();
}

void IslaReader::read_expected() {
    auto table = root_.table_if_there("expected");
    if (!table) return;
    test_.expected = read_verdict(*table);
}

void IslaReader::read_owners() {
    auto owners = root_.table_if_there("owner");
    if (!owners) return;
    for (const std::string& name : owners->all_keys()) {
        const std::int64_t thread = owners->integer(name);
        if (thread < 0 || static_cast<std::size_t>(thread) >= test_.threads.size()) {
            owners->fail(name, fmt::format("there is no thread {}", thread));
        }
        test_.locations[location(*owners, name)].owner = static_cast<unsigned>(thread);
    }
}

LitmusTest IslaReader::read() {
    if (table_.empty()) throw ConfigError(Origin::in_file(test_.file), {}, "is empty");
    read_head();
    read_locations();
    read_programs();
    read_sections();
    for (std::size_t i = 0; i < threads_.size(); ++i) read_thread(threads_[i], test_.threads[i]);
    read_final();
    read_expected();
    read_owners();
    root_.finish();
    return std::move(test_);
}

}  // namespace

LitmusTest read_isla(std::string_view text, const std::string& file) {
    return IslaReader(text, file).read();
}

}  // namespace gicsim::litmus
