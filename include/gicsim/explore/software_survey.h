#ifndef GICSIM_EXPLORE_SOFTWARE_SURVEY_H
#define GICSIM_EXPLORE_SOFTWARE_SURVEY_H

#include <string>
#include <vector>

#include "gicsim/config/ipi_sequence.h"
#include "gicsim/explore/litmus_runner.h"
#include "gicsim/report/software_report.h"

namespace gicsim {

/// A litmus test of a sequence, and what it asks.
struct SequenceTest {
    enum class Question : std::uint8_t {
        stale_payload,  ///< may the handler read the payload as it was before the plain store that the SGI announces?
        lost_wake_up,   ///< may a handler that looks with a plain load find nothing published?
    };
    Question question = Question::stale_payload;
    litmus::LitmusTest test;
};

/// Both questions, each with the line Modified in the sender's cache, on another die and on another socket, as far as
/// the machine has them. CPU 0 sends to CPU 1.
std::vector<SequenceTest> sequence_tests(const IpiSequence& sequence, const MachineDescription& machine);

/// Nanoseconds that the barrier of a sequence adds to a message: from the first store until the sender sees that the
/// handler has run, one line before the payload being owned by a CPU as far away as the machine has one.
struct BarrierCost {
    MachineDescription machine;
    SoftwareDescription software;
    std::uint64_t rounds = 200;
    std::uint64_t seed = 1;

    /// What is measured, in words. Throws ConfigError when the machine has fewer than three CPUs.
    [[nodiscard]] std::string setup() const;
    /// For each sequence; nothing where no system register is written or no barrier stands before it.
    [[nodiscard]] std::vector<std::optional<double>> measure(const std::vector<IpiSequence>& sequences,
                                                             unsigned workers) const;
};

/// Tests all sequences on a machine and prices their barriers.
SoftwareReport survey_software(const MachineDescription& machine, const SoftwareDescription& software,
                               const std::vector<IpiSequence>& sequences, const BarrierCost& cost,
                               const LitmusOptions& options, Progress& progress);

}  // namespace gicsim

#endif
