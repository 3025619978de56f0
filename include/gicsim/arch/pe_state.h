#ifndef GICSIM_ARCH_PE_STATE_H
#define GICSIM_ARCH_PE_STATE_H

// Installed: C++17.

#include "gicsim/arch/security.h"

namespace gicsim {

/// What of a PE's state decides about interrupts at its CPU interface (IHI 0069, 4.6.2 and 4.8).
struct PeState {
    Security security = Security::non_secure;  ///< below EL3: of the PE; at EL3: what SCR_EL3.NS selects
    bool el3 = false;                          ///< executes at EL3
    bool scr_el3_fiq = true;  ///< SCR_EL3.FIQ: with two Security states, Group 0 belongs to the Secure side
    bool sctlr_nmi = false;   ///< SCTLR_ELx.NMI: non-maskable interrupts are acknowledged by ICC_NMIAR1_EL1

    static constexpr PeState in(Security state) {
        PeState pe;
        pe.security = state;
        return pe;
    }
};

}  // namespace gicsim

#endif
