#include "replay/software.h"

#include "support/catch.h"

namespace gicsim::test {

void Software::must_be_ok(AccessStatus status) {
    REQUIRE(status == AccessStatus::ok);
}

void Software::firmware() {
    using enum IccRegister;
    if (two_security_states_) {
        run_in(Security::secure);
        gicd(gicd::ctlr, 0b11'0000);
        for (unsigned w = 1; w < 32; ++w) gicd(gicd::igroupr + 4 * w, ~0U);
        for (unsigned w = 0; w < 32; ++w) gicd(gicd::igroupr_e + 4 * w, ~0U);
        gicd(gicd::ctlr, 0b11'0111);
    }
    for (unsigned n = 0; n < cpus(); ++n) {
        gicr(n, gicr::waker, 0);
        REQUIRE((gicr_read(n, gicr::waker) & 4) == 0);
        if (!two_security_states_) continue;
        for (unsigned w = 0; w < 3; ++w) gicr(n, gicr::igroupr0 + 4 * w, ~0U);
        msr(n, ICC_PMR_EL1, 0xFF);
        msr(n, ICC_IGRPEN0_EL1, 1);
        msr(n, ICC_IGRPEN1_EL1, 1);
    }
    run_in(Security::non_secure);
}

}  // namespace gicsim::test
