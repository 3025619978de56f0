#ifndef GICSIM_ARCH_GIC_H
#define GICSIM_ARCH_GIC_H

#include <compare>
#include <cstdint>

#include "gicsim/arch/pe_state.h"
#include "gicsim/arch/security.h"

namespace gicsim {

/// An interrupt identifier (IHI 0069, 2.2).
enum class Intid : std::uint32_t {};

constexpr std::uint32_t index(Intid intid) {
    return static_cast<std::uint32_t>(intid);
}
constexpr Intid intid(std::uint32_t n) {
    return static_cast<Intid>(n);
}

/// Extended PPIs and SPIs have INTIDs of their own (IHI 0069, 2.2, GICv3.1).
constexpr std::uint32_t first_spi = 32;
constexpr std::uint32_t first_extended_ppi = 1056;
constexpr std::uint32_t first_extended_spi = 4096;
constexpr unsigned most_spis = 988;
constexpr unsigned most_extended_ppis = 64;
constexpr unsigned most_extended_spis = 1024;

constexpr bool is_sgi(Intid id) {
    return index(id) < 16;
}
/// SGIs, PPIs and extended PPIs.
constexpr bool is_private(Intid id) {
    return index(id) < 32 || (index(id) >= first_extended_ppi && index(id) < first_extended_ppi + most_extended_ppis);
}
constexpr bool is_spi(Intid id) {
    return (index(id) >= first_spi && index(id) < first_spi + most_spis) ||
           (index(id) >= first_extended_spi && index(id) < first_extended_spi + most_extended_spis);
}
/// 1020 to 1023 carry a meaning of their own and name no interrupt source (IHI 0069, 2.2.1).
constexpr bool is_special(Intid id) {
    return index(id) >= 1020 && index(id) <= 1023;
}

/// Register frames as software finds them in the physical address space (IHI 0069, 12.8 and 12.10): 64 KB for a
/// Distributor; RD_base and SGI_base, of 64 KB each and adjacent, for a Redistributor.
constexpr std::uint64_t frame_alignment = 0x10000;
constexpr std::uint64_t distributor_frame_bytes = frame_alignment;
constexpr std::uint64_t redistributor_frame_bytes = 2 * frame_alignment;

constexpr Intid spurious_intid = Intid{1023};
constexpr Intid secure_group1_intid = Intid{1020};
constexpr Intid non_secure_group1_intid = Intid{1021};
constexpr Intid non_maskable_intid = Intid{1022};

/// Who executes an MRS or MSR of an ICC_ register. At EL3 `security` is what SCR_EL3.NS selects: the copy of a banked
/// register, and which Group 1 is meant.
struct Accessor {
    Security security = Security::non_secure;
    bool el3 = false;

    // An Exception level below EL3 is told by its Security state alone.
    constexpr Accessor(Security state) : security(state) {}  // NOLINT(google-explicit-constructor)
    static constexpr Accessor at_el3(Security bank) {
        Accessor accessor(bank);
        accessor.el3 = true;
        return accessor;
    }
};

/// Interrupt groups (IHI 0069, 4.6). With one Security state (GICD_CTLR.DS = 1) only g0 and g1ns are used.
enum class Group : std::uint8_t { g0, g1s, g1ns };

/// Priority, 0 highest, 0xFF lowest or idle; always the Secure (physical) view of the 8 bits.
enum class Priority : std::uint8_t {};
constexpr std::uint8_t value(Priority priority) {
    return static_cast<std::uint8_t>(priority);
}
constexpr Priority priority(unsigned v) {
    return static_cast<Priority>(v);
}
constexpr Priority idle_priority = Priority{0xFF};

/// An interrupt that competes to be signalled.
struct Candidate {
    Intid intid{};
    Priority priority{};
    Group group{};
    bool non_maskable = false;  ///< ahead of the others of its priority (IHI 0069, 4.8, FEAT_GICv3_NMI)

    /// The less, the sooner.
    [[nodiscard]] constexpr unsigned rank() const { return 2U * value(priority) + (non_maskable ? 0 : 1); }
    constexpr bool operator==(const Candidate&) const = default;
};

/// Which of the three SGI generation registers was written.
enum class SgiRegister : std::uint8_t { sgi0r, sgi1r, asgi1r };

/// The fields of an ICC_SGI1R_EL1, ICC_SGI0R_EL1 or ICC_ASGI1R_EL1 write (IHI 0069, 12.2) and who wrote it.
struct SgiRequest {
    SgiRegister reg = SgiRegister::sgi1r;
    Security security = Security::non_secure;  ///< of the writer
    Intid intid{};                             ///< 0 to 15
    bool irm = false;                          ///< all PEs but the writer; the affinity fields are then ignored
    std::uint8_t rs = 0;                       ///< range selector: list bit n names Aff0 = 16 * rs + n
    std::uint8_t aff3 = 0;
    std::uint8_t aff2 = 0;
    std::uint8_t aff1 = 0;
    std::uint16_t target_list = 0;

    auto operator<=>(const SgiRequest&) const = default;

    static SgiRequest decode(SgiRegister reg, Security security, std::uint64_t value);
    [[nodiscard]] std::uint64_t encode() const;
};

/// Whether an SGI is made pending at a PE that holds it in `target` (IHI 0069, 12.1.10). The check is the receiving
/// Redistributor's, with its own configuration.
/// @param nsacr GICR_NSACR field of the SGI, 0 to 3; consulted for Non-secure writers with two Security states only.
/// @param single_security GICD_CTLR.DS.
bool sgi_permitted(SgiRegister reg, Security writer, Group target, unsigned nsacr, bool single_security);

}  // namespace gicsim

#endif
