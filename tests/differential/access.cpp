#include "differential/access.h"

#include <fmt/format.h>

#include <optional>

namespace gicsim::test {
namespace {

constexpr std::uint32_t isr_fiq = 1U << 6;
constexpr std::uint32_t isr_irq = 1U << 7;

template <class Frame>
std::optional<std::string> row_name(const Frame& frame, std::uint32_t offset) {
    for (const auto& row : frame.rows()) {
        const std::uint32_t bytes = row.bits / 8;
        if (offset < row.offset || offset >= row.offset + row.count * bytes) continue;
        std::string name(row.name);
        if (row.count > 1) name += fmt::format("<{}>", (offset - row.offset) / bytes);
        if (const std::uint32_t rest = (offset - row.offset) % bytes; rest != 0) name += fmt::format("+{}", rest);
        return name;
    }
    return std::nullopt;
}

std::string register_name(const Access& access) {
    constexpr std::uint32_t frame_bytes = 0x10000;
    std::optional<std::string> name;
    if (access.target == Access::Target::gicd) {
        name = row_name(DistributorState::frame(), access.offset);
        return name ? *name : fmt::format("GICD+0x{:04X}", access.offset);
    }
    name = access.offset < frame_bytes ? row_name(RedistributorState::rd_frame(), access.offset)
                                       : row_name(RedistributorState::sgi_frame(), access.offset - frame_bytes);
    return fmt::format("{} of cpu{}", name ? *name : fmt::format("GICR+0x{:05X}", access.offset), index(access.frame));
}

Pins pins_of(const SettledGic& gic, CpuId cpu) {
    return {gic.irq(cpu), gic.fiq(cpu)};
}

std::string text_of(const Pins& pins) {
    if (pins.irq && pins.fiq) return "IRQ and FIQ";
    return pins.irq ? "IRQ" : pins.fiq ? "FIQ" : "no pin";
}

}  // namespace

Access Access::mrs(CpuId cpu, IccRegister reg, Security security) {
    Access access;
    access.cpu = cpu;
    access.security = security;
    access.target = Target::icc;
    access.reg = reg;
    return access;
}

Access Access::msr(CpuId cpu, IccRegister reg, std::uint64_t value, Security security) {
    Access access = mrs(cpu, reg, security);
    access.is_write = true;
    access.value = value;
    return access;
}

Access Access::load(CpuId cpu, Target target, std::uint32_t offset, Security security, CpuId frame, std::uint8_t size) {
    Access access;
    access.cpu = cpu;
    access.security = security;
    access.target = target;
    access.offset = offset;
    access.frame = frame;
    access.size = size;
    return access;
}

Access Access::store(CpuId cpu, Target target, std::uint32_t offset, std::uint64_t value, Security security,
                     CpuId frame, std::uint8_t size) {
    Access access = load(cpu, target, offset, security, frame, size);
    access.is_write = true;
    access.value = value;
    return access;
}

std::string Access::text() const {
    const std::string who = fmt::format("cpu{} {}", index(cpu), security == Security::secure ? "S " : "NS");
    if (target == Target::icc) {
        return is_write ? fmt::format("{} MSR {} <- 0x{:x}", who, name(reg), value)
                        : fmt::format("{} MRS {}", who, name(reg));
    }
    return is_write ? fmt::format("{} STR{} {} <- 0x{:x}", who, 8 * size, register_name(*this), value)
                    : fmt::format("{} LDR{} {}", who, 8 * size, register_name(*this));
}

std::string Outcome::text() const {
    if (preempted) return "FIQ taken to EL3 before the access";
    return fmt::format("0x{:x}{}, {} before, {} after", value, refused ? " (refused)" : "", text_of(before),
                       text_of(after));
}

Outcome perform(SettledGic& gic, const Access& access, const MachineOptions& options) {
    const bool visit = options.two_security_states && access.security == Security::non_secure;
    if (visit) gic.set_pe(access.cpu, PeState::in(Security::non_secure));
    Outcome result;
    result.before = pins_of(gic, access.cpu);
    result.preempted = visit && result.before.fiq;
    if (!result.preempted) {
        AccessStatus status = AccessStatus::ok;
        if (access.target == Access::Target::icc) {
            if (access.is_write) {
                gic.write_icc(access.cpu, access.reg, access.value, access.security);
            } else {
                result.value = gic.read_icc(access.cpu, access.reg, access.security);
            }
        } else if (access.is_write) {
            status = access.target == Access::Target::gicd
                         ? gic.write_gicd(access.offset, access.value, access.size, access.security)
                         : gic.write_gicr(access.frame, access.offset, access.value, access.size, access.security);
        } else {
            const AccessResult read = access.target == Access::Target::gicd
                                          ? gic.read_gicd(access.offset, access.size, access.security)
                                          : gic.read_gicr(access.frame, access.offset, access.size, access.security);
            status = read.status;
            result.value = read.value;
        }
        result.refused = status != AccessStatus::ok;
        result.after = pins_of(gic, access.cpu);
    }
    if (visit) gic.set_pe(access.cpu, PeState::in(Security::secure));
    return result;
}

GuestCommand guest_command(const Access& access, const MachineOptions& options) {
    GuestCommand command;
    command.cpu = index(access.cpu);
    command.value = access.value;
    command.non_secure = options.two_security_states && access.security == Security::non_secure ? 1 : 0;
    if (access.target == Access::Target::icc) {
        const auto reg = static_cast<unsigned>(access.reg);
        command.stub = access.is_write ? QemuMachine::write_stub(reg) : QemuMachine::read_stub(reg);
    } else {
        command.stub = access.is_write ? QemuMachine::store_stub(access.size) : QemuMachine::load_stub(access.size);
        command.address = access.target == Access::Target::gicd
                              ? QemuMachine::gicd_address(access.offset)
                              : QemuMachine::gicr_address(index(access.frame), access.offset);
    }
    return command;
}

Outcome outcome(const Access& access, const GuestResult& result) {
    Outcome seen;
    const auto pins = [](std::uint32_t isr) { return Pins{(isr & isr_irq) != 0, (isr & isr_fiq) != 0}; };
    if (result.fiq == 1) {
        seen.preempted = true;
        seen.before = {false, true};
        return seen;
    }
    seen.refused = result.esr_el1 != 0 || result.esr_el3 != 0;
    if (!access.is_write && !seen.refused) seen.value = result.value;
    seen.before = pins(result.isr_before);
    // A FIQ that was taken is no longer visible in the Non-secure ISR_EL1.
    seen.after = result.fiq == 2 ? Pins{false, true} : pins(result.isr_after);
    return seen;
}

}  // namespace gicsim::test
