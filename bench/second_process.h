#ifndef GICSIM_BENCH_SECOND_PROCESS_H
#define GICSIM_BENCH_SECOND_PROCESS_H

#include <sys/types.h>

#include <functional>

#include "measured_run.h"

namespace gicsim::bench {

/// Measures another machine in a process of its own: SystemC allows one elaboration a process. It is forked
/// before this process elaborates anything, sleeps until it is asked, and so can be measured in turn with this one.
class SecondProcess {
public:
    /// Makes what measures the run of a number; called once, in the other process.
    using Factory = std::function<std::function<MeasuredRun(std::size_t)>()>;
    explicit SecondProcess(const Factory& make);
    ~SecondProcess();
    SecondProcess(const SecondProcess&) = delete;
    SecondProcess& operator=(const SecondProcess&) = delete;

    /// Has run `i` measured there. Throws std::runtime_error when that process has ended.
    MeasuredRun measure(std::size_t i);

private:
    pid_t child_ = -1;
    int socket_ = -1;
};

}  // namespace gicsim::bench

#endif
