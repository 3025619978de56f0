#ifndef GICSIM_MEMORY_LINE_H
#define GICSIM_MEMORY_LINE_H

#include <array>
#include <cstdint>
#include <vector>

namespace gicsim {

/// A 64-byte line of Normal memory, numbered in the order of its allocation in the AddressMap.
enum class LineId : std::uint32_t {};
constexpr std::uint32_t index(LineId line) {
    return static_cast<std::uint32_t>(line);
}
constexpr LineId line_id(std::size_t n) {
    return static_cast<LineId>(n);
}

using Word = std::uint64_t;
constexpr Word whole_word = ~Word{0};
constexpr unsigned words_per_line = 8;
using LineData = std::array<Word, words_per_line>;

/// One aligned 64-bit word.
struct Location {
    LineId line{};
    std::uint8_t word = 0;  ///< 0 to 7
    bool operator==(const Location&) const = default;
};

/// Something kept for each line that was ever touched; a look-up is two array accesses.
template <class T>
class LineTable {
public:
    [[nodiscard]] T* find(LineId line) {
        const std::uint32_t i = index(line);
        return i < slots_.size() && slots_[i] != 0 ? &values_[slots_[i] - 1] : nullptr;
    }
    [[nodiscard]] const T* find(LineId line) const { return const_cast<LineTable*>(this)->find(line); }

    /// The value of the line, made on first use.
    T& operator[](LineId line) {
        T* found = find(line);
        return found != nullptr ? *found : make(line);
    }
    /// What stands for the lines that nobody has touched; before the first of them is.
    void set_initial(const T& value) { initial_ = value; }

    void clear() {
        slots_.clear();
        values_.clear();
    }
    [[nodiscard]] std::size_t size() const { return values_.size(); }

private:
    [[gnu::noinline]] T& make(LineId line) {
        if (index(line) >= slots_.size()) slots_.resize(index(line) + 1, 0);
        values_.push_back(initial_);
        slots_[index(line)] = static_cast<std::uint32_t>(values_.size());
        return values_.back();
    }

    std::vector<std::uint32_t> slots_;  ///< position in values_ plus one; 0 for none
    std::vector<T> values_;
    T initial_{};
};

}  // namespace gicsim

#endif
