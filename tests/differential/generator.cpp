#include "differential/generator.h"

#include <array>
#include <bit>

#include "differential/known_differences.h"
#include "differential/pe_view.h"
#include "gic/pe_pair.h"

namespace gicsim::test {
namespace {

using enum IccRegister;
using Target = Access::Target;

constexpr std::array active_priority_registers = {ICC_AP0R0_EL1, ICC_AP0R1_EL1, ICC_AP0R2_EL1, ICC_AP0R3_EL1,
                                                  ICC_AP1R0_EL1, ICC_AP1R1_EL1, ICC_AP1R2_EL1, ICC_AP1R3_EL1};

}  // namespace

Generator::Generator(const MachineOptions& options, std::uint64_t seed)
    : options_(options), random_(seed), acknowledged_(options.cpus) {}

std::uint32_t Generator::few_bits() {
    std::uint32_t bits = 0;
    for (std::uint64_t n = 1 + draw(4); n > 0; --n) bits |= 1U << draw(32);
    return chance(5) ? ~0U : bits;
}

std::uint8_t Generator::some_priority() {
    const auto mask = implemented_priority_mask(options_.eight_priority_bits ? 8 : 5);
    // Often one of a few, so that equal ones and neighbours occur.
    constexpr std::array<std::uint8_t, 8> usual = {0x00, 0x20, 0x28, 0x80, 0xA0, 0xA8, 0xC0, 0xF8};
    const auto value = static_cast<std::uint8_t>(chance(60) ? usual[draw(usual.size())] : draw(256));
    return value & mask;
}

std::uint64_t Generator::some_priorities(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned n = 0; n < bytes; ++n) value = value << 8 | some_priority();
    return value;
}

std::uint64_t Generator::some_route() {
    const unsigned cpu = index(some_cpu());
    // Now and then to nobody.
    return chance(5) ? 0x30000 : cpu / 16 << 8 | cpu % 16;
}

Security Generator::some_security() {
    if (!options_.two_security_states) return Security::non_secure;
    return chance(50) ? Security::secure : Security::non_secure;
}

std::vector<Access> Generator::prelude(const SettledGic& gic) {
    std::vector<Access> all;
    const Security top = options_.two_security_states ? Security::secure : Security::non_secure;
    const auto gicr = [&](CpuId cpu, std::uint32_t offset, std::uint64_t value) {
        all.push_back(Access::store(cpu, Target::gicr, offset, value, top, cpu));
    };
    all.push_back(Access::store(CpuId{0}, Target::gicd, 0, 0, top));
    for (unsigned n = 0; n < options_.cpus; ++n) {
        const CpuId cpu = cpu_id(n);
        gicr(cpu, gicr::waker, 0);
        gicr(cpu, gicr::icenabler0, ~0U);
        gicr(cpu, gicr::icfgr1, random_() & ~0U);
        gicr(cpu, gicr::icpendr0, ~0U);
        gicr(cpu, gicr::icactiver0, ~0U);
        gicr(cpu, gicr::igroupr0, chance(50) ? ~0U : random_() & ~0U);
        gicr(cpu, gicr::igrpmodr0, random_() & ~0U);
        gicr(cpu, gicr::nsacr, random_() & ~0U);
        for (unsigned word = 0; word < 8; ++word) gicr(cpu, gicr::ipriorityr + 4 * word, some_priorities(4));
        for (const Security security : {Security::secure, Security::non_secure}) {
            if (security == Security::secure && !options_.two_security_states) continue;
            const auto msr = [&](IccRegister reg, std::uint64_t value) {
                all.push_back(Access::msr(cpu, reg, value, security));
            };
            msr(ICC_CTLR_EL1, 0);
            const unsigned count = options_.eight_priority_bits ? 4 : 1;
            for (unsigned reg = 0; reg < count; ++reg) {
                const IccRegister group1 = active_priority_registers[4 + reg];
                if (security == top) {
                    msr(active_priority_registers[reg], 0);
                    msr(group1, 0);
                } else {
                    // Not by writing the register, see the known differences.
                    const std::uint64_t levels = gic.cpu_interface(cpu).peek(group1, security);
                    for (int n = std::popcount(levels); n > 0; --n) msr(ICC_EOIR1_EL1, 0);
                }
            }
            if (security == top) {
                msr(ICC_PMR_EL1, chance(70) ? 0xF8 : some_priority());
                msr(ICC_BPR0_EL1, chance(70) ? 0 : draw(8));
                msr(ICC_IGRPEN0_EL1, 1);
            }
            msr(ICC_BPR1_EL1, chance(70) ? 0 : draw(8));
            msr(ICC_IGRPEN1_EL1, 1);
        }
        gicr(cpu, gicr::isenabler0, random_() | random_());
    }
    const auto gicd = [&](std::uint32_t offset, std::uint64_t value, std::uint8_t size = 4) {
        all.push_back(Access::store(CpuId{0}, Target::gicd, offset, value, top, {}, size));
    };
    for (std::uint32_t word = first_spi / 32; word < end_of_spis / 32; ++word) {
        gicd(0x180 + 4 * word, ~0U);
        gicd(0xC00 + 8 * word, random_() & ~0U);
        gicd(0xC04 + 8 * word, random_() & ~0U);
        gicd(0x280 + 4 * word, ~0U);
        gicd(0x380 + 4 * word, ~0U);
        gicd(0x080 + 4 * word, random_() & ~0U);
        gicd(0xD00 + 4 * word, random_() & ~0U);
        gicd(0xE00 + 8 * word, random_() & ~0U);
        gicd(0xE04 + 8 * word, random_() & ~0U);
    }
    for (std::uint32_t n = first_spi; n < end_of_spis; n += 4) gicd(0x400 + n, some_priorities(4));
    for (std::uint32_t n = first_spi; n < end_of_spis; ++n) gicd(0x6000 + 8 * n, some_route(), 8);
    for (std::uint32_t word = first_spi / 32; word < end_of_spis / 32; ++word) {
        gicd(0x100 + 4 * word, (random_() | random_()) & ~0U);
    }
    all.push_back(Access::store(CpuId{0}, Target::gicd, 0, options_.two_security_states ? 0x37 : 0x13, top));
    return all;
}

