#include "allocation_count.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::uint64_t count = 0;

void* take(std::size_t size, std::size_t alignment) {
    ++count;
    // aligned_alloc() asks for a whole number of alignments.
    const std::size_t whole = (size + alignment - 1) / alignment * alignment;
    void* const memory = alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size)
                                                                : std::aligned_alloc(alignment, whole);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

namespace gicsim::bench {

std::uint64_t allocations() {
    return count;
}

}  // namespace gicsim::bench

// The array and nothrow forms of the library call these.
void* operator new(std::size_t size) {
    return take(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
