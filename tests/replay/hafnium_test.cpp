#include "replay/software.h"
#include "support/catch.h"

// What TF-Hafnium's test/vmapi/arch/aarch64/gicv3 expects of a GICv3.

using namespace gicsim;
using namespace gicsim::test;
using enum IccRegister;

namespace {

struct Vm : Software {
    explicit Vm(bool single_security) : Software(with_spis(224, single_security), 1, 2) {
        firmware();
        gicd(gicd::ctlr, 0x12);
        for (unsigned cpu = 0; cpu < 2; ++cpu) {
            gicr(cpu, gicr::igroupr0, ~0U);
            msr(cpu, ICC_IGRPEN1_EL1, 1);
        }
    }
    void require_nothing_pending_or_active() {
        for (const std::uint32_t array : {gicd::ispendr, gicd::isactiver}) {
            CHECK(gicd_read(array) == 0);
            CHECK(gicr_read(0, 0x10000 + array) == 0);
        }
    }
};

}  // namespace

TEST_CASE("Replay: system register access is on for good, and CTLR registers have what the set-up gave them") {
    Vm vm(false);
    CHECK(vm.mrs(0, ICC_SRE_EL1) == 7);
    vm.msr(0, ICC_SRE_EL1, 0);
    CHECK(vm.mrs(0, ICC_SRE_EL1) == 7);
    CHECK((vm.gicd_read(gicd::ctlr) & 0x13) == 0x12);
    CHECK((vm.mrs(0, ICC_CTLR_EL1) & 0xFF) == 0);
}

TEST_CASE("Replay: an enabled SGI to oneself passes and leaves nothing pending or active, also in GICD's word 0") {
    Vm vm(GENERATE(true, false));
    vm.msr(0, ICC_PMR_EL1, 0xFF);
    vm.gicr(0, gicr::ipriorityr + 3, 0x80, 1);
    vm.gicr(0, gicr::isenabler0, ~0U);
    vm.require_nothing_pending_or_active();
    vm.msr(0, ICC_SGI1R_EL1, sgi1r(3, vm.affinity(0), 1));
    const unsigned taken = vm.take_interrupts([&](unsigned cpu) {
        CHECK(cpu == 0);
        CHECK(vm.iar(cpu) == 3);
        vm.eoi(cpu, 3);
    });
    CHECK(taken == 1);
    vm.require_nothing_pending_or_active();
}

TEST_CASE("Replay: a disabled SGI stays pending and is not taken") {
    Vm vm(GENERATE(true, false));
    vm.msr(0, ICC_PMR_EL1, 0xFF);
    vm.gicr(0, gicr::ipriorityr + 3, 0x80, 1);
    vm.gicr(0, gicr::icenabler0, 1U << 3);
    vm.msr(0, ICC_SGI1R_EL1, sgi1r(3, vm.affinity(0), 1));
    CHECK(vm.take_interrupts([](unsigned) {}) == 0);
    CHECK(vm.gicr_read(0, gicr::ispendr0) == 1U << 3);
    CHECK(vm.gicr_read(0, gicr::isactiver0) == 0);
}

TEST_CASE("Replay: an SGI that waited behind PSTATE.I is taken when it is unmasked") {
    Vm vm(GENERATE(true, false));
    vm.msr(1, ICC_PMR_EL1, 0xFF);
    vm.gicr(1, gicr::isenabler0, 1U << 1);
    vm.mask(1, true);
    vm.msr(0, ICC_SGI1R_EL1, sgi1r(1, vm.affinity(1), 0b10));
    CHECK(vm.irq(CpuId{1}));  // what takes the CPU back to the hypervisor
    CHECK(vm.take_interrupts([](unsigned) {}) == 0);
    vm.mask(1, false);
    const auto handler = [&](unsigned cpu) { vm.eoi(cpu, vm.iar(cpu)); };
    CHECK(vm.take_interrupts(handler) == 1);
    CHECK(vm.take_interrupts(handler) == 0);
    CHECK(vm.gicr_read(1, gicr::ispendr0) == 0);
    CHECK(vm.mrs(1, ICC_RPR_EL1) == 0xFF);
}
