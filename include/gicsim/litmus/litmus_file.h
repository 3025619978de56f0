#ifndef GICSIM_LITMUS_LITMUS_FILE_H
#define GICSIM_LITMUS_LITMUS_FILE_H

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gicsim/litmus/litmus_test.h"

namespace gicsim::litmus {

/// Reads a test: herd's format for *.litmus, isla's for *.toml. A verdict in the file `expected.toml` of the same
/// folder applies to a test that has none of its own. Throws ConfigError; also for what is no regular file or too
/// large.
LitmusTest read_litmus_file(const std::filesystem::path& file);

/// Verdicts for tests that others wrote, by the name of the test:
///
///     schema = 1
///     kind = "expected-verdicts"
///     [verdicts]
///     "MP+dmb+svc" = { verdict = "allowed", source = "..." }
std::map<std::string, Expected> read_expected_file(const std::filesystem::path& file);

/// The tests of a folder and of those in it, in the order of their paths; or the file itself.
std::vector<std::filesystem::path> find_litmus_files(const std::filesystem::path& file_or_folder);

}  // namespace gicsim::litmus

#endif
