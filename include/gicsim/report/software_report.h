#ifndef GICSIM_REPORT_SOFTWARE_REPORT_H
#define GICSIM_REPORT_SOFTWARE_REPORT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gicsim {

/// Executions of one question about a sequence, over all places of the line that is asked about.
struct SoftwareCount {
    std::uint64_t executions = 0;
    std::uint64_t seen = 0;  ///< in which the old value was read
    [[nodiscard]] double share() const {
        return executions == 0 ? 0 : static_cast<double>(seen) / static_cast<double>(executions);
    }
};

/// What was found about the IPI sequence of one piece of software.
struct SoftwareRow {
    std::string name;
    std::string version;
    std::string path;
    std::string source;
    std::string sequence;  ///< "dsb ishst, sgi, isb"
    std::string verdict;   ///< "safe", "stale payload possible", "lost wake-up possible", "incomplete", ...
    bool derived = false;  ///< the verdict follows from a rule; nothing was executed
    std::string remark;    ///< that rule, or what is to be known beside the verdict
    bool violation = false;
    std::uint64_t tests = 0;           ///< litmus tests of this sequence
    std::uint64_t tests_finished = 0;  ///< of them, those that had all their executions
    SoftwareCount stale;
    SoftwareCount lost;
    std::optional<double> cost_ns;  ///< of the barrier before the SGI
    std::string witness;       ///< shortest timeline that shows the verdict, when there is one and it was asked for
    std::string witness_file;  ///< where it was written
};

struct SoftwareReport {
    std::string machine;
    std::string cost_machine;
    std::string cost_setup;  ///< what the cost was measured with
    std::uint64_t seed = 1;
    std::vector<SoftwareRow> rows;
    bool interrupted = false;
    std::uint64_t not_run = 0;  ///< tests left out by an interruption or the time limit

    [[nodiscard]] bool violated() const;
};

std::string render_software_table(const SoftwareReport& report);
std::string render_software_json(const SoftwareReport& report);
std::string render_software_csv(const SoftwareReport& report);

}  // namespace gicsim

#endif
