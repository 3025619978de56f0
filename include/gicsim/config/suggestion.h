#ifndef GICSIM_CONFIG_SUGGESTION_H
#define GICSIM_CONFIG_SUGGESTION_H

#include <string>
#include <string_view>
#include <vector>

namespace gicsim {

/// Least number of inserted, removed, changed or swapped neighbouring characters that turns one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "did you mean 'core.dsb'?" for the known name nearest to `word`; empty when none is near enough to be meant.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// did_you_mean() or, failing that, "known: a, b, c".
std::string did_you_mean_or_list(std::string_view word, const std::vector<std::string>& known);

}  // namespace gicsim

#endif
