#ifndef GICSIM_WORKLOAD_PAGE_ALLOCATOR_H
#define GICSIM_WORKLOAD_PAGE_ALLOCATOR_H

#include <cstdint>
#include <string>
#include <string_view>

#include "gicsim/memory/address_map.h"
#include "gicsim/workload/draw.h"

namespace gicsim {

/// Gives out physical pages of a die's memory, as a kernel's page allocator would: any page may come.
///
/// With the draw off every run gets the same pages; with it on they depend on the run's seed. Which page it is decides
/// which L3 slice and which home agent a line falls to, and so how far it is from everybody.
class PageAllocator {
public:
    static constexpr std::uint64_t page_bytes = 4096;
    static constexpr std::uint64_t pages_per_die = std::uint64_t{1} << 22;  ///< 16 GiB

    PageAllocator(AddressMap& map, std::uint64_t seed, bool draw) : map_(map), seed_(draw ? seed : 0) {}

    /// Line `line` (0 to 63) of the page that `name` stands for, in the memory of `die`.
    LineId line(std::string_view name, unsigned die, unsigned line) const {
        Draw draw(seed_, name);
        return map_.allocate(die, draw.below(pages_per_die) * page_bytes + std::uint64_t{64} * line);
    }

    /// A line of memory that is laid out once, at boot, and so is the same in every run: per-CPU areas, kernel data.
    LineId boot_line(std::string_view name, unsigned die, unsigned line) const {
        Draw draw(0, name);
        return map_.allocate(die, draw.below(pages_per_die) * page_bytes + std::uint64_t{64} * line);
    }

private:
    AddressMap& map_;
    std::uint64_t seed_;
};

}  // namespace gicsim

#endif
