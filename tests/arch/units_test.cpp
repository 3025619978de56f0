#include "gicsim/arch/affinity.h"
#include "gicsim/arch/gic.h"
#include "gicsim/arch/time.h"
#include "support/catch.h"

using namespace gicsim;

TEST_CASE("Cycles become time in one rounding, not cycle by cycle") {
    const ClockDomain clock(2'600'000'000);
    CHECK(clock.to_time(Cycles(1)).in_fs() == 384'615);
    CHECK(clock.to_time(Cycles(13)).in_fs() == 5'000'000);
    CHECK(clock.to_time(Cycles(26'000'000'000)).in_fs() == 10'000'000'000'000'000);
    CHECK(ClockDomain(3).to_time(Cycles(2)).in_fs() == 666'666'666'666'667);
}

TEST_CASE("An affinity is packed as MPIDR_EL1 and as GICR_TYPER hold it") {
    const Affinity affinity = Affinity::from_mpidr(0x0000'0001'8002'0304);
    CHECK(affinity.aff3 == 1);
    CHECK(affinity.aff2 == 2);
    CHECK(affinity.aff1 == 3);
    CHECK(affinity.aff0 == 4);
    CHECK(affinity.packed() == 0x0102'0304);
    CHECK(affinity.group() == 0x01'0203);
    CHECK(affinity.mpidr() == 0x1'0002'0304);
}

TEST_CASE("An SGI register value decodes to its fields and encodes back") {
    const std::uint64_t value = 0x00AB'5100'0000'0000 | 0x0000'0034'0712'8001;
    const SgiRequest request = SgiRequest::decode(SgiRegister::sgi1r, Security::non_secure, value);
    CHECK(request.target_list == 0x8001);
    CHECK(request.aff1 == 0x12);
    CHECK(index(request.intid) == 7);
    CHECK(request.aff2 == 0x34);
    CHECK(request.irm);
    CHECK(request.rs == 5);
    CHECK(request.aff3 == 0xAB);
    CHECK(request.encode() == value);
}

TEST_CASE("SGI forwarding follows the table of IHI 0069 12.1.10") {
    using R = SgiRegister;
    using G = Group;
    struct Row {
        R reg;
        Security writer;
        G target;
        unsigned least_nsacr;  // 4: never
    };
    const Row rows[] = {
        {R::sgi0r, Security::secure, G::g0, 0},       {R::sgi0r, Security::secure, G::g1s, 4},
        {R::sgi0r, Security::secure, G::g1ns, 4},     {R::sgi1r, Security::secure, G::g0, 4},
        {R::sgi1r, Security::secure, G::g1s, 0},      {R::sgi1r, Security::secure, G::g1ns, 4},
        {R::asgi1r, Security::secure, G::g0, 4},      {R::asgi1r, Security::secure, G::g1s, 4},
        {R::asgi1r, Security::secure, G::g1ns, 0},    {R::sgi0r, Security::non_secure, G::g0, 1},
        {R::sgi0r, Security::non_secure, G::g1s, 4},  {R::sgi0r, Security::non_secure, G::g1ns, 4},
        {R::sgi1r, Security::non_secure, G::g0, 1},   {R::sgi1r, Security::non_secure, G::g1s, 2},
        {R::sgi1r, Security::non_secure, G::g1ns, 0}, {R::asgi1r, Security::non_secure, G::g0, 1},
        {R::asgi1r, Security::non_secure, G::g1s, 2}, {R::asgi1r, Security::non_secure, G::g1ns, 4},
    };
    for (const Row& row : rows) {
        for (unsigned nsacr = 0; nsacr < 4; ++nsacr) {
            CAPTURE(static_cast<int>(row.reg), static_cast<int>(row.writer), static_cast<int>(row.target), nsacr);
            CHECK(sgi_permitted(row.reg, row.writer, row.target, nsacr, false) == (nsacr >= row.least_nsacr));
        }
    }
    CHECK(sgi_permitted(R::sgi1r, Security::non_secure, G::g0, 0, true));
    CHECK(sgi_permitted(R::sgi1r, Security::non_secure, G::g1ns, 0, true));
    CHECK(sgi_permitted(R::sgi0r, Security::non_secure, G::g0, 0, true));
    CHECK_FALSE(sgi_permitted(R::sgi0r, Security::non_secure, G::g1ns, 0, true));
    CHECK(sgi_permitted(R::asgi1r, Security::non_secure, G::g0, 0, true));
    CHECK_FALSE(sgi_permitted(R::asgi1r, Security::non_secure, G::g1ns, 0, true));
}
