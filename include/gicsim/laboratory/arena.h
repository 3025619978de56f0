#ifndef GICSIM_LABORATORY_ARENA_H
#define GICSIM_LABORATORY_ARENA_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gicsim/config/experiment.h"
#include "gicsim/laboratory/interpreter.h"
#include "gicsim/platform/platform.h"

namespace gicsim {

/// Executes one litmus test over and over on one machine: nothing is elaborated, booted or allocated between two
/// executions, and nothing of one is left for the next.
class Arena : private Timeline::IdleHandler {
public:
    /// How an execution ended.
    enum class End : std::uint8_t {
        complete,   ///< every thread has come to its end
        stuck,      ///< a thread waits for something that does not come
        exhausted,  ///< a thread went round in circles
    };
    struct Execution {
        End end = End::complete;
        litmus::FinalState state;  ///< of a complete one
        std::uint64_t events = 0;  ///< of the Timeline
        Time length;
        std::optional<Interpreter::LostSgi> lost_sgi;  ///< an SGI that reached no CPU of the test
    };
    /// Hears of every execution, and says what the next is to be.
    class Director {
    public:
        virtual ~Director() = default;
        /// The strategy of the next execution, which has begun with it; null to stop.
        virtual Strategy* next() = 0;
        virtual void ended(const Execution& execution) = 0;
    };

    Arena(Platform& platform, const SoftwareDescription& software);
    ~Arena() override;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// Brings the machine up and prepares it for a test, which outlives its executions. Throws ConfigError when the
    /// test does not fit the machine.
    void load(const litmus::LitmusTest& test);
    /// What the test and the machine call each other, when an SGI has reached no CPU of the test.
    [[nodiscard]] std::string explain(const Interpreter::LostSgi& sgi) const;
    /// Executes until the director or the monitor stops it.
    Platform::End run(Director& director, const Platform::Monitor& monitor = {});
    /// Records the executions that follow; null ends it.
    void record(Witness* witness);

    [[nodiscard]] const litmus::LitmusTest& test() const { return *shared_.test; }

private:
    class Recorder;

    void idle() override;
    void nudge() {}
    void start(Strategy& strategy);
    void split_end_of_interrupt(const litmus::LitmusTest& test);
    void finish();
    void place_lines(Strategy& strategy);
    [[nodiscard]] LineData initial_data(std::size_t location, std::size_t line) const;

    Platform& platform_;
    const SoftwareDescription& software_;
    AddressBook addresses_;
    Interpreter::Shared shared_;
    std::vector<std::unique_ptr<Interpreter>> threads_;
    std::vector<std::vector<LineData>> initial_;  ///< by location and line
    std::vector<Platform::LinePlace> places_;     ///< where a line can be at the start
    std::vector<Platform::LinePlace> owners_;     ///< dirty at each CPU
    std::unique_ptr<Recorder> recorder_;
    Director* director_ = nullptr;
    Execution execution_;
    bool under_way_ = false;
    bool uses_interrupts_ = false;
    std::uint64_t events_before_ = 0;
    Time started_;
};

}  // namespace gicsim

#endif
