#ifndef GICSIM_SRC_REPORT_RENDER_CLASSES_H
#define GICSIM_SRC_REPORT_RENDER_CLASSES_H

#include <string>

#include "gicsim/report/experiment_result.h"

namespace gicsim {

/// The times of latency probes by distance, beside what was measured; empty when the experiment has none.
std::string render_latencies(const ExperimentResult& result);

/// "-3.5 %" of one measured value, "inside" a measured range, or how far outside.
std::string against_latency(double simulated_ns, const MeasuredLatency& measured);

}  // namespace gicsim

#endif
