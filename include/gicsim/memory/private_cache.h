#ifndef GICSIM_MEMORY_PRIVATE_CACHE_H
#define GICSIM_MEMORY_PRIVATE_CACHE_H

#include <systemc>

#include "gicsim/memory/address_map.h"
#include "gicsim/memory/coherence_message.h"
#include "gicsim/memory/memory_parameters.h"
#include "gicsim/memory/private_cache_state.h"
#include "gicsim/timeline/timeline.h"

namespace gicsim {

/// What a core lets its cache tell it.
class CacheClient : public virtual sc_core::sc_interface {
public:
    /// A line that was asked for has arrived; it is held until this returns and the deferred calls have run.
    virtual void line_filled(LineId line) = 0;
    /// A snoop is about to be answered: stores that the core's buffer has already let go must be in the cache now.
    virtual void before_snoop(LineId line) = 0;
    /// The copy was given up (invalidated) or is shared from now on.
    virtual void line_snooped(LineId line, bool invalidated) = 0;
    /// The point of coherence has confirmed a line.
    virtual void line_confirmed(LineId line) = 0;
};

/// The caches of one core (L1 and L2 as one): what the core reads and writes, and its side of the coherence protocol.
/// Capacity is not modelled: the working sets of the workloads fit (docs/timing-model.md).
class PrivateCache : public sc_core::sc_module, public virtual sc_core::sc_interface, public CoherenceSink {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    sc_core::sc_port<CoherenceTransport> transport{"transport"};
    sc_core::sc_port<AddressMap> map{"map"};
    sc_core::sc_port<CacheClient> client{"client"};

    explicit PrivateCache(const sc_core::sc_module_name& name) : sc_module(name) {}

    void reset(const MemoryParameters& parameters, EndpointId self, unsigned die);

    [[nodiscard]] bool readable(LineId line) const { return state_.readable(line); }
    [[nodiscard]] bool writable(LineId line) const { return state_.writable(line); }
    [[nodiscard]] bool requested(LineId line) const { return state_.requested(line); }
    /// Of a readable line.
    [[nodiscard]] Word read(Location location) const { return state_.read(location); }
    /// Of a writable line.
    void write(Location location, Word value) { state_.write(location, value); }
    /// Asks for a copy, or for the only copy. Does nothing while an earlier request for the line is under way.
    void request(LineId line, bool exclusive);
    /// Asks the point of coherence of the core's die to confirm a line, the message leaving at `departure`.
    void confirm(LineId line, Time departure);

    void receive(EndpointId from, const CoherenceMessage& message) override;

    /// Puts a copy there, or takes it away, in no time; nothing of the line is under way, and the directories are told
    /// the same.
    void preset(LineId line, PrivateCacheState::Mesi mesi, const LineData& data) { state_.preset(line, mesi, data); }

    /// Arrival of a line until the waiting instruction has it.
    [[nodiscard]] Time fill_time() const { return parameters_.fill; }

private:
    void answer_snoop(const CoherenceMessage& message);
    void drop_late(std::uint64_t line);  ///< of a mutant

    PrivateCacheState state_;
    MemoryParameters parameters_;
    EndpointId self_{};
    unsigned die_ = 0;
};

}  // namespace gicsim

#endif
