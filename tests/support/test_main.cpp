#define CATCH_CONFIG_RUNNER
#include <systemc>

#include "support/catch.h"

int sc_main(int argc, char* argv[]) {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    return Catch::Session().run(argc, argv);
}
