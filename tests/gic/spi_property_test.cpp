#include <rapidcheck.h>

#include <array>
#include <utility>
#include <vector>

#include "gic/spi_board.h"

using namespace gicsim;
using namespace gicsim::test;
using R = IccRegister;

namespace {

/// Software and devices do things to four SPIs in any order while messages are under way in any order.
class AnyOrder : public Board {
public:
    AnyOrder() {
        for (unsigned n = 40; n < 44; ++n) {
            edge(n);
            enable(n);
            route(n, n == 43 ? gicd::irm : four()[n - 40].mpidr());
        }
        hold();
    }
    void step(unsigned what, unsigned n) {
        const unsigned spi = 40 + n % 4;
        const unsigned cpu = n / 4 % 4;
        switch (what % 12) {
            case 0: raise(spi); break;
            case 1: take(cpu); break;
            case 2: complete(cpu); break;
            case 3: gicd((n & 16) != 0 ? gicd::isenabler + 4 : gicd::icenabler + 4, 1U << (spi - 32)); break;
            case 4: route(spi, (n & 16) != 0 ? gicd::irm : four()[n / 32 % 4].mpidr()); break;
            case 5: priority(spi, n % 31 << 3); break;
            case 6: write_icc(cpu_id(cpu), R::ICC_IGRPEN1_EL1, n >> 6 & 1, non_secure); break;
            case 7: sleep(cpu, (n & 64) != 0); break;
            default: deliver(n); break;
        }
        check();
    }
    /// Everything is set right and handled; nothing may be left, and what was raised was taken.
    void finish() {
        for (unsigned cpu = 0; cpu < 4; ++cpu) {
            while (complete(cpu)) {
            }
            sleep(cpu, false);
            settle();
            write_icc(cpu_id(cpu), R::ICC_IGRPEN1_EL1, 1, non_secure);
        }
        for (unsigned n = 40; n < 44; ++n) enable(n);
        settle();
        for (unsigned round = 0; round < 40; ++round) {
            for (unsigned cpu = 0; cpu < 4; ++cpu) {
                if (!take(cpu)) continue;
                settle();
                complete(cpu);
                settle();
            }
        }
        for (unsigned n = 40; n < 44; ++n) {
            RC_ASSERT(!waiting_[n - 40]);
            RC_ASSERT(!bit(gicd::ispendr, n));
            RC_ASSERT(!bit(gicd::isactiver, n));
        }
        RC_ASSERT(protocol_errors() == 0U);
    }

private:
    void raise(unsigned spi) {
        // An edge that comes before the Activate of the one before has arrived merges with it.
        const bool merges = bit(gicd::ispendr, spi);
        line(spi, true);
        line(spi, false);
        if (!merges) waiting_[spi - 40] = true;
    }
    bool take(unsigned cpu) {
        const std::uint64_t id = iar(cpu);
        if (id >= 1020) return false;
        RC_ASSERT(id >= 40U && id < 44U);
        RC_ASSERT(waiting_[id - 40]);   // not taken twice
        RC_ASSERT(!held_by_[id - 40]);  // one PE at a time
        waiting_[id - 40] = false;
        held_by_[id - 40] = true;
        stacks_[cpu].push_back(id);
        return true;
    }
    bool complete(unsigned cpu) {
        if (stacks_[cpu].empty()) return false;
        const std::uint64_t id = stacks_[cpu].back();
        stacks_[cpu].pop_back();
        // The Activate has to be there before another PE may have it, and before a new edge counts as new.
        held_by_[id - 40] = false;
        eoi(cpu, id);
        return true;
    }
    void sleep(unsigned cpu, bool asleep) {
        if (asleep) write_icc(cpu_id(cpu), R::ICC_IGRPEN1_EL1, 0, non_secure);
        write_gicr(cpu_id(cpu), 0x14, asleep ? 2 : 0, 4, secure);
    }
    void check() {
        for (unsigned cpu = 0; cpu < 4; ++cpu) {
            const std::uint64_t running = read_icc(cpu_id(cpu), R::ICC_RPR_EL1, non_secure);
            RC_ASSERT((running == 0xFF) == stacks_[cpu].empty());
        }
    }
    std::array<bool, 4> waiting_{};
    std::array<bool, 4> held_by_{};
    std::array<std::vector<std::uint64_t>, 4> stacks_;
};

}  // namespace

TEST_CASE("SPI 18. No SPI is lost, doubled or taken by two PEs, whatever the order of things") {
    const bool passed = rc::check("any interleaving of SPIs", [] {
        AnyOrder gic;
        const auto steps = *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(
            rc::gen::pair(rc::gen::inRange(0U, 12U), rc::gen::inRange(0U, 1U << 12)));
        for (const auto& [what, n] : steps) gic.step(what, n);
        gic.finish();
    });
    CHECK(passed);
}
