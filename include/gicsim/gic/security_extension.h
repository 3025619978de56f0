#ifndef GICSIM_GIC_SECURITY_EXTENSION_H
#define GICSIM_GIC_SECURITY_EXTENSION_H

// Installed: C++17.

#include <tlm>

#include "gicsim/arch/security.h"

namespace gicsim {

/// Carries the security attribute of a transaction (AxPROT[1]). A transaction without it is Non-secure.
class SecurityExtension : public tlm::tlm_extension<SecurityExtension> {
public:
    explicit SecurityExtension(Security value = Security::non_secure) : security(value) {}
    tlm::tlm_extension_base* clone() const override { return new SecurityExtension(security); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        security = static_cast<const SecurityExtension&>(other).security;
    }

    Security security;
};

}  // namespace gicsim

#endif
