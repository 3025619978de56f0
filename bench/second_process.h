#ifndef GICSIM_BENCH_SECOND_PROCESS_H
#define GICSIM_BENCH_SECOND_PROCESS_H

#include <sys/types.h>

#include <vector>

#include "measured_run.h"

namespace gicsim::bench {

/// Measures cases of another machine in a process of its own: SystemC allows one elaboration a process. It is forked
/// before this process elaborates anything, sleeps until it is asked, and so can be measured in turn with this one.
class SecondProcess {
public:
    /// @param cases of one machine shape.
    explicit SecondProcess(const std::vector<CaseDescription>& cases);
    ~SecondProcess();
    SecondProcess(const SecondProcess&) = delete;
    SecondProcess& operator=(const SecondProcess&) = delete;

    /// Runs case `i` there. Throws std::runtime_error when that process has ended.
    MeasuredRun measure(std::size_t i);

private:
    pid_t child_ = -1;
    int socket_ = -1;
};

}  // namespace gicsim::bench

#endif
