#include "differential/known_differences.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "differential/pe_view.h"
#include "gic/pe_pair.h"

namespace gicsim::test {
namespace {

using enum IccRegister;
using Target = Access::Target;

constexpr std::uint64_t all_bits = ~std::uint64_t{0};

bool one_state(const MachineOptions& options) {
    return !options.two_security_states;
}
bool restricted(const Access& access, const MachineOptions& options) {
    return options.two_security_states && access.security == Security::non_secure;
}

/// What depends on which pending interrupt is the best: acknowledging, and being preempted by a FIQ.
bool depends_on_choice(const Access& access, const MachineOptions& options) {
    return restricted(access, options) || access.is_icc(ICC_IAR0_EL1) || access.is_icc(ICC_IAR1_EL1);
}

std::optional<SgiRequest> sgi_of(const Access& access) {
    if (access.target != Target::icc || !access.is_write) return std::nullopt;
    switch (access.reg) {
        case ICC_SGI0R_EL1: return SgiRequest::decode(SgiRegister::sgi0r, access.security, access.value);
        case ICC_SGI1R_EL1: return SgiRequest::decode(SgiRegister::sgi1r, access.security, access.value);
        case ICC_ASGI1R_EL1: return SgiRequest::decode(SgiRegister::asgi1r, access.security, access.value);
        default: return std::nullopt;
    }
}

/// Whether an SGI write has a target for which `differs(request, group there, NSACR there)` holds.
template <class Differs>
bool some_target(const Access& access, const SettledGic& gic, Differs differs) {
    const std::optional<SgiRequest> request = sgi_of(access);
    if (!request) return false;
    bool found = false;
    const unsigned n = index(request->intid);
    gic.distributor().sgi_targets().for_each(*request, access.cpu, [&](CpuId target) {
        found = found || differs(*request, group_of(gic, target, n), nsacr_of(gic, target, n));
    });
    return found;
}

AccessStatus status_of(const Access& access, const SettledGic& gic) {
    switch (access.target) {
        case Target::gicd: return gic.distributor().peek(access.offset, access.size, access.security).status;
        case Target::gicr:
            return gic.redistributor(access.frame).peek(access.offset, access.size, access.security).status;
        case Target::icc: break;
    }
    return AccessStatus::ok;
}

unsigned active_priority_number(IccRegister reg) {
    const auto n = static_cast<unsigned>(reg);
    if (reg >= ICC_AP0R0_EL1 && reg <= ICC_AP0R3_EL1) return n - static_cast<unsigned>(ICC_AP0R0_EL1);
    if (reg >= ICC_AP1R0_EL1 && reg <= ICC_AP1R3_EL1) return n - static_cast<unsigned>(ICC_AP1R0_EL1);
    return 0;
}

bool is_priority(const Access& access) {
    if (access.target == Target::gicd) return access.offset >= 0x400 && access.offset < 0x800;
    return access.target == Target::gicr && access.offset >= gicr::ipriorityr && access.offset < gicr::ipriorityr + 32;
}

bool is_group0_register(IccRegister reg) {
    switch (reg) {
        case ICC_IAR0_EL1:
        case ICC_EOIR0_EL1:
        case ICC_HPPIR0_EL1:
        case ICC_BPR0_EL1:
        case ICC_IGRPEN0_EL1: return true;
        default: return reg >= ICC_AP0R0_EL1 && reg <= ICC_AP0R3_EL1;
    }
}

using Cause = KnownDifference::Cause;

constexpr std::array table{
    KnownDifference{
        "Access sizes that a register does not have", Cause::choice, "RAZ/WI.", "A bus error.",
        "Which other sizes than those of the register's description there are is IMPLEMENTATION DEFINED (IHI 0069, "
        "12.1.3).",
        [](const Access& access, const SettledGic& gic, const MachineOptions&) {
            return status_of(access, gic) != AccessStatus::ok;
        },
        0, true},
    KnownDifference{"Identification registers", Cause::choice, "Those of an Arm GIC.",
                    "PIDR2.ArchRev only, the others are 0.",
                    "All fields but ArchRev are IMPLEMENTATION DEFINED (GICD_PIDR2).",
                    [](const Access& access, const SettledGic&, const MachineOptions&) {
                        return access.target != Target::icc && access.offset % 0x10000 >= 0xFFD0;
                    },
                    0xFF0F},
    KnownDifference{
        "GICD_TYPER.ITLinesNumber", Cause::qemu, "7 with 256 SPIs: those from 256 on are there and not counted.", "8.",
        "The number of INTIDs is 32 * (ITLinesNumber + 1), the 32 private ones among them (GICD_TYPER). QEMU counts "
        "them since 58dff8f7ea.",
        [](const Access& access, const SettledGic&, const MachineOptions&) { return access.is_gicd(0x004); }, 0x1F},
    KnownDifference{
        "GICD_TYPER.RSS and MBIS", Cause::choice, "0 and 0.", "1 and 1.",
        "Whether SGIs can have a range selector and SPIs can be messages is IMPLEMENTATION DEFINED (GICD_TYPER).",
        [](const Access& access, const SettledGic&, const MachineOptions&) { return access.is_gicd(0x004); },
        1U << 26 | 1U << 16},
    KnownDifference{"GICD_SETSPI_NSR and the other message registers", Cause::choice, "RAZ/WI.",
                    "They set and clear an SPI.", "GICD_TYPER.MBIS, as above.",
                    [](const Access& access, const SettledGic&, const MachineOptions&) {
                        return access.target == Target::gicd && access.is_write && access.offset >= 0x40 &&
                               access.offset < 0x60;
                    }},
    KnownDifference{
        "GICD_TYPER.LPIS", Cause::not_built, "1: there are LPIs.", "0.", "gicsim has no LPIs yet (GICD_TYPER).",
        [](const Access& access, const SettledGic&, const MachineOptions&) { return access.is_gicd(0x004); }, 1U << 17},
    KnownDifference{"GICD_IIDR and GICR_IIDR", Cause::choice, "0x43B.", "0.", "Who implemented it (GICD_IIDR).",
                    [](const Access& access, const SettledGic&, const MachineOptions&) {
                        return access.is_gicd(0x008) || access.is_gicr(0x0004);
                    },
                    all_bits},
    KnownDifference{"GICD_CTLR.E1NWF", Cause::choice, "RAZ/WI.",
                    "Keeps what is written, with and without 1 of N interrupts.",
                    "Whether the bit is programmable is IMPLEMENTATION DEFINED (GICD_CTLR).",
                    [](const Access& access, const SettledGic&, const MachineOptions& options) {
                        return access.is_gicd(0x000) && !restricted(access, options);
                    },
                    1U << 7},
    KnownDifference{
        "GICR_TYPER.PLPIS and CommonLPIAff", Cause::not_built, "1 and 1.", "0 and 0.",
        "gicsim has no LPIs yet (GICR_TYPER).",
        [](const Access& access, const SettledGic&, const MachineOptions&) { return access.is_gicr(gicr::typer); },
        3U << 24 | 1U},
    KnownDifference{
        "GICR_CTLR.CES", Cause::not_built, "1: software can clear EnableLPIs again.", "0.",
        "gicsim has no LPIs yet (GICR_CTLR).",
        [](const Access& access, const SettledGic&, const MachineOptions&) { return access.is_gicr(gicr::ctlr); },
        1U << 1},
    KnownDifference{"GICR_WAKER.ProcessorSleep", Cause::qemu, "Delivers interrupts to a PE whose interface is asleep.",
                    "Forwards nothing while ChildrenAsleep is 1; the interrupt stays pending.",
                    "IHI 0069, 11.1 and GICR_WAKER.",
                    [](const Access& access, const SettledGic&, const MachineOptions& options) {
                        return access.is_write && access.is_gicr(gicr::waker) && (access.value & 2) != 0 &&
                               !restricted(access, options);
                    }},
    KnownDifference{"GICR_WAKER and Non-secure accesses", Cause::qemu, "Reads and writes as for Secure software.",
                    "RAZ/WI.", "With two Security states the register is RAZ/WI to Non-secure accesses (GICR_WAKER).",
                    [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
                        return access.is_gicr(gicr::waker) && restricted(access, options) &&
                               (access.is_write || gic.redistributor(access.frame).children_asleep());
                    }},
    KnownDifference{"Unimplemented bits of a priority", Cause::qemu,
                    "GICD_IPRIORITYR and GICR_IPRIORITYR keep all eight bits, whatever the CPU interfaces implement, "
                    "and compare them.",
                    "They are RAZ/WI.", "IHI 0069, 4.8: unimplemented low-order bits are RAZ/WI.",
                    [](const Access& access, const SettledGic&, const MachineOptions& options) {
                        if (!access.is_write || options.eight_priority_bits || !is_priority(access)) return false;
                        const std::uint64_t unimplemented = restricted(access, options) ? 0x0F0F'0F0F : 0x0707'0707;
                        return (access.value & unimplemented) != 0;
                    }},
    KnownDifference{"GICD_IROUTER<n>.Interrupt_Routing_Mode", Cause::qemu, "Kept and ignored.",
                    "RAZ/WI without 1 of N interrupts, GICD_TYPER.No1N = 1.",
                    "If 1 of N distribution is not supported the bit is RAZ/WI (GICD_IROUTER<n>).",
                    [](const Access& access, const SettledGic&, const MachineOptions&) {
                        return access.target == Target::gicd && access.is_write && access.offset >= 0x6000 &&
                               access.offset < 0x8000 && access.offset % 8 == 0 && (access.value >> 31 & 1) != 0;
                    }},
    KnownDifference{
        "ICC_CTLR_EL1.RSS", Cause::choice, "0, and IDbits = 1.", "1, and IDbits = 0.",
        "Both fields are IMPLEMENTATION DEFINED (ICC_CTLR_EL1).",
        [](const Access& access, const SettledGic&, const MachineOptions&) { return access.is_icc(ICC_CTLR_EL1); },
        7U << 11 | 1U << 18},
    KnownDifference{"ICC_CTLR_EL1.PMHE", Cause::choice, "RAZ/WI.", "Writable: a hint that changes no outcome.",
                    "Whether PMHE is supported is IMPLEMENTATION DEFINED (ICC_CTLR_EL1).",
                    [](const Access& access, const SettledGic&, const MachineOptions&) {
                        return access.is_write && access.is_icc(ICC_CTLR_EL1) && (access.value & 1U << 6) != 0;
                    }},
    KnownDifference{
        "Active priorities registers beyond the last level", Cause::choice, "UNDEFINED.", "RAZ/WI.",
        "ICC_AP0R<n>_EL1 and ICC_AP1R<n>_EL1 that the number of priority bits does not need are UNDEFINED; gicsim's "
        "cores have no Undefined Instruction exception.",
        [](const Access& access, const SettledGic&, const MachineOptions& options) {
            return access.target == Target::icc && !options.eight_priority_bits &&
                   active_priority_number(access.reg) > 0;
        },
        0, true},
    KnownDifference{
        "Preemption levels 31, 63, 95 and 127", Cause::qemu,
        "Acknowledging at such a level also sets bits 63 to 32 of the active priorities register; they stay after the "
        "priority drop and spoil the running priority.",
        "Sets one bit.",
        "Bits 63 to 32 are RES0 (ICC_AP0R<n>_EL1). With 5 bits of priority no such level is ever signalled.",
        [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
            if (!options.eight_priority_bits) return false;
            if (!access.is_icc(ICC_IAR0_EL1) && !access.is_icc(ICC_IAR1_EL1)) return false;
            const std::optional<Intid> held = gic.cpu_interface(access.cpu).held();
            return held && (priority_of(gic, access.cpu, index(*held)) >> 1) % 32 == 31;
        }},
    KnownDifference{"Non-secure writes of ICC_AP1R<n>_EL1", Cause::choice, "With EL3, ignored for n = 0 and 1.",
                    "Written.", "Any value but the one last read is UNPREDICTABLE (ICC_AP1R<n>_EL1).",
                    [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
                        return access.target == Target::icc && access.is_write && restricted(access, options) &&
                               access.reg >= ICC_AP1R0_EL1 && access.reg <= ICC_AP1R3_EL1 &&
                               gic.cpu_interface(access.cpu).peek(access.reg, access.security) != access.value;
                    }},
    KnownDifference{"Non-secure accesses to Group 0 registers", Cause::choice, "Trapped to EL3, as SCR_EL3.FIQ = 1.",
                    "RAZ/WI; ICC_IAR0_EL1 and ICC_HPPIR0_EL1 read 1023.",
                    "gicsim's cores have no EL3 that could take the trap (ICC_IAR0_EL1 and the others).",
                    [](const Access& access, const SettledGic&, const MachineOptions& options) {
                        return access.target == Target::icc && restricted(access, options) &&
                               is_group0_register(access.reg);
                    },
                    0x3FF, true},
    KnownDifference{
        "ICC_PMR_EL1 = 0xFF as Non-secure software sees it", Cause::qemu, "0xFF.", "0xFE.",
        "The Non-secure view of a mask in 0x80 to 0xFF is that mask shifted left by one; only the running priority has "
        "an idle value that is shown as it is (IHI 0069, 4.8.6).",
        [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
            return access.is_icc(ICC_PMR_EL1) && !access.is_write && restricted(access, options) &&
                   gic.cpu_interface(access.cpu).peek(ICC_PMR_EL1, Security::secure) == 0xFF;
        },
        1},
    KnownDifference{
        "A disabled group hides the others", Cause::qemu,
        "Picks the best pending interrupt of all groups and then signals nothing if ICC_IGRPEN<n>_EL1 disables its "
        "group, though an enabled group has one of lower priority.",
        "Picks among the groups that the CPU interface has enabled.",
        "Interrupts are forwarded to a CPU interface for the groups that it has enabled (IHI 0069, 4.6 and "
        "ICC_IGRPEN0_EL1). While this lasts, the test expects that QEMU has no pin high.",
        [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
            return gic.cpu_interface(access.cpu).held() && best_is_disabled(gic, access.cpu) &&
                   depends_on_choice(access, options);
        }},
    KnownDifference{"ICC_HPPIR<n>_EL1 while a disabled group hides the others", Cause::qemu, "1023.",
                    "The best interrupt of the enabled groups.", "As in the line before.",
                    [](const Access& access, const SettledGic& gic, const MachineOptions&) {
                        return (access.is_icc(ICC_HPPIR0_EL1) || access.is_icc(ICC_HPPIR1_EL1)) &&
                               gic.cpu_interface(access.cpu).held() && best_is_disabled(gic, access.cpu);
                    },
                    all_bits},
    KnownDifference{"Which of several interrupts of equal priority", Cause::choice, "The one with the lowest INTID.",
                    "The one that the CPU interface holds already; else that with the lowest INTID.",
                    "IMPLEMENTATION DEFINED (IHI 0069, 4.8). What is held is not taken back for one that is no better.",
                    [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
                        return holds_other_of_equals(gic, access.cpu) && depends_on_choice(access, options);
                    }},
    KnownDifference{"ICC_HPPIR<n>_EL1 and interrupts of equal priority", Cause::choice, "As in the line before.",
                    "As in the line before.", "As in the line before.",
                    [](const Access& access, const SettledGic& gic, const MachineOptions&) {
                        return (access.is_icc(ICC_HPPIR0_EL1) || access.is_icc(ICC_HPPIR1_EL1)) &&
                               holds_other_of_equals(gic, access.cpu);
                    },
                    all_bits},
    KnownDifference{
        "Completing an interrupt of another group", Cause::choice,
        "ICC_EOIR<n>_EL1 deactivates any INTID once the priority drop is permitted.",
        "Only one that is in the group that the register is about.",
        "Completing through another group's register, or what has been moved to another group while it was active, is "
        "UNPREDICTABLE (ICC_EOIR0_EL1).",
        [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
            if (!access.is_icc(ICC_EOIR0_EL1) && !access.is_icc(ICC_EOIR1_EL1)) return false;
            if (access.value >= first_spi + spis_of_virt) return false;
            Group group = Group::g0;
            if (access.is_icc(ICC_EOIR1_EL1)) {
                group = one_state(options) || access.security == Security::non_secure ? Group::g1ns : Group::g1s;
            }
            return group_of(gic, access.cpu, static_cast<unsigned>(access.value)) != group;
        }},
    KnownDifference{"ICC_SGI1R_EL1 and Group 0 with one Security state", Cause::qemu,
                    "With GICD_CTLR.DS = 1, ICC_SGI1R_EL1 does not make a Group 0 SGI pending when the CPU has no EL3.",
                    "It does.", "IHI 0069, 12.1.10; Linux does the same for guests (03bd646d863d).",
                    [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
                        return one_state(options) &&
                               some_target(access, gic, [](const SgiRequest& request, Group group, unsigned) {
                                   return request.reg == SgiRegister::sgi1r && group == Group::g0;
                               });
                    }},
    KnownDifference{"Secure ICC_SGI1R_EL1 and Group 0", Cause::qemu, "A Secure write makes a Group 0 SGI pending.",
                    "It does not.",
                    "IHI 0069, 12.1.10: a Secure Group 1 SGI is forwarded to a target that has it in Secure Group 1.",
                    [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
                        return !one_state(options) &&
                               some_target(access, gic, [](const SgiRequest& request, Group group, unsigned) {
                                   return request.security == Security::secure && request.reg == SgiRegister::sgi1r &&
                                          group == Group::g0;
                               });
                    }},
    KnownDifference{"Non-secure ICC_SGI1R_EL1 and GICR_NSACR", Cause::qemu,
                    "A Non-secure write reaches neither Group 0 nor Secure Group 1 whatever GICR_NSACR says.",
                    "It reaches Group 0 with NSACR >= 1 and Secure Group 1 with NSACR >= 2.", "IHI 0069, 12.1.10.",
                    [](const Access& access, const SettledGic& gic, const MachineOptions& options) {
                        return !one_state(options) &&
                               some_target(access, gic, [](const SgiRequest& request, Group group, unsigned nsacr) {
                                   return request.security == Security::non_secure &&
                                          request.reg == SgiRegister::sgi1r &&
                                          (group == Group::g0 ? nsacr >= 1 : group == Group::g1s && nsacr >= 2);
                               });
                    }},
    KnownDifference{"Range selector", Cause::choice, "RS is ignored.", "RS selects Aff0 = 16 * RS + n.",
                    "With GICD_TYPER.RSS = 0 a write with RS != 0 is CONSTRAINED UNPREDICTABLE (ICC_SGI1R_EL1).",
                    [](const Access& access, const SettledGic&, const MachineOptions&) {
                        const std::optional<SgiRequest> request = sgi_of(access);
                        return request && request->rs != 0;
                    }},
};

bool as_it_should_be(const Pins& ours, const Pins& theirs, PinRule rule) {
    switch (rule) {
        case PinRule::equal: return ours == theirs;
        case PinRule::none: return theirs == Pins{};
        case PinRule::any: return true;
    }
    return false;
}

std::string_view text_of(Cause cause) {
    switch (cause) {
        case Cause::qemu: return "QEMU";
        case Cause::choice: return "a choice";
        case Cause::not_built: return "not built";
    }
    return "";
}

}  // namespace

std::span<const KnownDifference> known_differences() {
    return table;
}

PinRule pin_rule(const SettledGic& gic, CpuId cpu) {
    const std::optional<Intid> held = gic.cpu_interface(cpu).held();
    if (!held) return PinRule::equal;
    if (best_is_disabled(gic, cpu)) return PinRule::none;
    if (!holds_other_of_equals(gic, cpu)) return PinRule::equal;
    const bool same_group = group_of(gic, cpu, *best_of_all_groups(gic, cpu)) == group_of(gic, cpu, index(*held));
    return same_group ? PinRule::equal : PinRule::any;
}

bool to_be_avoided(const Access& access, const SettledGic& gic, const MachineOptions& options) {
    for (const KnownDifference& each : table) {
        if (each.avoided() && each.applies(access, gic, options)) return true;
    }
    return false;
}

Leeway leeway(const Access& access, const SettledGic& gic, const MachineOptions& options) {
    Leeway sum;
    for (const KnownDifference& each : table) {
        if (each.avoided() || !each.applies(access, gic, options)) continue;
        sum.value_bits |= each.value_bits;
        sum.refusal |= each.refusal;
    }
    sum.before = pin_rule(gic, access.cpu);
    return sum;
}

std::string disagreement(const Step& step) {
    const Leeway& free = step.leeway;
    std::string text;
    const auto add = [&](bool differs, std::string_view what) {
        if (!differs) return;
        if (!text.empty()) text += ", ";
        text += what;
    };
    add(step.ours.preempted != step.theirs.preempted, "FIQ before the access");
    add(step.ours.refused != step.theirs.refused && !free.refusal, "refused or not");
    add(((step.ours.value ^ step.theirs.value) & ~free.value_bits) != 0, "value");
    add(!as_it_should_be(step.ours.before, step.theirs.before, free.before), "pins before");
    add(!as_it_should_be(step.ours.after, step.theirs.after, free.after), "pins after");
    return text;
}

std::string differences_document() {
    std::string text =
        "# GICv3: gicsim and QEMU\n"
        "\n"
        "`test-differential` performs the same register accesses on gicsim's GICv3 State classes and on the GICv3 of "
        "QEMU's\n"
        "`virt` machine (7.2, as in Debian 12), and compares what each read gives and the IRQ and FIQ pins of the CPU "
        "that\n"
        "made the access, before and after it. These are the points in which the two differ and are meant to. The "
        "test\n"
        "shows each of them, and has no others.\n"
        "\n"
        "*Why*: `QEMU` where QEMU departs from the architecture; `a choice` where the architecture leaves it open, "
        "calls it\n"
        "UNPREDICTABLE, or gicsim's cores have no EL3; `not built` where gicsim lacks a part. *Random sequences*: `not "
        "compared` names\n"
        "what of an access is left out of the comparison; `avoided` means that the access would bring the two into "
        "different\n"
        "states, so that random sequences keep away from it.\n"
        "\n"
        "script/update-docs writes this file.\n";
    for (const KnownDifference& each : table) {
        std::string handling = "avoided";
        if (each.value_bits == all_bits) {
            handling = "value not compared";
        } else if (!each.avoided()) {
            handling = each.refusal ? "exception not compared" : "";
            if (each.value_bits != 0) {
                handling += fmt::format("{}value bits 0x{:X} not compared", each.refusal ? ", " : "", each.value_bits);
            }
        }
        text += fmt::format("\n## {}\n\n- QEMU: {}\n- gicsim: {}\n- Why: {}. {}\n- Random sequences: {}.\n", each.name,
                            each.qemu, each.gicsim, text_of(each.cause), each.reason, handling);
    }
    return text;
}

}  // namespace gicsim::test
