#ifndef GICSIM_ARCH_MUTANT_H
#define GICSIM_ARCH_MUTANT_H

#include <cstdint>

namespace gicsim {

/// A rule of the architecture that a model breaks on purpose, so that tests can show that they would notice. No file
/// and no option sets it.
enum class Mutant : std::uint8_t {
    none,
    dsb_ignores_store_buffer,
    dmb_orders_sgi,
    release_without_order,
    early_invalidation_ack,
    no_merge_of_equal_intids,
};

}  // namespace gicsim

#endif
