// A host that has set SystemC's resolution to 1 ps. The resolution can be set once a process, so this is a program of
// its own.
#define CATCH_CONFIG_RUNNER
#include "timeline/timeline_rig.h"

using namespace gicsim;

namespace {

unsigned warnings = 0;

void count_warnings(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING && std::string(report.get_msg_type()) == "/gicsim/timeline") {
        ++warnings;
    } else {
        sc_core::sc_report_handler::default_handler(report, actions);
    }
}

}  // namespace

TEST_CASE("Timeline 16. At 1 ps models keep their femtoseconds, others see times rounded up, and one warning comes") {
    TimelineRig rig;
    const unsigned at_start = warnings;
    CHECK(at_start == 1);
    CHECK(rig.timeline.to_systemc(Time::fs(1)) == sc_core::sc_time(1, sc_core::SC_PS));
    CHECK(rig.timeline.to_systemc(Time::fs(1000)) == sc_core::sc_time(1, sc_core::SC_PS));
    CHECK(rig.timeline.to_systemc(Time::fs(1001)) == sc_core::sc_time(2, sc_core::SC_PS));
    CHECK(rig.timeline.from_systemc(sc_core::sc_time(3, sc_core::SC_PS)) == Time::ps(3));

    for (const bool ahead : {false, true}) {
        rig.timeline.reset();
        rig.log.clear();
        const Time start = rig.timeline.now();
        rig.post(start + Time::fs(1), 1);
        rig.post_boundary(start + Time::fs(2500), 2);
        rig.post(start + Time::fs(3700), 3);
        rig.post(start + Time::fs(9999), 4);
        ahead ? rig.start_ahead(Time::ps(20)) : rig.start(Time::ps(20));
        REQUIRE(rig.log.size() == 4);
        for (std::uint64_t i = 0; i < 4; ++i) CHECK(rig.log[i].id == i + 1);
        CHECK(rig.log[1].stamp == start + Time::ps(3));
        CHECK(rig.log[1].now >= start + Time::fs(2500));
    }
    CHECK(warnings == at_start);
}

TEST_CASE("Timeline 17. At 1 ps an event keeps its time to the femtosecond when nothing foreign happens") {
    TimelineRig rig;
    for (std::int64_t t = 1; t < 20; ++t) rig.post(Time::fs(t * 777), static_cast<std::uint64_t>(t));
    rig.start_ahead(Time::ps(50));
    REQUIRE(rig.log.size() == 19);
    for (std::int64_t t = 2; t < 20; ++t) CHECK(rig.log[static_cast<std::size_t>(t - 1)].now == Time::fs(t * 777));
}

int sc_main(int argc, char* argv[]) {
    sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_handler(&count_warnings);
    return Catch::Session().run(argc, argv);
}
