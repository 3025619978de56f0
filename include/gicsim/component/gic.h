#ifndef GICSIM_COMPONENT_GIC_H
#define GICSIM_COMPONENT_GIC_H

// The GICv3 for a SystemC model that is not gicsim's own. Installed: C++17.

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES  // tlm_utils::simple_target_socket asks for it
#endif
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "gicsim/arch/pe_state.h"
#include "gicsim/arch/system_register_encoding.h"
#include "gicsim/gic/security_extension.h"

namespace gicsim {

/// The ICC_ registers of one PE, for its MRS and MSR. Each call acts at once and takes no time; it is made with the
/// PeState of the moment. Registers that are not of the physical CPU interface read 0 and ignore writes; knows() tells.
class IccAccess : public virtual sc_core::sc_interface {
public:
    virtual bool knows(std::uint16_t reg) const = 0;
    virtual std::uint64_t read(std::uint16_t reg) = 0;
    virtual void write(std::uint16_t reg, std::uint64_t value) = 0;
    virtual void set_pe(const PeState& pe) = 0;
    /// All earlier writes and acknowledgements have been acknowledged by the GIC: what a DSB waits for.
    virtual bool settled() const = 0;
    virtual const sc_core::sc_event& settled_event() const = 0;
};

/// What there is, and how long it takes.
struct GicSettings {
    std::vector<std::uint64_t> mpidrs;  ///< one PE each; affinity fields as in MPIDR_EL1
    std::vector<unsigned> chips;        ///< by PE, 0 to 63; empty: all on one chip
    std::vector<unsigned> regions;      ///< PEs in each region of redistributor frames (GICR_TYPER.Last); empty: one
    bool single_security = false;       ///< GICD_CTLR.DS fixed to 1
    unsigned priority_bits = 5;         ///< 4 to 8 with one Security state, 5 to 8 with two
    unsigned spis = 64;                 ///< INTIDs from 32 on, 0 to 988
    unsigned extended_spis = 0;         ///< INTIDs from 4096 on, 0 to 1024 in steps of 32
    unsigned extended_ppis = 0;         ///< INTIDs from 1056 on, 0, 32 or 64 a PE
    bool non_maskable = false;          ///< FEAT_GICv3_NMI
    bool one_of_n = true;               ///< SPIs for any one PE that participates
    bool sgi_chip_to_chip = true;       ///< or through chip 0

    /// Blocking transport acts at once instead of waiting out the delay that comes with a transaction, which it then
    /// only adds to: less exact, and no context switch.
    bool loosely_timed = false;
    sc_core::sc_time register_access{50, sc_core::SC_NS};          ///< a frame: access in to answer out
    sc_core::sc_time register_write_pending{200, sc_core::SC_NS};  ///< GICD_CTLR.RWP, GICR_CTLR.RWP
    sc_core::sc_time sleep{500, sc_core::SC_NS};                   ///< a change of GICR_WAKER.ProcessorSleep
    sc_core::sc_time route{10, sc_core::SC_NS};                    ///< Distributor: in to out
    sc_core::sc_time redistributor{5, sc_core::SC_NS};             ///< Redistributor: in to out
    sc_core::sc_time stream_latency{5, sc_core::SC_NS};            ///< Redistributor to CPU interface, one way
    sc_core::sc_time stream_beat{500, sc_core::SC_PS};             ///< one 16-bit beat of that link
    unsigned stream_credits = 4;                                   ///< packets in flight on it, each way
    sc_core::sc_time chip_link{50, sc_core::SC_NS};                ///< between any two chips, one way
};

/// A GICv3: Distributor, Redistributors and CPU interfaces joined by links that take time.
///
/// Blocking and non-blocking (four-phase) transport are served alike: at the instant a transaction arrives, its own
/// delay waited out, on the state of that instant; the frame's latency is annotated. Debug transport reads without side
/// effects. A SecurityExtension says who asks. DMI is refused. Outputs change at their exact time, from a process of
/// the GIC's own. Times are rounded up to the resolution of the simulation.
class Gic : public sc_core::sc_module {
public:
    using Socket = tlm_utils::simple_target_socket_tagged_optional<Gic>;
    using Input = sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    using Output = sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    /// Throws std::invalid_argument for settings that make no GIC, saying which and why.
    Gic(const sc_core::sc_module_name& name, const GicSettings& settings);
    ~Gic() override;

    Socket gicd;                                            ///< 64 KB
    sc_core::sc_vector<Socket> gicr;                        ///< by PE: RD_base at 0, SGI_base at 0x10000
    sc_core::sc_vector<sc_core::sc_export<IccAccess>> icc;  ///< by PE
    sc_core::sc_vector<Input> spi;                          ///< [n] is INTID 32 + n, then the extended ones
    sc_core::sc_vector<sc_core::sc_vector<Input>> ppi;      ///< [pe][n] is INTID 16 + n, then the extended ones
    sc_core::sc_vector<Output> irq;                         ///< by PE
    sc_core::sc_vector<Output> fiq;                         ///< by PE
    sc_core::sc_vector<Output> wake_request;                ///< by PE: it sleeps and an interrupt waits (GICR_WAKER)

    /// What software did that has no effect: accesses to offsets where nothing is, completions of what is not active...
    std::uint64_t ignored_accesses() const;

protected:
    void end_of_elaboration() override;

private:
    struct Parts;

    void transport(int frame, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    tlm::tlm_sync_enum forward(int frame, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay);
    unsigned transport_debug(int frame, tlm::tlm_generic_payload& payload);

    std::unique_ptr<Parts> parts_;
};

}  // namespace gicsim

#endif
