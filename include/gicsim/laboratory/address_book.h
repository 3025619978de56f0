#ifndef GICSIM_LABORATORY_ADDRESS_BOOK_H
#define GICSIM_LABORATORY_ADDRESS_BOOK_H

#include <cstdint>
#include <optional>
#include <vector>

#include "gicsim/litmus/litmus_test.h"
#include "gicsim/memory/address_map.h"

namespace gicsim {

/// Where the locations of a litmus test are: each in lines of its own, so that none moves with another.
class AddressBook {
public:
    /// A part of a word.
    struct Access {
        Location word;
        unsigned shift = 0;  ///< bits below it
        Word mask = whole_word;
    };

    /// Places all locations of `test` in the memory of `dies` dies, in turn.
    void place(const litmus::LitmusTest& test, AddressMap& map, unsigned dies);

    [[nodiscard]] std::uint64_t address_of(std::size_t location) const { return base + location * distance; }
    /// All of them, in the order of the test's locations.
    [[nodiscard]] const std::vector<std::uint64_t>& addresses() const { return addresses_; }
    [[nodiscard]] Word value_of(const litmus::Value& value) const {
        return value.is_address() ? address_of(value.location) + value.number : value.number;
    }
    /// The lines of a location, one after the other.
    [[nodiscard]] const std::vector<LineId>& lines(std::size_t location) const { return lines_[location]; }
    [[nodiscard]] std::size_t size() const { return lines_.size(); }

    /// @param size 1, 2, 4 or 8 bytes. Nothing when no location is there, or when it is not aligned.
    [[nodiscard]] std::optional<Access> find(std::uint64_t address, unsigned size) const;

private:
    static constexpr std::uint64_t base = 0x10'0000;
    static constexpr std::uint64_t distance = 0x1'0000;
    std::vector<std::vector<LineId>> lines_;
    std::vector<std::uint64_t> addresses_;
};

}  // namespace gicsim

#endif
