#ifndef GICSIM_LABORATORY_VARIANTS_H
#define GICSIM_LABORATORY_VARIANTS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gicsim/arch/barrier.h"
#include "gicsim/litmus/litmus_test.h"

namespace gicsim {

/// What stands between the last store and the SGI register write of a sender.
struct SenderOrder {
    Barrier barrier;  ///< kind none for no barrier
    enum class Store : std::uint8_t { plain, stlr, casal };
    Store store = Store::plain;  ///< how the last store before it is written
    bool isb = false;            ///< an ISB just before the SGI register write

    /// "none", "dmb ishst", "stlr", "casal", and " + isb".
    [[nodiscard]] std::string name() const;
    /// Whether the architecture makes the stores before it complete before the SGI (DDI 0487 B2.3.12: a DSB that covers
    /// stores; nothing else orders a System register write).
    [[nodiscard]] bool completes_stores() const {
        return barrier.kind() == Barrier::Kind::dsb && barrier.covers_stores();
    }
    bool operator==(const SenderOrder&) const = default;

    /// No barrier, the twelve DMB, the twelve DSB, STLR and CASAL, each without and with an ISB.
    static std::vector<SenderOrder> all();
    /// Reads a name; nothing when it is unknown.
    static std::optional<SenderOrder> parse(std::string_view text);
};

/// The test with this order before each of its SGI register writes, those of handlers too, in place of the barriers
/// that stand there. Its verdict is that of the file where nothing has changed, otherwise the one that the file gives
/// for such a barrier; unknown when it gives none. Throws ConfigError when the test writes no SGI register, when no
/// plain store that could be replaced stands before it, or when a handler has no room for a barrier.
litmus::LitmusTest with_sender_order(const litmus::LitmusTest& test, const SenderOrder& order);
/// Whether each SGI register write has the plain store before it, and the thread the unused register, that the order
/// needs.
bool can_have(const litmus::LitmusTest& test, const SenderOrder& order);

}  // namespace gicsim

#endif
