#ifndef GICSIM_MEMORY_ADDRESS_MAP_H
#define GICSIM_MEMORY_ADDRESS_MAP_H

#include <cstdint>
#include <systemc>
#include <vector>

#include "gicsim/fabric/transport.h"
#include "gicsim/memory/line.h"

namespace gicsim {

/// Which lines of Normal memory there are, and who is responsible for each: its home agent, on the die whose memory
/// holds it (NUMA policy), and in every die the L3 slice it falls to (interleaving by physical address).
class AddressMap : public sc_core::sc_module, public virtual sc_core::sc_interface {
public:
    explicit AddressMap(const sc_core::sc_module_name& name) : sc_module(name) {}

    /// What one die has, as endpoints of the coherence transport.
    struct Die {
        std::vector<EndpointId> l3_slices;
        std::vector<EndpointId> home_agents;
    };

    void reset(std::vector<Die> dies) {
        dies_ = std::move(dies);
        lines_.clear();
    }

    /// A new line in the memory of `die` (also its NUMA node), at the physical line address `address` (bytes, the low
    /// six bits are ignored; only the position within the die's memory counts). All its words are zero.
    LineId allocate(unsigned die, std::uint64_t address) {
        const std::uint32_t hash = interleave(address);
        const auto& agents = dies_[die].home_agents;
        lines_.push_back({hash, agents[(hash >> 16) % agents.size()]});
        return line_id(lines_.size() - 1);
    }

    [[nodiscard]] EndpointId slice_of(unsigned die, LineId line) const {
        const auto& slices = dies_[die].l3_slices;
        return slices[lines_[index(line)].hash % static_cast<std::uint32_t>(slices.size())];
    }
    [[nodiscard]] EndpointId home_of(LineId line) const { return lines_[index(line)].home; }

private:
    /// Interconnects fold many address bits into the choice of a slice, so that no stride favours one. The finaliser of
    /// SplitMix64 does the same; the fold that Kunpeng 920 uses is not published.
    static std::uint32_t interleave(std::uint64_t address) {
        std::uint64_t x = (address >> 6) + 0x9E3779B97F4A7C15U;
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
        x = (x ^ x >> 27) * 0x94D049BB133111EBU;
        return static_cast<std::uint32_t>((x ^ x >> 31) >> 16);
    }

    std::vector<Die> dies_;
    /// A few bytes a line: a table by line and die would leave the host's caches on machines of many dies.
    struct Line {
        std::uint32_t hash;
        EndpointId home;
    };
    std::vector<Line> lines_;
};

}  // namespace gicsim

#endif
