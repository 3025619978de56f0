#ifndef GICSIM_REPORT_RENDER_H
#define GICSIM_REPORT_RENDER_H

#include <string>

#include "gicsim/report/experiment_result.h"

namespace gicsim {

/// For people: one summary of all cases, then each case that is held against a measurement.
std::string render_table(const ExperimentResult& result);

/// For people: of each case the mean time of every segment, one column a distance class; the segments of a class add
/// up to its total.
std::string render_segments(const ExperimentResult& result);

/// For programs: everything, with the unit in each key. Same result, same bytes.
std::string render_json(const ExperimentResult& result);

/// For spreadsheets: one row a run.
std::string render_csv(const ExperimentResult& result);

}  // namespace gicsim

#endif
