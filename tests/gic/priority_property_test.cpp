#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "gic/pe_pair.h"
#include "support/catch.h"

// The running priority against a list of what is active, for every number of priority bits.

using namespace gicsim;
using namespace gicsim::test;
using enum IccRegister;

namespace {

/// Software that acknowledges SGIs of any priority and group, and completes them in order.
class Nesting : public PePair {
public:
    Nesting(unsigned bits, bool single_security) : PePair(parameters(bits, single_security)), bits_(bits) {
        rd_single_security = single_security;
        single_security_ = single_security;
        bring_up();
        msr(ICC_IGRPEN0_EL1, 1, Security::secure);
        msr(ICC_IGRPEN1_EL1, 1, Security::secure);
        msr(ICC_PMR_EL1, 0xFF, Security::secure);
        drain();
        errors_ = cpu.guest_errors();  // bring_up() is for one Security state
    }
    static GicParameters parameters(unsigned bits, bool single_security) {
        GicParameters all;
        all.priority_bits = bits;
        all.single_security = single_security;
        return all;
    }

    void step(unsigned what, unsigned n) {
        switch (what) {
            case 0: msr(ICC_BPR0_EL1, n % 8, Security::secure); break;
            case 1: msr(ICC_BPR1_EL1, n % 8, n % 16 < 8 ? Security::secure : Security::non_secure); break;
            case 2: complete(); break;
            default: take(n % 16, n / 16 % 256, static_cast<Group>(n / 4096 % 3)); break;
        }
        RC_ASSERT(value(cpu.running_priority()) == expected());
    }
    void unwind() {
        while (!active_.empty()) {
            complete();
            RC_ASSERT(value(cpu.running_priority()) == expected());
        }
        RC_ASSERT(cpu.guest_errors() == errors_);
    }

private:
    struct Active {
        unsigned id;
        Group group;
        unsigned priority;  ///< of the group
    };

    void take(unsigned id, unsigned priority, Group group) {
        if (std::any_of(active_.begin(), active_.end(), [&](const Active& each) { return each.id == id; })) return;
        if (group == Group::g1s && single_security_) group = Group::g0;
        write(gicr::igroupr0, group == Group::g1ns ? ~0U : 0);
        write(gicr::igrpmodr0, group == Group::g1s ? ~0U : 0);
        write(gicr::ipriorityr + id, priority, Security::secure, 1);
        write(gicr::ispendr0, 1U << id);
        drain();
        const unsigned implemented = 0xFFU << (8 - bits_) & 0xFF;
        const unsigned stored = priority & implemented;
        const bool pin = cpu.irq() || cpu.fiq();
        const std::uint64_t got = mrs(group == Group::g0 ? ICC_IAR0_EL1 : ICC_IAR1_EL1, state(group));
        const unsigned preempting = stored & mask_of(group);
        // What preempts is better than all that is active, under its own binary point.
        bool better = stored < (0xFFU & implemented_mask());
        for (const Active& each : active_) better = better && preempting < (each.priority & mask_of(group));
        RC_ASSERT((got == id) == better);
        RC_ASSERT(pin == better);
        if (got == id) {
            active_.push_back({id, group, preempting});
        } else {
            RC_ASSERT(got == 1023U);
            write(gicr::icpendr0, 1U << id);
        }
        drain();
    }
    void complete() {
        if (active_.empty()) return;
        const Active last = active_.back();
        active_.pop_back();
        // Its group may have been changed for the others; DIR and EOI look at it as it is now.
        write(gicr::igroupr0, last.group == Group::g1ns ? ~0U : 0);
        write(gicr::igrpmodr0, last.group == Group::g1s ? ~0U : 0);
        msr(last.group == Group::g0 ? ICC_EOIR0_EL1 : ICC_EOIR1_EL1, last.id, state(last.group));
        drain();
        RC_ASSERT((rd.active() >> last.id & 1) == 0U);
    }
    [[nodiscard]] unsigned expected() const {
        unsigned best = 0xFF;
        for (const Active& each : active_) best = std::min(best, each.priority);
        return best;
    }
    static Security state(Group group) { return group == Group::g1ns ? Security::non_secure : Security::secure; }
    /// ICC_PMR_EL1 as 0xFF is stored.
    [[nodiscard]] unsigned implemented_mask() const { return 0xFFU << (8 - bits_) & 0xFF; }
    /// IHI 0069, 4.8.2: the bits that decide, by the binary point that this group uses.
    [[nodiscard]] unsigned mask_of(Group group) const {
        unsigned dropped = 0;
        switch (group) {
            case Group::g0: dropped = static_cast<unsigned>(cpu.peek(ICC_BPR0_EL1, Security::secure)) + 1; break;
            case Group::g1s: dropped = static_cast<unsigned>(cpu.peek(ICC_BPR1_EL1, Security::secure)) + 1; break;
            case Group::g1ns: dropped = static_cast<unsigned>(cpu.peek(ICC_BPR1_EL1, Security::non_secure)); break;
        }
        return 0xFFU << dropped & 0xFF;
    }

    unsigned bits_;
    bool single_security_ = false;
    std::uint64_t errors_ = 0;
    std::vector<Active> active_;
};

}  // namespace

TEST_CASE("The running priority is the best group priority that is active, for 4 to 8 bits of priority") {
    for (const bool single_security : {true, false}) {
        for (unsigned bits = single_security ? 4 : 5; bits <= 8; ++bits) {
            const bool passed = rc::check("nested interrupts of any group, priority and binary point", [&] {
                Nesting pe(bits, single_security);
                const auto steps = *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(
                    rc::gen::pair(rc::gen::inRange(0U, 9U), rc::gen::inRange(0U, 3U << 12)));
                for (const auto& [what, n] : steps) pe.step(what, n);
                pe.unwind();
            });
            CHECK(passed);
        }
    }
}
