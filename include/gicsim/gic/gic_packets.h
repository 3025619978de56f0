#ifndef GICSIM_GIC_GIC_PACKETS_H
#define GICSIM_GIC_GIC_PACKETS_H

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "gicsim/arch/affinity.h"
#include "gicsim/arch/gic.h"
#include "gicsim/gic/group_set.h"

namespace gicsim {

/// The packets of the GIC Stream Protocol between a Redistributor and its CPU interface (IHI 0069, Appendix A).
enum class PacketKind : std::uint8_t {
    // Downstream: Redistributor to CPU interface.
    set,
    clear,
    quiesce,
    downstream_control,
    activate_ack,
    deactivate_ack,
    generate_sgi_ack,
    upstream_control_ack,
    // Upstream: CPU interface to Redistributor.
    activate,
    release,
    deactivate,
    generate_sgi,
    upstream_control,
    clear_ack,
    quiesce_ack,
    downstream_control_ack,
};

std::string_view name(PacketKind kind);

/// What a Downstream Control or Upstream Control packet is about.
enum class ControlId : std::uint8_t {
    group_enables,    ///< upstream: ICC_IGRPEN0_EL1 and ICC_IGRPEN1_EL1, as GroupSet bits
    priority_mask,    ///< upstream: the priority mask the Redistributor may use, 0xFF while ICC_CTLR_EL1.PMHE = 0
    single_security,  ///< downstream: GICD_CTLR.DS
};

/// One packet. Only the fields that its kind carries mean anything; the others are zero.
struct StreamPacket {
    PacketKind kind = PacketKind::quiesce;
    Priority priority{};                           ///< set
    Group group{};                                 ///< set
    bool non_maskable = false;                     ///< set
    GroupSet groups{};                             ///< deactivate: groups the writer may deactivate
    ControlId control = ControlId::group_enables;  ///< downstream_control, upstream_control
    std::uint8_t data = 0;                         ///< downstream_control, upstream_control
    Intid intid{};                                 ///< set, clear, activate, release, deactivate
    SgiRequest sgi{};                              ///< generate_sgi

    static constexpr StreamPacket set(const Candidate& candidate) {
        StreamPacket packet = about(PacketKind::set, candidate.intid);
        packet.priority = candidate.priority;
        packet.group = candidate.group;
        packet.non_maskable = candidate.non_maskable;
        return packet;
    }
    static constexpr StreamPacket set(Intid id, Priority priority, Group group) {
        return set(Candidate{id, priority, group, false});
    }
    /// Of a set packet.
    [[nodiscard]] constexpr Candidate candidate() const { return {intid, priority, group, non_maskable}; }
    /// A packet that names an INTID and nothing else: clear, activate, release.
    static constexpr StreamPacket about(PacketKind kind, Intid id) {
        StreamPacket packet = plain(kind);
        packet.intid = id;
        return packet;
    }
    static constexpr StreamPacket deactivate(Intid id, GroupSet permitted) {
        StreamPacket packet = about(PacketKind::deactivate, id);
        packet.groups = permitted;
        return packet;
    }
    static constexpr StreamPacket generate_sgi(const SgiRequest& request) {
        StreamPacket packet = plain(PacketKind::generate_sgi);
        packet.sgi = request;
        return packet;
    }
    static constexpr StreamPacket control_packet(PacketKind kind, ControlId id, std::uint8_t data) {
        StreamPacket packet = plain(kind);
        packet.control = id;
        packet.data = data;
        return packet;
    }
    /// A packet without fields: quiesce and the acknowledgements.
    static constexpr StreamPacket plain(PacketKind kind) {
        StreamPacket packet;
        packet.kind = kind;
        return packet;
    }

