#ifndef GICSIM_TESTS_PLATFORM_RUN_RESULT_H
#define GICSIM_TESTS_PLATFORM_RUN_RESULT_H

#include <sstream>

#include "gicsim/record/result.h"

/// Everything a run reports, as text: two runs are alike when these are.
inline std::string text_of(const gicsim::RunResult& run) {
    std::ostringstream text;
    text << run.seed << ' ' << run.total.in_fs() << ' ' << run.calls << ' ' << run.ipis << ' ' << run.ok << ' '
         << run.stale << ' ' << run.lost << ' ' << run.hung << ' ' << run.interrupted << ' ' << run.events << ' '
         << run.end_reason << '\n';
    for (const std::string& line : run.waiting) text << line << '\n';
    for (const std::string& line : run.warnings) text << line << '\n';
    for (const gicsim::NamedCount& counter : run.counters) text << counter.name << ' ' << counter.count << '\n';
    for (const gicsim::ClassSegments& part : run.classes) {
        text << part.name << ' ' << part.count << ' ' << part.total.in_fs() << '\n';
        for (const gicsim::SegmentSum& segment : part.segments) {
            text << "  " << segment.name << ' ' << segment.sum.in_fs() << '\n';
        }
    }
    return text.str();
}

#endif
