#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <systemc>

#include "gicsim/cli/cli.h"

// SystemC wants to own main(); its banner on stdout would spoil data that a program reads.
int main(int argc, char* argv[]) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char* argv[]) {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    const char* no_colour = std::getenv("NO_COLOR");
    const bool terminal = isatty(STDERR_FILENO) == 1;
    const gicsim::Terminal talk{std::cout, std::cerr, terminal,
                                terminal && (no_colour == nullptr || *no_colour == '\0')};
    return static_cast<int>(gicsim::run_cli({argv + 1, argv + argc}, talk, gicsim::run_experiment));
}