    [[nodiscard]] constexpr bool downstream() const { return kind < PacketKind::activate; }
    bool operator==(const StreamPacket&) const = default;
};

static_assert(std::is_trivially_copyable_v<StreamPacket> && sizeof(StreamPacket) <= 40);

/// Length on the 16-bit link (GIC-500 TRM, 2.2.5 for the width): one beat of packet ID and short fields, one for an
/// INTID of 16 bits, one for a priority, and the three halfwords of an SGI's target list and affinity. The widths are
/// the fields' own; IHI 0069 Appendix A packs some of them differently.
constexpr unsigned beats(PacketKind kind) {
    switch (kind) {
        case PacketKind::set: return 3;
        case PacketKind::clear:
        case PacketKind::downstream_control:
        case PacketKind::activate:
        case PacketKind::release:
        case PacketKind::deactivate:
        case PacketKind::upstream_control: return 2;
        case PacketKind::generate_sgi: return 4;
        default: return 1;
    }
}

/// What travels over the fabric between Distributors and Redistributors.
struct GicMessage {
    enum class Kind : std::uint8_t {
        sgi_to_distributor,        ///< Redistributor to Distributor: route this
        sgi_between_distributors,  ///< Distributor to Distributor: deliver to the targets that are yours
        sgi_to_redistributor,      ///< Distributor to Redistributor: make it pending if permitted
        group_enables,             ///< Distributor to Redistributor: GICD_CTLR as it is now
        spi_offer,                 ///< Distributor to Redistributor: this SPI is for your PE
        spi_recall,                ///< Distributor to Redistributor: give it back unless it has been activated
        spi_activated,             ///< Redistributor to Distributor: answers the offer
        spi_returned,              ///< Redistributor to Distributor: answers the recall; it is still pending
        spi_deactivate,            ///< Redistributor to Distributor: Deactivate, for the groups permitted
        participation,             ///< Redistributor to Distributor: which SPIs the PE takes
    };
    Kind kind = Kind::sgi_to_distributor;
    GroupSet groups{};             ///< group_enables, spi_deactivate, participation: enabled at the CPU interface
    GroupSet refused{};            ///< participation: no 1-of-N SPIs of these
    bool single_security = false;  ///< group_enables: GICD_CTLR.DS
    bool asleep = false;           ///< participation
    CpuId source{};                ///< sgi_*: the PE that wrote the register; spi_*, participation: the one it is about
    SgiRequest sgi{};              ///< sgi_*
    Candidate spi{};               ///< spi_*; of the last four only the INTID

    static constexpr GicMessage of(Kind kind, const SgiRequest& sgi, CpuId source) {
        GicMessage message;
        message.kind = kind;
        message.sgi = sgi;
        message.source = source;
        return message;
    }
    static constexpr GicMessage enables(GroupSet groups, bool single_security) {
        GicMessage message;
        message.kind = Kind::group_enables;
        message.groups = groups;
        message.single_security = single_security;
        return message;
    }
    static constexpr GicMessage about(Kind kind, const Candidate& spi, CpuId cpu) {
        GicMessage message;
        message.kind = kind;
        message.spi = spi;
        message.source = cpu;
        return message;
    }
    static constexpr GicMessage about(Kind kind, Intid spi, CpuId cpu) {
        return about(kind, Candidate{spi, {}, {}, false}, cpu);
    }
    static constexpr GicMessage deactivate(Intid spi, GroupSet permitted, CpuId cpu) {
        GicMessage message = about(Kind::spi_deactivate, spi, cpu);
        message.groups = permitted;
        return message;
    }
    static constexpr GicMessage participation(GroupSet groups, GroupSet refused, bool asleep, CpuId cpu) {
        GicMessage message;
        message.kind = Kind::participation;
        message.groups = groups;
        message.refused = refused;
        message.asleep = asleep;
        message.source = cpu;
        return message;
    }
    bool operator==(const GicMessage&) const = default;
};

static_assert(std::is_trivially_copyable_v<GicMessage> && sizeof(GicMessage) <= 40);

}  // namespace gicsim

#endif
