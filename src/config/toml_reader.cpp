#include "gicsim/config/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "gicsim/config/suggestion.h"
#include "toml_check.h"

namespace gicsim {

namespace {

constexpr std::int64_t schema_version = 1;
/// A table of a thousand CPUs takes 50 KB.
constexpr std::uintmax_t most_bytes_of_a_file = 16 << 20;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string_view type_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table: return "a table";
        case toml::node_type::array: return "an array";
        case toml::node_type::string: return "a string";
        case toml::node_type::integer: return "an integer";
        case toml::node_type::floating_point: return "a decimal number";
        case toml::node_type::boolean: return "a boolean";
        case toml::node_type::date:
        case toml::node_type::time:
        case toml::node_type::date_time: return "a date or time";
        case toml::node_type::none: break;
    }
    return "nothing";
}

}  // namespace

toml::table parse_toml(const std::string& content, const std::string& name) {
    refuse_unparsable_toml(content, name);
    try {
        return toml::parse(content, name);
    } catch (const toml::parse_error& error) {
        const auto position = error.source().begin;
        throw ConfigError(Origin::in_file(name, position.line, position.column), {}, std::string(error.description()));
    }
}

std::string read_text_file(const std::filesystem::path& file) {
    const std::string name = file.string();
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(file, ignored);
    if (std::filesystem::is_directory(status)) {
        throw ConfigError(Origin::in_file(name), {}, "is a folder, not a file");
    }
    // Others may have no end, or wait for one.
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw ConfigError(Origin::in_file(name), {}, "is no regular file");
    }
    if (const auto size = std::filesystem::file_size(file, ignored); !ignored && size > most_bytes_of_a_file) {
        throw ConfigError(Origin::in_file(name), {},
                          fmt::format("is too large: {} bytes, where {} are allowed", size, most_bytes_of_a_file));
    }
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content;
    if (stream) content << stream.rdbuf();
    if (!stream.is_open() || stream.bad()) {
        throw ConfigError(Origin::in_file(name), {}, fmt::format("cannot be read: {}", std::strerror(errno)));
    }
    std::string text = content.str();
    if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
    return text;
}

TableReader::TableReader(const toml::table& table, std::string file, std::string path)
    : table_(table), file_(std::move(file)), path_(std::move(path)) {}

Origin TableReader::origin_of(const toml::node& node) const {
    const auto position = node.source().begin;
    return Origin::in_file(file_, position.line, position.column);
}

Origin TableReader::origin_of(std::string_view key) const {
    const auto found = table_.find(key);
    if (found == table_.end()) return origin();
    const auto position = found->first.source().begin;
    return position.line == 0 ? origin_of(found->second) : Origin::in_file(file_, position.line, position.column);
}

std::string TableReader::path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const toml::node* TableReader::find(std::string_view key) {
    known_.emplace_back(key);
    return table_.get(key);
}

const toml::node& TableReader::need(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        throw ConfigError(path_.empty() ? Origin::in_file(file_, 1, 1) : origin(), path_of(key), "is missing");
    }
    return *node;
}

std::string TableReader::text(std::string_view key) {
    const toml::node& node = need(key);
    if (!node.is_string()) {
        throw ConfigError(origin_of(node), path_of(key), fmt::format("expected a string, found {}", type_name(node)));
    }
    return node.as_string()->get();
}

std::string TableReader::line(std::string_view key) {
    std::string words = text(key);
    if (words.find_first_not_of(" \t") == std::string::npos) fail(key, "is blank");
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto c = static_cast<unsigned char>(words[i]);
        // U+0080 to U+009F are C2 80 to C2 9F in UTF-8.
        const bool second_set = c == 0xC2 && i + 1 < words.size() && static_cast<unsigned char>(words[i + 1]) < 0xA0;
        if (c < 0x20 || c == 0x7F || second_set) fail(key, "holds a control character; it has to be one line of text");
    }
    return words;
}

std::string TableReader::line_or(std::string_view key, std::string otherwise) {
    if (find(key) == nullptr) return otherwise;
    return line(key);
}

std::string TableReader::text_or(std::string_view key, std::string otherwise) {
    if (find(key) == nullptr) return otherwise;
    return text(key);
}

