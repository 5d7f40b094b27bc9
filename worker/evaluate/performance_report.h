// From samples to what an evaluation says about speed.

#ifndef ASSAY_WORKER_EVALUATE_PERFORMANCE_REPORT_H_
#define ASSAY_WORKER_EVALUATE_PERFORMANCE_REPORT_H_

#include "assay/v1/evaluation.pb.h"
#include "worker/evaluate/measurement.h"

namespace assay {

// `reference_latency_ms` 0: not measured.
v1::Performance PerformanceOf(const Measurement& measurement, v1::Timer timer,
                              double reference_latency_ms);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_PERFORMANCE_REPORT_H_