void Generator::note(const Access& access, const Outcome& ours) {
    if (ours.preempted || access.target != Target::icc) return;
    auto& list = acknowledged_[index(access.cpu)];
    const auto n = static_cast<std::uint32_t>(access.value);
    switch (access.reg) {
        case ICC_IAR0_EL1:
        case ICC_IAR1_EL1:
            if (ours.value >= 1020) break;
            list.push_back({static_cast<std::uint32_t>(ours.value),
                            access.reg == ICC_IAR0_EL1 ? ICC_EOIR0_EL1 : ICC_EOIR1_EL1, access.security});
            break;
        case ICC_EOIR0_EL1:
        case ICC_EOIR1_EL1:
            std::erase_if(list,
                          [&](const Acknowledged& each) { return each.intid == n && each.completion == access.reg; });
            break;
        default: break;
    }
}

Access Generator::next(const SettledGic& gic) {
    Access access = any(gic);
    while (to_be_avoided(access, gic, options_)) access = any(gic);
    return access;
}

Access Generator::any(const SettledGic& gic) {
    if (chance(30)) cpu_ = some_cpu();
    const std::uint64_t kind = draw(100);
    if (kind < 18) return acknowledge(gic);
    if (kind < 34) return complete();
    if (kind < 44) return configure_interface();
    if (kind < 54) return observe_interface();
    if (kind < 70) return generate_sgi();
    if (kind < 93) return chance(40) ? shared_register() : private_register();
    return kind < 98 ? distributor_register() : odd_access();
}

Access Generator::acknowledge(const SettledGic& gic) {
    if (gic.irq(cpu_) || gic.fiq(cpu_)) {
        const bool fiq = gic.fiq(cpu_);
        if (!options_.two_security_states) {
            if (chance(90)) return Access::mrs(cpu_, fiq ? ICC_IAR0_EL1 : ICC_IAR1_EL1, Security::non_secure);
        } else if (chance(70)) {
            // Secure EL1: IRQ is Secure Group 1; FIQ is Group 0, or Non-secure Group 1, whose handler is Non-secure.
            if (!fiq) return Access::mrs(cpu_, ICC_IAR1_EL1, Security::secure);
            return chance(50) ? Access::mrs(cpu_, ICC_IAR0_EL1, Security::secure)
                              : Access::mrs(cpu_, ICC_IAR1_EL1, Security::non_secure);
        }
    }
    return Access::mrs(cpu_, chance(50) ? ICC_IAR0_EL1 : ICC_IAR1_EL1, some_security());
}

