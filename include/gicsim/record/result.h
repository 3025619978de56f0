#ifndef GICSIM_RECORD_RESULT_H
#define GICSIM_RECORD_RESULT_H

#include <cstdint>
#include <string>
#include <vector>

#include "gicsim/arch/time.h"

namespace gicsim {

/// One named part of a call's time, summed over the calls of a class: the sum of differences of two recorded
/// timestamps, never a total minus the rest.
struct SegmentSum {
    std::string name;  ///< "store buffer", "SGI route", ...
    Time sum;
};

/// The calls between CPUs at one distance.
struct ClassSegments {
    std::string name;  ///< "self", "same cluster", "same die", "same socket", "other socket"
    std::uint64_t count = 0;
    Time total;                        ///< of all calls, first store to the sender's return
    std::vector<SegmentSum> segments;  ///< in the order of the path; they add up to `total` exactly

    [[nodiscard]] bool adds_up() const {
        Time sum;
        for (const SegmentSum& segment : segments) sum += segment.sum;
        return segments.empty() || sum == total;
    }
};

/// A count that a workload or a model reports beside the verdicts: "spurious interrupts", "retries", ...
struct NamedCount {
    std::string name;
    std::uint64_t count = 0;
};

/// One run of one case.
struct RunResult {
    std::uint64_t seed = 0;
    Time total;                          ///< of the measured loop: what the reference logs print
    std::uint64_t calls = 0;             ///< calls of the measured loop, those to oneself included
    std::uint64_t ipis = 0;              ///< interrupts that were sent
    std::uint64_t ok = 0;                ///< verdicts: an interrupt is ok, stale or lost
    std::uint64_t stale = 0;             ///< the handler read old payload
    std::uint64_t lost = 0;              ///< the handler found nothing to do while work was being queued
    bool hung = false;                   ///< nothing could make progress
    bool interrupted = false;            ///< the user stopped it: what it counted is not a result
    std::vector<std::string> waiting;    ///< when hung: who waits for what
    std::vector<std::string> warnings;   ///< UNPREDICTABLE behaviour of the program, as counted lines
    std::vector<ClassSegments> classes;  ///< nearest first
    std::vector<NamedCount> counters;
    std::uint64_t events = 0;  ///< events of the Timeline
    std::string end_reason;    ///< why the run ended: "all rounds done", ...
};

}  // namespace gicsim

#endif
