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

    Directory(const sc_core::sc_module_name& name, DirectoryState::Level level)
        : sc_module(name), level_(level), state_(level) {}

    /// @param children of an L3 slice: the endpoints of the die's caches, consecutive from `first_child`.
    void reset_slice(const MemoryParameters& parameters, EndpointId self, EndpointId first_child);
    /// @param die_of_endpoint of a home agent: the die of every endpoint, to number its children.
    void reset_home(const MemoryParameters& parameters, EndpointId self, const std::vector<unsigned>* die_of_endpoint);

    void receive(EndpointId from, const CoherenceMessage& message) override;

    [[nodiscard]] const DirectoryState& state() const { return state_; }

private:
    void reset_common(const MemoryParameters& parameters, EndpointId self);
    [[nodiscard]] unsigned child_of(EndpointId from) const;
    [[nodiscard]] EndpointId endpoint_of(unsigned child, LineId line) const;
    void memory_done(std::uint64_t line);
    void perform(LineId line, Time lookup);
    void settle(LineId line);
    void acknowledge(std::uint64_t line);

    DirectoryState::Level level_;
    DirectoryState state_;
    DirectoryState::Effects effects_;
    /// When the acknowledgement of a line's last grant arrives. It rides on a channel of its own, which never queues,
    /// so its arrival is known in advance and costs an event only when somebody waits for it.
    struct Acknowledgement {
        Time at;
        bool outstanding = false;
        bool awaited = false;
    };
    LineTable<Acknowledgement> acknowledgements_;
    MemoryParameters parameters_;
    EndpointId self_{};
    EndpointId first_child_{};
    const std::vector<unsigned>* die_of_endpoint_ = nullptr;
};

}  // namespace gicsim

#endif
