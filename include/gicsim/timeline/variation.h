#ifndef GICSIM_TIMELINE_VARIATION_H
#define GICSIM_TIMELINE_VARIATION_H

#include <cstdint>
#include <systemc>

#include "gicsim/arch/time.h"

namespace gicsim {

/// What may take longer than its least time, for reasons that are not modelled: other traffic, refresh, arbitration.
enum class Varying : std::uint8_t {
    coherence_message,
    gic_message,
    stream_packet,  ///< between a Redistributor and its CPU interface
    store_drain,    ///< a store in the buffer, until the port takes it up
    load_issue,     ///< a load that has been dispatched, until the cache is looked at
    instruction,    ///< any other instruction, before it is dispatched
};

/// Says how much longer. One a platform; without a source nothing ever takes longer, and nobody is asked.
class Variation : public sc_core::sc_module, public virtual sc_core::sc_interface {
public:
    class Source {
    public:
        virtual ~Source() = default;
        virtual Time delay(Varying what) = 0;
    };

    explicit Variation(const sc_core::sc_module_name& name) : sc_module(name) {}

    /// @param source outlives its use; null for none.
    void set_source(Source* source) { source_ = source; }
    [[nodiscard]] bool active() const { return source_ != nullptr; }
    [[nodiscard]] Time delay(Varying what) const { return source_ == nullptr ? Time{} : source_->delay(what); }

private:
    Source* source_ = nullptr;
};

/// A port of a module that may be left unbound.
using VariationPort = sc_core::sc_port<Variation, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

}  // namespace gicsim

#endif
