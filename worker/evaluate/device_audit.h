// A few further calls of a solution, while the worker watches the device: do
// the times that it is to be ranked by account for what the device did?

#ifndef ASSAY_WORKER_EVALUATE_DEVICE_AUDIT_H_
#define ASSAY_WORKER_EVALUATE_DEVICE_AUDIT_H_

#include "absl/time/time.h"
#include "worker/evaluate/checked_calls.h"
#include "worker/evaluate/draw_source.h"
#include "worker/evaluate/measurement.h"
#include "worker/evaluate/stage_clock.h"

namespace assay {

class DeviceAudit {
 public:
  // All references outlive it. `fixed`: what the device may do besides.
  DeviceAudit(DrawSource& draws, CheckedCalls& calls, StageClock& stages,
              absl::Duration fixed)
      : draws_(draws), calls_(calls), stages_(stages), fixed_(fixed) {}

  // Rule kDeviceTimeUnaccounted, for the median of the measured times. The
  // calls are checked like all others: who does less in them is wrong.
  Measurement::End Run(const Measurement& measurement);

 private:
  Measurement::End MakeCall();

  DrawSource& draws_;
  CheckedCalls& calls_;
  StageClock& stages_;
  const absl::Duration fixed_;
  Measurement::Samples samples_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_DEVICE_AUDIT_H_
