#include "fabric/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {

std::uint64_t count = 0;

}  // namespace

std::uint64_t allocations() {
    return count;
}

#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer brings its own operators; under it nothing is counted
void* operator new(std::size_t size) {
    ++count;
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
#endif
