#include "gicsim/arch/gic.h"

namespace gicsim {
namespace {

constexpr std::uint64_t field(std::uint64_t value, unsigned high, unsigned low) {
    return value >> low & ((std::uint64_t{1} << (high - low + 1)) - 1);
}

}  // namespace

SgiRequest SgiRequest::decode(SgiRegister reg, Security security, std::uint64_t value) {
    SgiRequest request;
    request.reg = reg;
    request.security = security;
    request.target_list = static_cast<std::uint16_t>(field(value, 15, 0));
    request.aff1 = static_cast<std::uint8_t>(field(value, 23, 16));
    request.intid = gicsim::intid(static_cast<std::uint32_t>(field(value, 27, 24)));
    request.aff2 = static_cast<std::uint8_t>(field(value, 39, 32));
    request.irm = field(value, 40, 40) != 0;
    request.rs = static_cast<std::uint8_t>(field(value, 47, 44));
    request.aff3 = static_cast<std::uint8_t>(field(value, 55, 48));
    return request;
}

std::uint64_t SgiRequest::encode() const {
    return static_cast<std::uint64_t>(target_list) | static_cast<std::uint64_t>(aff1) << 16 |
           static_cast<std::uint64_t>(index(intid) & 0xF) << 24 | static_cast<std::uint64_t>(aff2) << 32 |
           static_cast<std::uint64_t>(irm ? 1 : 0) << 40 | static_cast<std::uint64_t>(rs & 0xF) << 44 |
           static_cast<std::uint64_t>(aff3) << 48;
}

bool sgi_permitted(SgiRegister reg, Security writer, Group target, unsigned nsacr, bool single_security) {
    if (single_security) return target == Group::g0 || reg == SgiRegister::sgi1r;
    if (writer == Security::secure) {
        switch (reg) {
            case SgiRegister::sgi0r: return target == Group::g0;
            case SgiRegister::sgi1r: return target == Group::g1s;
            case SgiRegister::asgi1r: return target == Group::g1ns;
        }
        return false;
    }
    // The architecture overview's table: a Non-secure write reaches Group 0 when NSACR >= 1, and, through SGI1R or
    // ASGI1R, Secure Group 1 when NSACR >= 2. Only SGI1R reaches Non-secure Group 1.
    switch (target) {
        case Group::g0: return nsacr >= 1;
        case Group::g1s: return reg != SgiRegister::sgi0r && nsacr >= 2;
        case Group::g1ns: return reg == SgiRegister::sgi1r;
    }
    return false;
}

}  // namespace gicsim
