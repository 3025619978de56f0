#ifndef GICSIM_CONFIG_TOML_READER_H
#define GICSIM_CONFIG_TOML_READER_H

#include <toml++/toml.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gicsim/config/error.h"
#include "gicsim/config/quantity.h"

namespace gicsim {

/// Whole content of a file, without the byte order mark it may begin with. Throws ConfigError when it cannot be read,
/// is no regular file, or is far larger than any configuration.
std::string read_text_file(const std::filesystem::path& file);

/// Parses TOML text. Throws ConfigError with the position of a mistake. @param name of the file for messages
toml::table parse_toml(const std::string& content, const std::string& name);

/// Reads one TOML table and remembers which keys were asked for, so that finish() can refuse the others.
class TableReader {
public:
    /// @param path of the table for messages: "fabric.link.die"; empty for the whole file.
    TableReader(const toml::table& table, std::string file, std::string path);

    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] Origin origin() const { return origin_of(table_); }
    [[nodiscard]] Origin origin_of(const toml::node& node) const;
    [[nodiscard]] Origin origin_of(std::string_view key) const;
    [[nodiscard]] std::string path_of(std::string_view key) const;
    [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }

    /// The node of a key, or nullptr; either way the key counts as known.
    const toml::node* find(std::string_view key);
    /// Throws when the key is missing or not a string.
    std::string text(std::string_view key);
    std::string text_or(std::string_view key, std::string otherwise);
    /// A text for people to read in reports: throws also when it is blank or holds control characters.
    std::string line(std::string_view key);
    std::string line_or(std::string_view key, std::string otherwise);
    std::int64_t integer(std::string_view key);
    std::optional<TableReader> table_if_there(std::string_view key);
    TableReader table(std::string_view key);
    /// All keys, in alphabetical order; they count as known.
    std::vector<std::string> all_keys();
    /// An array of strings.
    std::vector<RawValue> texts(std::string_view key);

    /// Throws for the first key that nobody asked for.
    void finish() const;
    [[noreturn]] void fail(std::string_view key, std::string message, std::string hint = {}) const;

private:
    const toml::node& need(std::string_view key);

    const toml::table& table_;
    std::string file_;
    std::string path_;
    std::vector<std::string> known_;
};

/// A scalar as it stands. Throws ConfigError for tables, arrays and dates.
RawValue raw_value(const toml::node& node, const std::string& file, const std::string& path);

/// A parsed file whose `schema` and `kind` have been checked.
class TomlFile {
public:
    /// @param kind "machine", "software", "experiment" or "ipi-sequence".
    TomlFile(const std::filesystem::path& file, std::string_view kind);
    TomlFile(const TomlFile&) = delete;
    TomlFile& operator=(const TomlFile&) = delete;

    [[nodiscard]] TableReader& root() { return root_; }
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    std::string name_;
    toml::table table_;
    TableReader root_;
};

/// Kind of a file by its `kind` key. Throws ConfigError when it has none or an unknown one.
std::string kind_of_file(const std::filesystem::path& file);

}  // namespace gicsim

#endif