Access Generator::complete() {
    const auto& list = acknowledged_[index(cpu_)];
    if (!list.empty() && chance(85)) {
        const Acknowledged& which = chance(85) ? list.back() : list[draw(list.size())];
        return Access::msr(cpu_, which.completion, which.intid, which.security);
    }
    if (chance(50)) {
        return Access::msr(cpu_, ICC_DIR_EL1, draw(end_of_spis), some_security());
    }
    const std::uint64_t special = 1020 + draw(4);
    return Access::msr(cpu_, chance(50) ? ICC_EOIR0_EL1 : ICC_EOIR1_EL1, special, some_security());
}

Access Generator::configure_interface() {
    const Security security = some_security();
    switch (draw(7)) {
        case 0: return Access::msr(cpu_, ICC_PMR_EL1, chance(60) ? 0xFF : draw(256), security);
        case 1: return Access::msr(cpu_, ICC_BPR0_EL1, draw(8), security);
        case 2: return Access::msr(cpu_, ICC_BPR1_EL1, draw(8), security);
        case 3: return Access::msr(cpu_, ICC_CTLR_EL1, draw(4), security);
        case 4: return Access::msr(cpu_, ICC_IGRPEN0_EL1, chance(85) ? 1 : 0, security);
        case 5: return Access::msr(cpu_, ICC_IGRPEN1_EL1, chance(85) ? 1 : 0, security);
        default: {
            const unsigned n = static_cast<unsigned>(draw(options_.eight_priority_bits ? 4 : 1));
            const IccRegister reg = active_priority_registers[(chance(50) ? 0U : 4U) + n];
            return Access::msr(cpu_, reg, chance(60) ? 0 : few_bits(), security);
        }
    }
}

Access Generator::observe_interface() {
    constexpr std::array observed = {ICC_HPPIR0_EL1, ICC_HPPIR1_EL1, ICC_RPR_EL1,     ICC_PMR_EL1,     ICC_BPR0_EL1,
                                     ICC_BPR1_EL1,   ICC_CTLR_EL1,   ICC_IGRPEN0_EL1, ICC_IGRPEN1_EL1, ICC_AP0R0_EL1,
                                     ICC_AP0R1_EL1,  ICC_AP0R2_EL1,  ICC_AP0R3_EL1,   ICC_AP1R0_EL1,   ICC_AP1R1_EL1,
                                     ICC_AP1R2_EL1,  ICC_AP1R3_EL1,  ICC_SRE_EL1};
    const IccRegister reg = chance(50) ? observed[draw(3)] : observed[draw(observed.size())];
    return Access::mrs(cpu_, reg, some_security());
}

Access Generator::generate_sgi() {
    SgiRequest request;
    request.intid = intid(static_cast<std::uint32_t>(draw(16)));
    request.irm = chance(20);
    if (!request.irm) {
        request.target_list = static_cast<std::uint16_t>(1U << (index(some_cpu()) & 0xF));
        if (chance(30)) request.target_list = static_cast<std::uint16_t>(random_());
        if (options_.cpus > 16 ? chance(30) : chance(3)) request.aff1 = 1;
        if (chance(2)) request.aff3 = 1;
        if (chance(2)) request.aff2 = 1;
    }
    const std::uint64_t which = draw(10);
    const IccRegister reg = which < 6 ? ICC_SGI1R_EL1 : which < 8 ? ICC_SGI0R_EL1 : ICC_ASGI1R_EL1;
    return Access::msr(cpu_, reg, request.encode(), some_security());
}

Access Generator::private_register() {
    const CpuId frame = chance(60) ? cpu_ : some_cpu();
    const Security security = some_security();
    struct Choice {
        std::uint32_t offset;
        unsigned weight;
    };
    static constexpr std::array choices = {
        Choice{gicr::ispendr0, 24}, Choice{gicr::isenabler0, 14}, Choice{gicr::icenabler0, 6},
        Choice{gicr::icpendr0, 6},  Choice{gicr::isactiver0, 4},  Choice{gicr::icactiver0, 8},
        Choice{gicr::igroupr0, 6},  Choice{gicr::igrpmodr0, 5},   Choice{gicr::nsacr, 4},
        Choice{gicr::icfgr1, 5},    Choice{gicr::icfgr0, 1},      Choice{gicr::ipriorityr, 14},
        Choice{gicr::waker, 1},     Choice{gicr::typer, 1},       Choice{gicr::ctlr, 1}};
    std::uint64_t left = draw(100);
    std::size_t n = 0;
    while (left >= choices[n].weight) left -= choices[n++].weight;
    std::uint32_t offset = choices[n].offset;
    const bool read_only = offset == gicr::waker || offset == gicr::typer || offset == gicr::ctlr;
    const bool is_write = !read_only && chance(65);
    std::uint8_t size = 4;
    std::uint64_t value = few_bits();
    if (offset == gicr::typer) {
        if (chance(50))
            size = 8;
        else if (chance(50))
            offset += 4;
    } else if (offset == gicr::ipriorityr) {
        if (chance(70)) {
            size = 1;
            offset += static_cast<std::uint32_t>(draw(32));
            value = some_priority();
        } else {
            offset += static_cast<std::uint32_t>(4 * draw(8));
            value = some_priorities(4);
        }
    } else if (offset == gicr::igroupr0 || offset == gicr::igrpmodr0 || offset == gicr::nsacr ||
               offset == gicr::icfgr1) {
        value = random_() & ~0U;
    }
    return is_write ? Access::store(cpu_, Target::gicr, offset, value, security, frame, size)
                    : Access::load(cpu_, Target::gicr, offset, security, frame, size);
}

