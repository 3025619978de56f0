#include "gic/pe_pair.h"
#include "support/catch.h"

using namespace gicsim;
using namespace gicsim::test;

namespace {

constexpr auto secure = Security::secure;
constexpr auto non_secure = Security::non_secure;

/// Two Security states; SGIs 0 to 7 and PPIs 16 to 23 are Non-secure Group 1, SGI 8 is Secure Group 1, the rest Group
/// 0.
struct TwoStates : PePair {
    TwoStates() : PePair(GicParameters{}) {
        rd_single_security = false;
        write(gicr::igroupr0, 0x00FF'00FF);
        write(gicr::igrpmodr0, 1U << 8);
    }
};

}  // namespace

TEST_CASE("Redistributor registers 1. GICR_TYPER holds affinity, number and Last, and reads in halves") {
    const RedistributorState rd(GicParameters{}, CpuId{5}, Affinity{1, 2, 3, 4}, true);
    CHECK(rd.peek(gicr::typer, 8, non_secure).value == 0x0102'0304'0000'0510);
    CHECK(rd.peek(gicr::typer, 4, non_secure).value == 0x0000'0510);
    CHECK(rd.peek(gicr::typer + 4, 4, non_secure).value == 0x0102'0304);
    const RedistributorState other(GicParameters{}, CpuId{5}, Affinity{}, false);
    CHECK((other.peek(gicr::typer, 8, non_secure).value & 0x10) == 0);
    CHECK(rd.peek(0xFFE8, 4, non_secure).value >> 4 == 3);
}

TEST_CASE("Redistributor registers 2. Non-secure accesses see and change Non-secure interrupts only") {
    TwoStates pe;
    for (const std::uint32_t set : {gicr::isenabler0, gicr::ispendr0, gicr::isactiver0}) {
        const std::uint32_t clear = set + 0x80;
        CAPTURE(set);
        pe.write(set, ~0U, non_secure);
        CHECK(pe.read(set, secure) == 0x00FF'00FF);
        pe.write(set, ~0U, secure);
        CHECK(pe.read(set, secure) == 0xFFFF'FFFF);
        CHECK(pe.read(set, non_secure) == 0x00FF'00FF);
        CHECK(pe.read(clear, non_secure) == 0x00FF'00FF);
        pe.write(clear, ~0U, non_secure);
        CHECK(pe.read(clear, secure) == 0xFF00'FF00);
        pe.write(clear, ~0U, secure);
        CHECK(pe.read(set, secure) == 0);
    }
}

TEST_CASE(
    "Redistributor registers 3. Grouping, NSACR and WAKER are RAZ/WI to Non-secure accesses with two Security states") {
    TwoStates pe;
    for (const std::uint32_t offset : {gicr::igroupr0, gicr::igrpmodr0, gicr::nsacr, gicr::waker}) {
        CAPTURE(offset);
        pe.write(gicr::nsacr, 0x5, secure);
        const std::uint64_t before = pe.read(offset, secure);
        CHECK(before != 0);
        CHECK(pe.read(offset, non_secure) == 0);
        CHECK(pe.write(offset, ~before, non_secure) == AccessStatus::ok);
        CHECK(pe.read(offset, secure) == before);
    }
    CHECK(pe.rd.unimplemented_accesses() == 0);
}

TEST_CASE(
    "Redistributor registers 4. With one Security state the security of an access does not matter, and IGRPMODR0 and "
    "NSACR are RES0") {
    PePair pe;
    pe.write(gicr::igroupr0, 0x5, non_secure);
    CHECK(pe.read(gicr::igroupr0, non_secure) == 0x5);
    pe.write(gicr::isenabler0, ~0U, non_secure);
    CHECK(pe.read(gicr::isenabler0, secure) == 0xFFFF'FFFF);
    pe.write(gicr::igrpmodr0, ~0U);
    pe.write(gicr::nsacr, ~0U);
    CHECK(pe.read(gicr::igrpmodr0) == 0);
    CHECK(pe.read(gicr::nsacr) == 0);
    pe.write(gicr::waker, 0, non_secure);
    CHECK(pe.read(gicr::waker, non_secure) == 0b100);
}

TEST_CASE("Redistributor registers 5. Priorities are byte-lane exact and keep their implemented bits only") {
    PePair pe;
    pe.write(gicr::ipriorityr, 0x1122'3344);
    CHECK(pe.read(gicr::ipriorityr) == 0x1020'3040);
    pe.write(gicr::ipriorityr + 2, 0xFF, secure, 1);
    CHECK(pe.read(gicr::ipriorityr) == 0x10F8'3040);
    CHECK(pe.read(gicr::ipriorityr + 2, secure, 1) == 0xF8);
    CHECK(pe.read(gicr::ipriorityr + 3, secure, 1) == 0x10);
    CHECK(pe.write(gicr::ipriorityr, 0, secure, 2) == AccessStatus::bad_size);
    CHECK(pe.read(gicr::ipriorityr + 4) == 0);
}

TEST_CASE("Redistributor registers 6. Non-secure accesses see priorities shifted, and none of Secure interrupts") {
    TwoStates pe;
    pe.write(gicr::ipriorityr, 0xA0C0'40F8, secure);
    CHECK(pe.read(gicr::ipriorityr, non_secure) == 0x4080'80F0);
    pe.write(gicr::ipriorityr, 0x4080'00F0, non_secure);
    CHECK(pe.read(gicr::ipriorityr, secure) == 0xA0C0'80F8);
    // Shifted also where Secure software has put a Non-secure interrupt into the Secure half.
    pe.write(gicr::ipriorityr, 0x6840'0810, secure);
    CHECK(pe.read(gicr::ipriorityr, non_secure) == 0xD080'1020);
    pe.write(gicr::ipriorityr + 8, 0xA0A0'A0A0, non_secure);
    CHECK(pe.read(gicr::ipriorityr + 8, secure) == 0);
    pe.write(gicr::ipriorityr + 8, 0xA0A0'A0A0, secure);
    CHECK(pe.read(gicr::ipriorityr + 8, non_secure) == 0);
}

TEST_CASE("Redistributor registers 7. SGIs are edge-triggered for good, and a PPI's trigger is bit 1 of its field") {
    PePair pe;
    pe.write(gicr::icfgr0, 0);
    CHECK(pe.read(gicr::icfgr0) == 0xAAAA'AAAA);
    CHECK(pe.read(gicr::icfgr1) == 0);
    pe.write(gicr::icfgr1, ~0U);
    CHECK(pe.read(gicr::icfgr1) == 0xAAAA'AAAA);
    pe.write(gicr::icfgr1, 0x5555'5555);
    CHECK(pe.read(gicr::icfgr1) == 0);
}

TEST_CASE("Redistributor registers 8. A write of 1 to a set or clear register changes that bit, a 0 changes nothing") {
    PePair pe;
    pe.write(gicr::isenabler0, 0xF0);
    pe.write(gicr::isenabler0, 0x0F);
    pe.write(gicr::icenabler0, 0x11);
    CHECK(pe.read(gicr::isenabler0) == 0xEE);
    CHECK(pe.read(gicr::icenabler0) == 0xEE);
    CHECK(pe.read(gicr::ispendr0) == 0);
    CHECK(pe.read(gicr::isactiver0) == 0);
}

TEST_CASE("Redistributor registers 9. What is not built reads zero, ignores writes and is counted") {
    PePair pe;
    CHECK(pe.write(0x0070, ~0ULL, secure, 8) == AccessStatus::ok);  // GICR_PROPBASER
    CHECK(pe.read(0x0070, secure, 8) == 0);
    CHECK(pe.write(0x15550, ~0U) == AccessStatus::ok);
    CHECK(pe.read(0x15550) == 0);
    CHECK(pe.rd.unimplemented_accesses() == 4);
}

TEST_CASE("Redistributor registers 10. A bad size or alignment is answered as such and changes nothing") {
    PePair pe;
    CHECK(pe.write(gicr::isenabler0, ~0ULL, secure, 8) == AccessStatus::bad_size);
    CHECK(pe.write(gicr::isenabler0, ~0ULL, secure, 1) == AccessStatus::bad_size);
    CHECK(pe.write(gicr::isenabler0, ~0ULL, secure, 3) == AccessStatus::bad_size);
    CHECK(pe.write(gicr::isenabler0 + 2, ~0ULL, secure, 4) == AccessStatus::bad_address);
    CHECK(pe.rd.read(0x20000, 4, secure).status == AccessStatus::bad_address);
    CHECK(pe.rd.read(0x1FFFC, 4, secure).status == AccessStatus::ok);
    CHECK(pe.read(gicr::isenabler0) == 0);
}

TEST_CASE(
    "Redistributor registers 11. Every row that is built reads its reset value, and a row of the wrong access ignores "
    "it") {
    RedistributorState rd(GicParameters{}, CpuId{0}, Affinity{}, false);
    unsigned checked = 0;
    for (const std::uint32_t base : {0x0U, 0x10000U}) {
        const auto& frame = base == 0 ? RedistributorState::rd_frame() : RedistributorState::sgi_frame();
        for (const auto& row : frame.rows()) {
            if (row.read == nullptr) continue;
            for (std::uint32_t n = 0; n < row.count; ++n) {
                CAPTURE(row.name, n);
                const std::uint32_t offset = base + row.offset + n * row.bits / 8;
                CHECK(rd.read(offset, row.bits / 8, secure).value == row.reset);
                if (row.access != RegisterAccess::read_only) continue;
                RedistributorEffects effects;
                CHECK(rd.write(offset, ~0ULL, row.bits / 8, secure, effects) == AccessStatus::ok);
                CHECK(rd.read(offset, row.bits / 8, secure).value == row.reset);
                ++checked;
            }
        }
    }
    CHECK(checked == 15);
}
