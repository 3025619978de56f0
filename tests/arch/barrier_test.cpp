#include "gicsim/arch/barrier.h"

#include <set>

#include "support/catch.h"

using gicsim::Barrier;

TEST_CASE("Every barrier is listed once and its name reads back as itself") {
    std::set<std::string> names;
    for (const Barrier& barrier : Barrier::all()) {
        names.insert(barrier.name());
        REQUIRE(Barrier::parse(barrier.name()) == barrier);
    }
    CHECK(names.size() == 25);
    CHECK(Barrier::all().front().name() == "none");
}

TEST_CASE("A barrier name may be written in any case and with other separators") {
    CHECK(Barrier::parse("DSB ISHST")->name() == "dsb ishst");
    CHECK(Barrier::parse("dmb_sy")->name() == "dmb sy");
    CHECK(Barrier::parse(" dsb-st ")->name() == "dsb st");
}

TEST_CASE("What is no barrier is not taken for one") {
    CHECK_FALSE(Barrier::parse("dsb"));
    CHECK_FALSE(Barrier::parse("dsb ishs"));
    CHECK_FALSE(Barrier::parse("isb"));
    CHECK_FALSE(Barrier::parse("dsbst"));
    CHECK_FALSE(Barrier::parse(""));
}

TEST_CASE("CRm is the encoding of DDI 0487") {
    CHECK(Barrier::parse("dsb sy")->crm() == 0xF);
    CHECK(Barrier::parse("dsb st")->crm() == 0xE);
    CHECK(Barrier::parse("dsb ld")->crm() == 0xD);
    CHECK(Barrier::parse("dmb ish")->crm() == 0xB);
    CHECK(Barrier::parse("dmb ishst")->crm() == 0xA);
    CHECK(Barrier::parse("dmb ishld")->crm() == 0x9);
    CHECK(Barrier::parse("dsb nsh")->crm() == 0x7);
    CHECK(Barrier::parse("dsb oshst")->crm() == 0x2);
    CHECK(Barrier::parse("dsb oshld")->crm() == 0x1);
}

TEST_CASE("A barrier covers the accesses of its type") {
    CHECK(Barrier::parse("dsb ishst")->covers_stores());
    CHECK_FALSE(Barrier::parse("dsb ishst")->covers_loads());
    CHECK_FALSE(Barrier::parse("dsb ishld")->covers_stores());
    CHECK(Barrier::parse("dsb ishld")->covers_loads());
    CHECK(Barrier::parse("dsb ish")->covers_stores());
    CHECK(Barrier::parse("dsb ish")->covers_loads());
}
