#include "gicsim/arch/barrier.h"

#include <cctype>

namespace gicsim {
namespace {

std::string_view option_name(Barrier::Type type, Barrier::Domain domain) {
    static constexpr std::string_view names[4][3] = {
        {"nsh", "nshst", "nshld"},
        {"ish", "ishst", "ishld"},
        {"osh", "oshst", "oshld"},
        {"sy", "st", "ld"},
    };
    return names[static_cast<unsigned>(domain)][static_cast<unsigned>(type)];
}

}  // namespace

std::string Barrier::name() const {
    if (kind_ == Kind::none) return "none";
    return (kind_ == Kind::dmb ? "dmb " : "dsb ") + std::string(option_name(type_, domain_));
}

std::uint8_t Barrier::crm() const {
    if (kind_ == Kind::none) return 0;
    // CRm[3:2] is the domain, CRm[1:0] the access type (DDI 0487, C6.2 DMB and DSB).
    static constexpr std::uint8_t domain_bits[] = {0b01, 0b10, 0b00, 0b11};
    static constexpr std::uint8_t type_bits[] = {0b11, 0b10, 0b01};
    return static_cast<std::uint8_t>(domain_bits[static_cast<unsigned>(domain_)] << 2 |
                                     type_bits[static_cast<unsigned>(type_)]);
}

std::optional<Barrier> Barrier::parse(std::string_view text) {
    std::string folded;
    for (const char c : text) {
        const bool separator = std::isspace(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
        if (!separator) {
            folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (!folded.empty() && folded.back() != ' ') {
            folded += ' ';
        }
    }
    if (!folded.empty() && folded.back() == ' ') folded.pop_back();
    for (const Barrier& barrier : all()) {
        if (barrier.name() == folded) return barrier;
    }
    return std::nullopt;
}

const std::vector<Barrier>& Barrier::all() {
    static const std::vector<Barrier> list = [] {
        std::vector<Barrier> barriers{Barrier{}};
        for (const Kind kind : {Kind::dmb, Kind::dsb}) {
            for (const Domain domain :
                 {Domain::full_system, Domain::inner_shareable, Domain::non_shareable, Domain::outer_shareable}) {
                for (const Type type : {Type::all, Type::stores, Type::loads})
                    barriers.emplace_back(kind, type, domain);
            }
        }
        return barriers;
    }();
    return list;
}

}  // namespace gicsim
