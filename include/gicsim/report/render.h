#ifndef GICSIM_REPORT_RENDER_H
#define GICSIM_REPORT_RENDER_H

#include <string>
#include <vector>

#include "gicsim/report/experiment_result.h"

namespace gicsim {

/// For people: one summary of all cases, the times of latency probes by distance, then each case that is held against
/// the log of a benchmark.
std::string render_table(const ExperimentResult& result);

/// For people: of each case the mean time of every segment, one column a distance class; the segments of a class add
/// up to its total. Latency probes are left out: render_table() has their times.
std::string render_segments(const ExperimentResult& result);
/// Workloads of cases that ran and have no segments to show, in alphabetical order.
std::vector<std::string> workloads_without_segments(const ExperimentResult& result);

/// For programs: everything, with the unit in each key. Same result, same bytes.
std::string render_json(const ExperimentResult& result);

/// For spreadsheets: one row a run, and one that says so for a case that never ran; `interrupted` marks the rows of
/// cases that lack runs.
std::string render_csv(const ExperimentResult& result);

}  // namespace gicsim

#endif
