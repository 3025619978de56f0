#ifndef GICSIM_ARCH_BARRIER_H
#define GICSIM_ARCH_BARRIER_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gicsim {

/// One barrier instruction of A64, or none. DMB orders memory accesses against memory accesses;
/// DSB waits for completion and holds every later instruction (DDI 0487, B2.3.12).
class Barrier {
public:
    enum class Kind : std::uint8_t { none, dmb, dsb };
    /// The accesses before the barrier that it is about.
    enum class Type : std::uint8_t { all, stores, loads };
    enum class Domain : std::uint8_t { non_shareable, inner_shareable, outer_shareable, full_system };

    constexpr Barrier() = default;
    constexpr Barrier(Kind kind, Type type, Domain domain) : kind_(kind), type_(type), domain_(domain) {}

    [[nodiscard]] constexpr Kind kind() const { return kind_; }
    [[nodiscard]] constexpr Type type() const { return type_; }
    [[nodiscard]] constexpr Domain domain() const { return domain_; }
    [[nodiscard]] constexpr bool covers_stores() const { return type_ != Type::loads; }
    [[nodiscard]] constexpr bool covers_loads() const { return type_ != Type::stores; }
    constexpr bool operator==(const Barrier&) const = default;

    /// "none", "dmb ishst", "dsb sy", ...: assembler spelling in lower case.
    [[nodiscard]] std::string name() const;
    /// The CRm field of the instruction; 0 for none.
    [[nodiscard]] std::uint8_t crm() const;
    /// Reads a name in any case, with one or more blanks or '_' or '-' between; nothing when it is unknown.
    static std::optional<Barrier> parse(std::string_view text);
    /// none, the twelve DMB and the twelve DSB, in a fixed order.
    static const std::vector<Barrier>& all();

private:
    Kind kind_ = Kind::none;
    Type type_ = Type::all;
    Domain domain_ = Domain::full_system;
};

}  // namespace gicsim

#endif
