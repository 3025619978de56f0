#include "gicsim/litmus/litmus_file.h"

#include <fmt/core.h>

#include <algorithm>

#include "gicsim/config/toml_reader.h"
#include "gicsim/litmus/herd_reader.h"
#include "gicsim/litmus/isla_reader.h"
#include "text.h"
#include "verdict_table.h"

namespace gicsim::litmus {
namespace {

namespace fs = std::filesystem;

constexpr const char* sidecar = "expected.toml";

/// A device or a pipe might never end, and a large file is no litmus test.
void refuse_unfit_file(const fs::path& file) {
    const Origin origin = Origin::in_file(file.string());
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status)) throw ConfigError(origin, {}, "there is no such file");
    if (fs::is_directory(status)) throw ConfigError(origin, {}, "is a folder, not a file");
    if (!fs::is_regular_file(status)) throw ConfigError(origin, {}, "is no regular file");
    if (fs::file_size(file, error) > largest_file) {
        throw ConfigError(origin, {}, fmt::format("is larger than {} bytes", largest_file));
    }
}

bool is_litmus_file(const fs::path& file) {
    return file.extension() == ".litmus" || file.filename().string().ends_with(".litmus.toml");
}

}  // namespace

Expected read_verdict(TableReader& table) {
    Expected expected;
    expected.origin = table.origin();
    const std::string text = table.text("verdict");
    const auto verdict = parse_verdict(text);
    if (!verdict) table.fail("verdict", fmt::format("unknown verdict '{}'", excerpt(text)), "allowed or forbidden");
    expected.verdict = *verdict;
    const auto behind = [&table](const char* key) {
        if (!table.has(key)) return Verdict::unknown;
        const auto known = parse_verdict(table.text(key));
        if (!known) table.fail(key, "expected \"allowed\" or \"forbidden\"");
        return *known;
    };
    expected.behind_dsb_of_stores = behind("behind_dsb_of_stores");
    expected.behind_dsb_of_loads = behind("behind_dsb_of_loads");
    if (const std::string needs = table.text_or("needs_split_rmw", "never"); needs == "always") {
        expected.needs_split_rmw = expected.needs_split_rmw_behind_dsb_of_loads = true;
    } else if (needs == "behind_dsb_of_loads") {
        expected.needs_split_rmw_behind_dsb_of_loads = true;
    } else if (needs != "never") {
        table.fail("needs_split_rmw", "expected \"always\", \"behind_dsb_of_loads\" or \"never\"");
    }
    expected.source = table.text("source");
    if (expected.source.empty()) table.fail("source", "is empty");
    table.finish();
    return expected;
}

LitmusTest read_litmus_file(const fs::path& file) {
    refuse_unfit_file(file);
    const bool herd = file.extension() == ".litmus";
    if (!herd && file.extension() != ".toml") {
        throw ConfigError(Origin::in_file(file.string()), {}, "is no litmus test by its name",
                          "*.litmus for herd's format, *.litmus.toml for isla's");
    }
    const std::string text = read_text_file(file);
    LitmusTest test = herd ? read_herd(text, file.string()) : read_isla(text, file.string());
    const fs::path verdicts = file.parent_path() / sidecar;
    std::error_code error;
    if (test.expected.verdict == Verdict::unknown && fs::exists(verdicts, error)) {
        const auto known = read_expected_file(verdicts);
        if (const auto found = known.find(test.name); found != known.end()) test.expected = found->second;
    }
    return test;
}

std::map<std::string, Expected> read_expected_file(const fs::path& file) {
    refuse_unfit_file(file);
    TomlFile toml(file, "expected-verdicts");
    std::map<std::string, Expected> verdicts;
    TableReader table = toml.root().table("verdicts");
    for (const std::string& name : table.all_keys()) {
        TableReader entry = table.table(name);
        verdicts.emplace(name, read_verdict(entry));
    }
    toml.root().finish();
    return verdicts;
}

std::vector<fs::path> find_litmus_files(const fs::path& file_or_folder) {
    std::error_code error;
    if (!fs::is_directory(file_or_folder, error)) return {file_or_folder};
    std::vector<fs::path> files;
    try {
        for (const auto& entry : fs::recursive_directory_iterator(file_or_folder)) {
            if (entry.is_regular_file() && is_litmus_file(entry.path())) files.push_back(entry.path());
        }
    } catch (const fs::filesystem_error& problem) {
        throw ConfigError(Origin::in_file(problem.path1().string()), {}, problem.code().message());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace gicsim::litmus
