#ifndef GICSIM_REPORT_LITMUS_RESULT_H
#define GICSIM_REPORT_LITMUS_RESULT_H

#include <cstdint>
#include <string>
#include <vector>

namespace gicsim {

/// A final state of a litmus test and how it was found, as reports show it.
struct LitmusState {
    std::string text;  ///< "1:X0=1; x=0;"
    std::uint64_t count = 0;
    bool asked_for = false;
    std::string witness;                ///< its shortest timeline as text; empty when not asked for
    std::vector<std::string> timeline;  ///< the same, an entry a line: "<ns> P<thread> <what>"
};

/// What came out of one litmus test.
struct LitmusResult {
    std::string name;
    std::string variant;  ///< barrier and the like that it was crossed with; empty when as filed
    std::string file;
    std::string condition;
    std::string expected;  ///< "Allowed", "Forbidden", "unknown"
    std::string source;    ///< of what is expected
    std::string finding;   ///< "ok", "VIOLATION", "not seen", "no verdict", "unfinished", "no target", "partial"
    std::string remark;    ///< why, where that is not plain
    std::vector<LitmusState> states;
    std::uint64_t executions = 0;
    std::uint64_t asked_for = 0;
    std::uint64_t stuck = 0;
    std::uint64_t exhausted = 0;
    std::uint64_t untargeted = 0;  ///< executions in which an SGI reached no CPU of the test
    std::uint64_t choice_points = 0;
    std::uint64_t systematic = 0;
    double share_explored = 0;
    bool complete = false;
    bool interrupted = false;  ///< broken off before it had all executions
    double seconds = 0;        ///< of processor time
};

struct LitmusReport {
    std::string machine;
    std::uint64_t seed = 1;
    std::uint64_t iterations = 0;  ///< executions that each test was to have
    std::vector<LitmusResult> results;
    std::uint64_t not_run = 0;  ///< tests left out by an interruption or the time limit
    bool interrupted = false;

    [[nodiscard]] std::uint64_t count(const std::string& finding) const;
};

/// A row a test, then a summary; with `states` also every state of every test.
std::string render_litmus_table(const LitmusReport& report, bool states);
std::string render_litmus_json(const LitmusReport& report);
/// A row a state.
std::string render_litmus_csv(const LitmusReport& report);

}  // namespace gicsim

#endif
