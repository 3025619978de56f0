#include "litmus_output.h"

#include <exception>
#include <ostream>

#include "gicsim/config/error.h"

namespace gicsim {

void write_and_print(const Terminal& terminal, const std::function<void()>& write_witnesses,
                     const std::function<void()>& forget_witnesses, const std::function<void()>& print) {
    std::exception_ptr not_written;
    if (write_witnesses) {
        try {
            write_witnesses();
        } catch (const ConfigError&) {
            not_written = std::current_exception();
            forget_witnesses();
        }
    }
    print();
    terminal.out.flush();
    if (not_written) std::rethrow_exception(not_written);
}

ExitCode say_interrupted(const Terminal& terminal) {
    terminal.err << "gicsim: interrupted; what had been executed is in the report\n";
    return ExitCode::interrupted;
}

}  // namespace gicsim
