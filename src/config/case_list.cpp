#include "case_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiment_file.h"

namespace gicsim {

namespace {

bool same(const Setting& setting, const std::vector<Setting>& others) {
    return std::any_of(others.begin(), others.end(), [&setting](const Setting& other) {
        return other.path == setting.path && other.canonical == setting.canonical;
    });
}

}  // namespace

std::vector<CaseDescription> CaseList::take() {
    drop_equal();
    name_changed();
    std::vector<CaseDescription> cases;
    cases.reserve(entries_.size());
    for (Entry& entry : entries_) cases.push_back(std::move(entry.now));
    entries_.clear();
    return cases;
}

// A case that is as written has the measurement and the name that its author gave it; of changed ones the first stays.
void CaseList::drop_equal() {
    std::set<std::string> hashes;
    for (const Entry& entry : entries_) {
        if (!entry.changed) hashes.insert(entry.now.hash);
    }
    std::erase_if(entries_,
                  [&hashes](const Entry& entry) { return entry.changed && !hashes.insert(entry.now.hash).second; });
}

// What the command line changed, and what differs between the changed cases.
void CaseList::name_changed() {
    std::set<std::string> telling;
    const Entry* first = nullptr;
    for (const Entry& entry : entries_) {
        if (!entry.changed) continue;
        if (first == nullptr) first = &entry;
        for (const Setting& setting : entry.now.settings) {
            if (setting.path == "run.runs" || setting.path == "run.seed") continue;
            if (!same(setting, entry.before) || !same(setting, first->now.settings)) telling.insert(setting.path);
        }
    }
    for (Entry& entry : entries_) {
        if (!entry.changed) continue;
        std::string name;
        for (const Setting& setting : entry.now.settings) {
            if (!telling.contains(setting.path)) continue;
            name += fmt::format("{}{} {}", name.empty() ? "" : ", ", short_path(setting.path), setting.value);
        }
        entry.now.name = std::move(name);
    }
}

}  // namespace gicsim
