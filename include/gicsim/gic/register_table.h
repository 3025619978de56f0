#ifndef GICSIM_GIC_REGISTER_TABLE_H
#define GICSIM_GIC_REGISTER_TABLE_H

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gicsim/arch/gic.h"

namespace gicsim {

/// How an access to a register frame ends on the bus.
enum class AccessStatus : std::uint8_t { ok, bad_size, bad_address };

enum class RegisterAccess : std::uint8_t { read_write, read_only, write_only };

/// Who may use a register while there are two Security states.
enum class RegisterSecurity : std::uint8_t {
    any,
    secure,        ///< RAZ/WI to Non-secure accesses
    by_interrupt,  ///< the fields of Secure interrupts are RAZ/WI to Non-secure accesses; the handler sees to it
};

/// The sizes in bytes a register may be accessed with, as a set: the sum of the permitted sizes.
enum class AccessSizes : std::uint8_t { word = 4, byte_or_word = 1 | 4, word_or_double = 4 | 8 };

/// CIDR0 to CIDR3 of every frame: the preamble of a CoreSight or PrimeCell component (IHI 0029, B2.2).
inline constexpr std::uint8_t component_id[] = {0x0D, 0xF0, 0x05, 0xB1};

/// A write as a handler gets it: in the register's own bit positions whatever part of it was written.
struct RegisterWrite {
    std::uint64_t value = 0;  ///< zero outside `mask`
    std::uint64_t mask = 0;   ///< the bits that the access covers
    Security security = Security::non_secure;

    [[nodiscard]] constexpr std::uint64_t merged(std::uint64_t old) const { return (old & ~mask) | value; }
};

/// One row: `count` equal registers side by side. A row without handlers is known and not built yet.
/// @tparam Owner the state class; Owner::Effects is what its write handlers fill in.
template <class Owner>
struct RegisterRow {
    using Read = std::uint64_t (Owner::*)(unsigned n, Security security) const;
    using Write = void (Owner::*)(unsigned n, const RegisterWrite& write, typename Owner::Effects& effects);

    std::uint32_t offset;
    std::uint32_t count;
    std::string_view name;
    unsigned bits;  ///< of one register; also their distance
    AccessSizes sizes;
    RegisterAccess access;
    RegisterSecurity security;
    std::uint64_t reset;  ///< as a Secure access sees it, with two Security states
    Read read = nullptr;
    Write write = nullptr;
};

struct AccessResult {
    AccessStatus status = AccessStatus::ok;
    bool built = true;  ///< false: nothing behind this offset, or nothing yet
    std::uint64_t value = 0;
};

/// A register frame: its rows, and a look-up that takes the same time for every offset.
template <class Owner>
class RegisterFrame {
public:
    using Row = RegisterRow<Owner>;

    RegisterFrame(std::string_view name, std::uint32_t bytes, std::vector<Row> rows)
        : name_(name), rows_(std::move(rows)), slots_(bytes / slot_bytes, 0) {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const Row& row = rows_[r];
            const std::uint32_t end = row.offset + row.count * (row.bits / 8);
            for (std::uint32_t at = row.offset; at < end; at += slot_bytes) {
                std::uint8_t& slot = slots_.at(at / slot_bytes);
                if (slot != 0) throw std::logic_error("register rows overlap at " + std::string(row.name));
                slot = static_cast<std::uint8_t>(r + 1);
            }
        }
    }

    [[nodiscard]] std::string_view name() const { return name_; }
    [[nodiscard]] std::span<const Row> rows() const { return rows_; }

    /// @param single_security GICD_CTLR.DS: with it, no access is restricted.
    [[nodiscard]] AccessResult read(const Owner& owner, std::uint32_t offset, unsigned size, Security security,
                                    bool single_security) const {
        const Found found = find(offset, size);
        AccessResult result = found.result;
        if (!may_act(found, security, single_security) || found.row->access == RegisterAccess::write_only) {
            return result;
        }
        result.value = (owner.*found.row->read)(found.n, security) >> found.shift & ones(size);
        return result;
    }

    AccessResult write(Owner& owner, std::uint32_t offset, std::uint64_t value, unsigned size, Security security,
                       bool single_security, typename Owner::Effects& effects) const {
        const Found found = find(offset, size);
        if (!may_act(found, security, single_security) || found.row->access == RegisterAccess::read_only) {
            return found.result;
        }
        const RegisterWrite write{(value & ones(size)) << found.shift, ones(size) << found.shift, security};
        (owner.*found.row->write)(found.n, write, effects);
        return found.result;
    }

private:
    static constexpr std::uint32_t slot_bytes = 4;

    struct Found {
        AccessResult result;
        const Row* row = nullptr;
        unsigned n = 0;      ///< which register of the row
        unsigned shift = 0;  ///< bit position of the access in the register
    };

    static constexpr std::uint64_t ones(unsigned size) { return ~std::uint64_t{0} >> (64 - 8 * size); }

    static bool may_act(const Found& found, Security security, bool single_security) {
        return found.row != nullptr &&
               (single_security || security == Security::secure || found.row->security != RegisterSecurity::secure);
    }

    [[nodiscard]] Found find(std::uint32_t offset, unsigned size) const {
        Found found;
        if (size != 1 && size != 2 && size != 4 && size != 8) {
            found.result.status = AccessStatus::bad_size;
            return found;
        }
        if (offset % size != 0 || offset / slot_bytes >= slots_.size()) {
            found.result.status = AccessStatus::bad_address;
            return found;
        }
        const std::uint8_t slot = slots_[offset / slot_bytes];
        if (slot == 0) {
            found.result.built = false;
            return found;
        }
        const Row& row = rows_[slot - 1U];
        if ((static_cast<unsigned>(row.sizes) & size) == 0) {
            found.result.status = AccessStatus::bad_size;
            return found;
        }
        if (row.read == nullptr && row.write == nullptr) {
            found.result.built = false;
            return found;
        }
        const std::uint32_t register_bytes = row.bits / 8;
        found.row = &row;
        found.n = (offset - row.offset) / register_bytes;
        found.shift = 8 * ((offset - row.offset) % register_bytes);
        return found;
    }

    std::string_view name_;
    std::vector<Row> rows_;
    std::vector<std::uint8_t> slots_;  ///< for each word of the frame: 0, or 1 + the index of its row
};

}  // namespace gicsim

#endif