Access Generator::distributor_register() {
    const Security security = some_security();
    if (chance(60)) {
        // Groups are on more often than off.
        std::uint64_t value = random_() & 0x87;
        if (chance(60)) value |= options_.two_security_states ? 7 : 3;
        return chance(60) ? Access::store(cpu_, Target::gicd, 0, value, security)
                          : Access::load(cpu_, Target::gicd, 0, security);
    }
    constexpr std::array<std::uint32_t, 15> words = {0x004, 0x008, 0x00C, 0x010, 0x080, 0x100, 0x180, 0x200,
                                                     0x280, 0x300, 0x380, 0x400, 0xC00, 0xD00, 0xE00};
    const std::uint32_t offset = words[draw(words.size())];
    if (offset >= 0x80 && chance(50)) return Access::store(cpu_, Target::gicd, offset, random_() & ~0U, security);
    return Access::load(cpu_, Target::gicd, offset, security);
}

/// An SPI's registers.
Access Generator::shared_register() {
    const Security security = some_security();
    const auto word = static_cast<std::uint32_t>(first_spi / 32 + draw((end_of_spis - first_spi) / 32));
    const auto n = static_cast<std::uint32_t>(first_spi + draw(end_of_spis - first_spi));
    const auto access = [&](std::uint32_t offset, std::uint64_t value, std::uint8_t size = 4) {
        return chance(65) ? Access::store(cpu_, Target::gicd, offset, value, security, {}, size)
                          : Access::load(cpu_, Target::gicd, offset, security, {}, size);
    };
    const std::uint64_t any_word = random_() & ~0U;
    switch (draw(16)) {
        case 0: return access(0x080 + 4 * word, any_word);
        case 1: return access(0xD00 + 4 * word, any_word);
        case 2: return access(0xE00 + 8 * word + 4 * static_cast<std::uint32_t>(draw(2)), any_word);
        case 3: return access(0xC00 + 8 * word + 4 * static_cast<std::uint32_t>(draw(2)), any_word);
        case 4: return access(0x180 + 4 * word, few_bits());
        case 5:
        case 6: return access(0x100 + 4 * word, few_bits());
        case 7: return access(0x280 + 4 * word, few_bits());
        case 8: return access(0x300 + 4 * word, few_bits());
        case 9: return access(0x380 + 4 * word, few_bits());
        case 10: return access(0x400 + n, some_priority(), 1);
        case 11: return access(0x400 + n / 4 * 4, some_priorities(4));
        case 12: return access(0x6000 + 8 * n, some_route(), 8);
        case 13: return access(0x6000 + 8 * n, some_route());
        default: return access(0x200 + 4 * word, few_bits());
    }
}

/// Reserved offsets, and sizes that registers do not have.
Access Generator::odd_access() {
    const CpuId frame = some_cpu();
    const Security security = some_security();
    const std::uint32_t base = chance(50) ? 0 : 0x10000;
    std::uint32_t offset = base + static_cast<std::uint32_t>(4 * draw(0x1000 / 4));
    // LPI registers, which gicsim does not have.
    if (offset >= 0x40 && offset < 0xE0) offset = 0xFFE8;
    constexpr std::array<std::uint8_t, 4> sizes = {1, 2, 4, 8};
    const std::uint8_t size = chance(50) ? 4 : sizes[draw(4)];
    offset -= offset % size;
    return Access::load(cpu_, Target::gicr, offset, security, frame, size);
}

}  // namespace gicsim::test
