#include "gicsim/explore/software_survey.h"

#include <fmt/format.h>

namespace gicsim {
namespace {

using Mechanism = IpiSequence::Mechanism;
using Question = SequenceTest::Question;

SoftwareRow row_of(const IpiSequence& sequence) {
    SoftwareRow row;
    row.name = sequence.name;
    row.version = sequence.version;
    row.path = sequence.path;
    row.source = sequence.source;
    row.sequence = sequence.sender_text();
    return row;
}

/// What is known of a sequence that does not write a system register of this GIC.
void derive(const IpiSequence& sequence, SoftwareRow& row) {
    if (sequence.send.mechanism == Mechanism::unknown) {
        row.verdict = "not known";
        row.remark = "not run (" + sequence.source + ")";
        return;
    }
    row.derived = true;
    // The doorbell is itself a memory write, which any barrier orders that orders writes (DDI 0487 B2.3.12).
    const Barrier& before = sequence.send.before;
    const bool ordered = before.kind() != Barrier::Kind::none && before.covers_stores();
    row.verdict = ordered ? "safe" : "stale payload possible";
    row.remark = ordered ? "not run (the doorbell, such as GICD_SGIR, is a memory write: DMB ISHST is enough)"
                         : "not run (the doorbell, such as GICD_SGIR, is a memory write that nothing here orders)";
}

void count(SoftwareRow& row, const LitmusResult& result, Question question) {
    SoftwareCount& counted = question == Question::stale_payload ? row.stale : row.lost;
    counted.executions += result.executions;
    counted.seen += result.asked_for;
    row.violation = row.violation || result.finding == "VIOLATION";
    if (!result.interrupted && result.finding != "unfinished" && result.finding != "no target") ++row.tests_finished;
    for (const LitmusState& state : result.states) {
        if (!state.asked_for || state.witness.empty()) continue;
        std::string text =
            fmt::format("{}\n{}\nstate {}\n\n{}", result.name, result.condition, state.text, state.witness);
        if (row.witness.empty() || text.size() < row.witness.size()) row.witness = std::move(text);
    }
}

void conclude(SoftwareRow& row, bool allowed) {
    if (row.stale.seen > 0 && row.lost.seen > 0) {
        row.verdict = "stale payload, lost wake-up possible";
    } else if (row.stale.seen > 0) {
        row.verdict = "stale payload possible";
    } else if (row.lost.seen > 0) {
        row.verdict = "lost wake-up possible";
    } else if (row.stale.executions + row.lost.executions == 0) {
        row.verdict = "not run";
    } else if (row.tests_finished < row.tests) {
        row.verdict = "incomplete";
        row.remark = fmt::format("{} of its {} tests were finished; nothing has been seen so far", row.tests_finished,
                                 row.tests);
    } else {
        row.verdict = allowed ? "not seen" : "safe";
        if (allowed) row.remark = "the architecture allows a stale payload and a lost wake-up; neither was seen";
    }
    if (row.violation) row.remark = "VIOLATION: a state that the architecture forbids was seen";
}

}  // namespace

SoftwareReport survey_software(const MachineDescription& machine, const SoftwareDescription& software,
                               const std::vector<IpiSequence>& sequences, const BarrierCost& cost,
                               const LitmusOptions& options, Progress& progress) {
    SoftwareReport report;
    report.machine = machine.name;
    report.cost_machine = cost.machine.name;
    report.cost_setup = cost.setup();
    report.seed = options.campaign.seed;

    struct Asked {
        std::size_t row;
        Question question;
    };
    std::vector<LitmusJob> jobs;
    std::vector<Asked> asked;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        for (SequenceTest& each : sequence_tests(sequences[i], machine)) {
            jobs.push_back({std::move(each.test), {}});
            asked.push_back({i, each.question});
        }
    }
    const auto costs = cost.measure(sequences, options.jobs);
    LitmusReport tests;
    if (!jobs.empty()) tests = run_litmus(machine, software, jobs, options, progress);
    report.interrupted = tests.interrupted;
    report.not_run = tests.not_run;

    for (std::size_t i = 0; i < sequences.size(); ++i) {
        report.rows.push_back(row_of(sequences[i]));
        report.rows.back().cost_ns = costs[i];
    }
    for (const Asked& each : asked) ++report.rows[each.row].tests;
    // Tests that were left out have no result: results and jobs are matched by name.
    std::size_t job = 0;
    for (const LitmusResult& result : tests.results) {
        while (jobs[job].test.name != result.name) ++job;
        count(report.rows[asked[job].row], result, asked[job].question);
        ++job;
    }
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        const IpiSequence::Send& send = sequences[i].send;
        if (send.mechanism == Mechanism::system_register) {
            conclude(report.rows[i], !(send.before.kind() == Barrier::Kind::dsb && send.before.covers_stores()));
        } else {
            derive(sequences[i], report.rows[i]);
        }
    }
    return report;
}

}  // namespace gicsim
