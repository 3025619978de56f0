#ifndef GICSIM_MEMORY_DIRECTORY_H
#define GICSIM_MEMORY_DIRECTORY_H

#include <systemc>
#include <vector>

#include "gicsim/memory/address_map.h"
#include "gicsim/memory/directory_state.h"
#include "gicsim/memory/memory_parameters.h"
#include "gicsim/timeline/timeline.h"

namespace gicsim {

/// An L3 slice (the point of coherence of its die for the lines that fall to it: its children are the die's cores, its
/// parent each line's home agent) or a home agent (the point of coherence of the machine: its children are the dies,
/// represented by their slices, and behind it is DRAM).
class Directory : public sc_core::sc_module, public virtual sc_core::sc_interface, public CoherenceSink {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    sc_core::sc_port<CoherenceTransport> transport{"transport"};
    sc_core::sc_port<AddressMap> map{"map"};

    Directory(const sc_core::sc_module_name& name, DirectoryState::Level level) : sc_module(name), level_(level) {}

    /// @param children of an L3 slice: the endpoints of the die's caches, consecutive from `first_child`.
    void reset_slice(const MemoryParameters& parameters, EndpointId self, EndpointId first_child);
    /// @param die_of_endpoint of a home agent: the die of every endpoint, to number its children.
    void reset_home(const MemoryParameters& parameters, EndpointId self, const std::vector<unsigned>* die_of_endpoint);

    void receive(EndpointId from, const CoherenceMessage& message) override;
    bool receive_ahead(EndpointId from, const CoherenceMessage& message, Time arrival) override;

    /// Tells it who holds copies, in no time. Children of a slice are numbered within its die, of a home by die.
    void preset(LineId line, const DirectoryState::Holders& holders);
    /// What the home's memory holds, or null if the line was never there.
    [[nodiscard]] const LineData* memory(LineId line) const;
    /// The child that holds the line exclusively, or -1; for tests.
    [[nodiscard]] int owner(LineId line) const;

private:
    /// A line, and until when what it is busy with lasts where that is known: a grant, until its acknowledgement (which
    /// rides on a channel of its own that never queues); an answer that was handled ahead, until it would have come.
    /// That costs an event only when somebody waits for it.
    struct Tracked {
        DirectoryState state;
        Time settles_at;
        bool settling = false;
        bool awaited = false;
    };

    void reset_common(const MemoryParameters& parameters, EndpointId self);
    [[nodiscard]] unsigned child_of(EndpointId from) const;
    [[nodiscard]] EndpointId endpoint_of(unsigned child, LineId line) const;
    void memory_done(std::uint64_t line);
    void take_answer(Tracked& tracked, EndpointId from, const CoherenceMessage& message, Time at);
    void perform(Tracked& tracked, LineId line, Time ready);
    void settle(Tracked& tracked, LineId line);
    void settled(std::uint64_t line);

    DirectoryState::Level level_;
    LineTable<Tracked> lines_;
    DirectoryState::Effects effects_;
    MemoryParameters parameters_;
    Time lookup_;
    EndpointId self_{};
    EndpointId first_child_{};
    const std::vector<unsigned>* die_of_endpoint_ = nullptr;
};

}  // namespace gicsim

#endif
