#include "gicsim/config/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace gicsim {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // Rows of the optimal string alignment matrix: the last two suffice for swaps of neighbours.
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        before_last.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
    const std::string* best = nullptr;
    std::size_t least = 0;
    for (const std::string& name : known) {
        const std::size_t distance = edit_distance(word, name);
        if (best == nullptr || distance < least) {
            best = &name;
            least = distance;
        }
    }
    // A third of the word may be wrong; beyond that a suggestion misleads more than it helps.
    if (best == nullptr || least > std::max<std::size_t>(1, std::max(word.size(), best->size()) / 3)) return {};
    return fmt::format("did you mean '{}'?", *best);
}

std::string did_you_mean_or_list(std::string_view word, const std::vector<std::string>& known) {
    std::string suggestion = did_you_mean(word, known);
    if (!suggestion.empty() || known.empty()) return suggestion;
    return fmt::format("known: {}", fmt::join(known, ", "));
}

}  // namespace gicsim
