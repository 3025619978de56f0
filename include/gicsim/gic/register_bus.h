#ifndef GICSIM_GIC_REGISTER_BUS_H
#define GICSIM_GIC_REGISTER_BUS_H

#include <tlm>

#include "gicsim/arch/gic.h"
#include "gicsim/arch/time.h"
#include "gicsim/gic/register_table.h"
#include "gicsim/gic/security_extension.h"

namespace gicsim {

/// What a register frame does for a transaction that asks for it.
class RegisterAccessor {
public:
    virtual ~RegisterAccessor() = default;
    virtual AccessResult read_register(std::uint32_t offset, unsigned size, Security security) = 0;
    virtual AccessStatus write_register(std::uint32_t offset, std::uint64_t value, unsigned size,
                                        Security security) = 0;
    [[nodiscard]] virtual AccessResult peek_register(std::uint32_t offset, unsigned size, Security security) const = 0;
};

/// Serves a transaction at this instant, sets its response status, and adds the frame's latency to `delay`. A
/// transaction that comes with a delay is refused (TLM_GENERIC_ERROR_RESPONSE): its initiator, or a bridge before this
/// socket, waits the delay out first, because the frame acts on the state of the instant.
void serve(RegisterAccessor& frame, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
           const sc_core::sc_time& latency);
/// Reads without side effects; debug writes are refused. Returns the bytes transferred.
unsigned serve_debug(const RegisterAccessor& frame, tlm::tlm_generic_payload& payload);

}  // namespace gicsim

#endif