std::int64_t TableReader::integer(std::string_view key) {
    const toml::node& node = need(key);
    if (!node.is_integer()) {
        throw ConfigError(origin_of(node), path_of(key), fmt::format("expected an integer, found {}", type_name(node)));
    }
    return node.as_integer()->get();
}

std::optional<TableReader> TableReader::table_if_there(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (!node->is_table()) {
        throw ConfigError(origin_of(*node), path_of(key), fmt::format("expected a table, found {}", type_name(*node)));
    }
    return TableReader(*node->as_table(), file_, path_of(key));
}

TableReader TableReader::table(std::string_view key) {
    need(key);
    return *table_if_there(key);
}

std::vector<std::string> TableReader::all_keys() {
    std::vector<std::string> keys;
    for (const auto& [key, node] : table_) keys.emplace_back(key.str());
    known_.insert(known_.end(), keys.begin(), keys.end());
    return keys;
}

std::vector<RawValue> TableReader::texts(std::string_view key) {
    const toml::node& node = need(key);
    if (!node.is_array()) {
        throw ConfigError(origin_of(node), path_of(key),
                          fmt::format("expected an array of strings, found {}", type_name(node)));
    }
    std::vector<RawValue> values;
    for (const toml::node& element : *node.as_array()) {
        if (!element.is_string()) {
            throw ConfigError(origin_of(element), path_of(key),
                              fmt::format("expected a string, found {}", type_name(element)));
        }
        values.push_back({RawValue::Type::text, element.as_string()->get(), origin_of(element)});
    }
    return values;
}

void TableReader::finish() const {
    for (const auto& [key, node] : table_) {
        if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
        fail(key.str(), "unknown key", did_you_mean_or_list(key.str(), known_));
    }
}

void TableReader::fail(std::string_view key, std::string message, std::string hint) const {
    throw ConfigError(origin_of(key), path_of(key), std::move(message), std::move(hint));
}

RawValue raw_value(const toml::node& node, const std::string& file, const std::string& path) {
    const auto position = node.source().begin;
    RawValue value;
    value.origin = Origin::in_file(file, position.line, position.column);
    switch (node.type()) {
        case toml::node_type::string:
            value.type = RawValue::Type::text;
            value.text = node.as_string()->get();
            return value;
        case toml::node_type::integer:
            value.type = RawValue::Type::integer;
            value.text = fmt::format("{}", node.as_integer()->get());
            return value;
        case toml::node_type::floating_point:
            value.type = RawValue::Type::decimal;
            value.text = fmt::format("{}", node.as_floating_point()->get());
            return value;
        case toml::node_type::boolean:
            value.type = RawValue::Type::boolean;
            value.text = node.as_boolean()->get() ? "true" : "false";
            return value;
        default: throw ConfigError(value.origin, path, fmt::format("expected a value, found {}", type_name(node)));
    }
}

TomlFile::TomlFile(const std::filesystem::path& file, std::string_view kind)
    : name_(file.string()), table_(parse_toml(read_text_file(file), name_)), root_(table_, name_, {}) {
    if (table_.empty()) throw ConfigError(Origin::in_file(name_), {}, "is empty");
    if (const std::int64_t schema = root_.integer("schema"); schema != schema_version) {
        root_.fail("schema", fmt::format("{} is not known to this gicsim", schema),
                   fmt::format("it reads schema {}", schema_version));
    }
    if (const std::string found = root_.text("kind"); found != kind) {
        root_.fail("kind", fmt::format("this is a {} file, expected a {} file", found, kind));
    }
}

std::string kind_of_file(const std::filesystem::path& file) {
    const std::string name = file.string();
    const toml::table table = parse_toml(read_text_file(file), name);
    if (table.empty()) throw ConfigError(Origin::in_file(name), {}, "is empty");
    TableReader root(table, name, {});
    std::string kind = root.text("kind");
    const std::vector<std::string> known = {"machine", "software", "experiment", "ipi-sequence"};
    if (std::find(known.begin(), known.end(), kind) == known.end()) {
        root.fail("kind", fmt::format("unknown kind '{}'", kind), did_you_mean_or_list(kind, known));
    }
    return kind;
}

}  // namespace gicsim
