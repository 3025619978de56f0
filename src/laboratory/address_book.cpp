#include "gicsim/laboratory/address_book.h"

namespace gicsim {

namespace {
constexpr std::uint64_t line_bytes = words_per_line * sizeof(Word);
}

void AddressBook::place(const litmus::LitmusTest& test, AddressMap& map, unsigned dies) {
    lines_.clear();
    addresses_.clear();
    for (std::size_t i = 0; i < test.locations.size(); ++i) {
        std::vector<LineId> lines;
        const std::uint64_t size = test.locations[i].size();
        for (std::uint64_t offset = 0; offset < size; offset += line_bytes) {
            lines.push_back(map.allocate(static_cast<unsigned>(i % dies), address_of(i) + offset));
        }
        lines_.push_back(std::move(lines));
        addresses_.push_back(address_of(i));
    }
}

std::optional<AddressBook::Access> AddressBook::find(std::uint64_t address, unsigned size) const {
    if (address < base || address % size != 0) return std::nullopt;
    const std::uint64_t location = (address - base) / distance;
    const std::uint64_t offset = (address - base) % distance;
    if (location >= lines_.size() || offset / line_bytes >= lines_[location].size()) return std::nullopt;
    Access access;
    access.word.line = lines_[location][offset / line_bytes];
    access.word.word = static_cast<std::uint8_t>(offset % line_bytes / sizeof(Word));
    access.shift = static_cast<unsigned>(offset % sizeof(Word)) * 8;
    if (size < sizeof(Word)) access.mask = ((Word{1} << size * 8) - 1) << access.shift;
    return access;
}

}  // namespace gicsim
