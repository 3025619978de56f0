#ifndef GICSIM_SRC_CLI_PROGRESS_BAR_H
#define GICSIM_SRC_CLI_PROGRESS_BAR_H

#include <chrono>
#include <iosfwd>

#include "gicsim/explore/runner.h"

namespace gicsim {

/// Shows how far a run is and when it will be done, on one line that is overwritten; silent where that cannot be.
/// While it lives, the first SIGINT or SIGTERM asks the run to stop, and a second one ends the program.
class ProgressBar : public Progress {
public:
    ProgressBar(std::ostream& stream, bool visible);
    ~ProgressBar() override;
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void advance(std::uint64_t done, std::uint64_t all) override;
    [[nodiscard]] bool stop_requested() const override;
    /// Removes the line.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    std::ostream& stream_;
    bool visible_;
    bool shown_ = false;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_;
};

}  // namespace gicsim

#endif
