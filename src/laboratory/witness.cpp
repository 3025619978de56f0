#include "gicsim/laboratory/witness.h"

#include <fmt/format.h>

#include <algorithm>

namespace gicsim {

std::vector<Witness::Entry> Witness::sorted() const {
    std::vector<Entry> entries = entries_;
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.at < b.at; });
    return entries;
}

std::string witness_as_text(const Witness& witness, unsigned threads) {
    const std::vector<Witness::Entry> entries = witness.sorted();
    std::vector<std::size_t> widths(threads, 8);
    for (const Witness::Entry& entry : entries)
        widths[entry.thread] = std::max(widths[entry.thread], entry.what.size());
    std::string text = fmt::format("{:>10}", "ns");
    for (unsigned t = 0; t < threads; ++t) text += fmt::format("  {:<{}}", fmt::format("P{}", t), widths[t]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
    const Time start = entries.empty() ? Time{} : entries.front().at;
    for (const Witness::Entry& entry : entries) {
        std::string row = fmt::format("{:>10.2f}", (entry.at - start).in_ns());
        for (unsigned t = 0; t < threads; ++t) {
            row += fmt::format("  {:<{}}", t == entry.thread ? entry.what : "", widths[t]);
        }
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + '\n';
    }
    return text;
}

std::vector<std::string> witness_as_lines(const Witness& witness) {
    std::vector<std::string> lines;
    const std::vector<Witness::Entry> entries = witness.sorted();
    for (const Witness::Entry& entry : entries) {
        lines.push_back(
            fmt::format("{:.2f} P{} {}", (entry.at - entries.front().at).in_ns(), entry.thread, entry.what));
    }
    return lines;
}

}  // namespace gicsim
