#ifndef GICSIM_GIC_SPI_BANK_H
#define GICSIM_GIC_SPI_BANK_H

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "gicsim/gic/gic_packets.h"
#include "gicsim/gic/gic_parameters.h"
#include "gicsim/gic/interrupt_file.h"

namespace gicsim {

/// A message for the Redistributor of a PE.
struct SpiMessage {
    CpuId to{};
    GicMessage message;
};
using SpiMessages = boost::container::small_vector<SpiMessage, 4>;

/// The SPIs of a Distributor: their state, and which of them is offered to which PE. A PE has at most one offer
/// outstanding, an SPI is offered to at most one PE; an offer ends by spi_activated or by spi_returned. After
/// every change of an input, place() finds a PE for what has become signalable and best_for() an SPI for who has become
/// free; both go by Candidate::rank() and may_take(). No time.
class SpiBank {
public:
    /// Slots 0 to 1023 are the INTIDs 0 to 1023 (those of no SPI are not implemented), the others extended SPIs.
    using File = InterruptFile<64>;
    static constexpr unsigned first_extended_word = 32;

    /// @param affinities by CpuId
    explicit SpiBank(std::span<const Affinity> affinities);
    void reset(const GicParameters& parameters);

    [[nodiscard]] static std::optional<unsigned> slot_of(Intid id);
    [[nodiscard]] static Intid intid_of(unsigned slot);

    /// For reading, and for writing followed by word_changed().
    [[nodiscard]] const File& file() const { return file_; }
    [[nodiscard]] File& file() { return file_; }

    // Inputs.
    void word_changed(unsigned w, SpiMessages& out);
    void set_groups(GroupSet groups, bool single_security, SpiMessages& out);
    void set_e1nwf(bool e1nwf, SpiMessages& out);
    void set_line(Intid id, bool level, SpiMessages& out);
    void set_message(Intid id, bool level, SpiMessages& out);
    void receive(const GicMessage& message, SpiMessages& out);
    [[nodiscard]] std::uint64_t route(unsigned slot) const { return routes_[slot]; }
    void set_route(unsigned slot, std::uint64_t value, SpiMessages& out);

    /// Recalls that have not been answered yet: what GICD_CTLR.RWP waits for.
    [[nodiscard]] unsigned recalls_unanswered() const { return recalls_unanswered_; }
    /// Recalls that have been answered since the reset.
    [[nodiscard]] std::uint64_t recalls_answered() const { return recalls_answered_; }
    [[nodiscard]] std::optional<Intid> offered_to(CpuId cpu) const;
    [[nodiscard]] std::uint64_t protocol_errors() const { return protocol_errors_; }

private:
    static constexpr std::uint32_t nobody = ~0U;

    struct Pe {
        std::optional<Candidate> offer;
        bool recalled = false;
        GroupSet groups;   ///< enabled at its CPU interface
        GroupSet refused;  ///< takes no 1-of-N SPIs of these
        bool asleep = true;
    };

    [[nodiscard]] Candidate candidate(unsigned slot) const;
    [[nodiscard]] bool any_one(unsigned slot) const;
    [[nodiscard]] bool may_take(const Pe& pe, std::uint32_t n, unsigned slot) const;
    [[nodiscard]] std::uint32_t choose(const Candidate& spi, unsigned slot);
    [[nodiscard]] std::uint32_t target_of(std::uint64_t route) const;
    [[nodiscard]] std::optional<unsigned> best_for(std::uint32_t n) const;
    void place(unsigned slot, SpiMessages& out);
    void fill(std::uint32_t n, SpiMessages& out);
    void offer(std::uint32_t n, unsigned slot, SpiMessages& out);
    void recall(std::uint32_t n, SpiMessages& out);
    void end_offer(const GicMessage& message, SpiMessages& out);

    std::map<std::uint32_t, std::uint32_t> cpu_of_affinity_;
    std::vector<Pe> pes_;
    File file_;
    GroupSet groups_;
    bool one_of_n_ = false;
    bool e1nwf_ = false;
    std::vector<std::uint64_t> routes_;           ///< GICD_IROUTER<n>, by slot
    std::vector<std::uint32_t> targets_;          ///< the CpuId that the affinity of the route names, or nobody
    std::vector<std::uint32_t> offered_to_;       ///< by slot
    std::array<std::uint32_t, 64> offered_{};     ///< a bit a slot: an offer is outstanding
    std::array<std::uint32_t, 64> signalable_{};  ///< as of the last change
    std::uint64_t words_signalable_ = 0;          ///< a bit a word: some slot is
    std::uint32_t next_choice_ = 0;               ///< where the search for a 1-of-N target starts
    unsigned recalls_unanswered_ = 0;
    std::uint64_t recalls_answered_ = 0;
    std::uint64_t protocol_errors_ = 0;
};

}  // namespace gicsim

#endif
