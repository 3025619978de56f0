#include <rapidcheck.h>

#include <vector>

#include "gic/pe_pair.h"
#include "support/catch.h"

using namespace gicsim;
using namespace gicsim::test;

namespace {

/// One PE whose program, whose senders and whose links do things in any order.
class RandomPe : public PePair {
public:
    explicit RandomPe(bool split) : split_(split) {
        bring_up();
        if (split_) msr(IccRegister::ICC_CTLR_EL1, 1 << 1);
        drain();
    }

    void step(unsigned what, unsigned n) {
        const unsigned id = n % 4;
        switch (what % 14) {
            case 0:
            case 1: send_sgi(sgi(id)); break;
            case 2:
            case 3: deliver_down(); break;
            case 4:
            case 5: deliver_up(); break;
            case 6: acknowledge(); break;
            case 7: complete(); break;
            case 8: deactivate(); break;
            case 9: write(n % 8 < 4 ? gicr::isenabler0 : gicr::icenabler0, 1U << id); break;
            case 10: msr(IccRegister::ICC_IGRPEN1_EL1, n & 1); break;
            case 11: write(gicr::ipriorityr + id, (n & 0x1F) << 3, Security::secure, 1); break;
            case 12: msr(IccRegister::ICC_PMR_EL1, n & 0xF8); break;
            case 13: odd_step(n); break;
        }
        check();
    }

    /// Software sets everything right again and handles what there is.
    void settle() {
        msr(IccRegister::ICC_CTLR_EL1, split_ ? 1 << 1 : 0);
        msr(IccRegister::ICC_PMR_EL1, 0xFF);
        msr(IccRegister::ICC_IGRPEN1_EL1, 1);
        write(gicr::isenabler0, ~0U);
        for (unsigned n = 0; n < 4; ++n) write(gicr::ipriorityr + n, 0x40 + 8 * n, Security::secure, 1);
        groups(GroupSet::all());
        write(gicr::waker, 0);
        for (unsigned round = 0; round < 400; ++round) {
            power_done();
            drain();
            if (!acknowledge()) complete();
            deactivate();
            check();
        }
    }

    void require_all_handled() {
        RC_ASSERT(running_.empty());
        RC_ASSERT(dropped_.empty());
        RC_ASSERT(rd.pending() == 0U);
        RC_ASSERT(rd.active() == 0U);
        RC_ASSERT(rd.sets().empty());
        RC_ASSERT(sets_sent == sets_ended);
        RC_ASSERT(acknowledged_ == pended);
        RC_ASSERT(cpu.upstream_idle());
        RC_ASSERT(!cpu.irq());
    }

private:
    void odd_step(unsigned n) {
        switch (n % 5) {
            case 0: groups(n % 2 == 0 ? GroupSet{} : GroupSet::all()); break;
            case 1: msr(IccRegister::ICC_CTLR_EL1, (split_ ? 1U << 1 : 0U) | (n & 0x40)); break;  // PMHE
            case 2: write(gicr::waker, 0b10); break;
            case 3: write(gicr::waker, 0); break;
            case 4: power_done(); break;
        }
    }
    bool acknowledge() {
        const bool pin = cpu.irq();
        const auto id = static_cast<unsigned>(mrs(IccRegister::ICC_IAR1_EL1));
        RC_ASSERT(pin == (id != 1023U));
        if (id == 1023) return false;
        // Never what is still active.
        for (const unsigned other : running_) RC_ASSERT(other != id);
        for (const unsigned other : dropped_) RC_ASSERT(other != id);
        running_.push_back(id);
        ++acknowledged_[id];
        return true;
    }
    void complete() {
        if (running_.empty()) return;
        msr(IccRegister::ICC_EOIR1_EL1, running_.back());
        if (split_) dropped_.push_back(running_.back());
        running_.pop_back();
    }
    void deactivate() {
        if (dropped_.empty()) return;
        msr(IccRegister::ICC_DIR_EL1, dropped_.front());
        dropped_.erase(dropped_.begin());
    }
    void check() {
        RC_ASSERT(rd.sets().size() <= SetWindow::capacity);
        RC_ASSERT(sets_sent - sets_ended == rd.sets().size());
        RC_ASSERT(rd.protocol_errors() == 0U);
        RC_ASSERT(cpu.protocol_errors() == 0U);
        RC_ASSERT(cpu.guest_errors() == 0U);
    }

    bool split_;
    std::vector<unsigned> running_;
    std::vector<unsigned> dropped_;
    std::array<unsigned, 16> acknowledged_{};
};

}  // namespace

TEST_CASE("Stream 1. No SGI is lost or doubled and every Set ends once, whatever crosses on the link") {
    const bool held = rc::check("random interleavings", [](bool split) {
        const auto steps = *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(
            rc::gen::pair(rc::gen::inRange(0U, 14U), rc::gen::inRange(0U, 256U)));
        RandomPe pe(split);
        for (const auto& [what, n] : steps) pe.step(what, n);
        pe.settle();
        pe.require_all_handled();
    });
    REQUIRE(held);
}

TEST_CASE("Stream 2. The same holds for long runs") {
    std::uint32_t seed = 1;
    const auto next = [&] { return seed = seed * 1664525 + 1013904223, seed >> 16; };
    for (unsigned run = 0; run < 300; ++run) {
        RandomPe pe(run % 2 == 1);
        for (unsigned i = 0; i < 1000; ++i) {
            const unsigned what = next();
            pe.step(what, next());
        }
        pe.settle();
        pe.require_all_handled();
    }
}
