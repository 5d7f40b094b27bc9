// Whether a measurement can be trusted to come out the same again.

#ifndef ASSAY_WORKER_EVALUATE_STEADINESS_H_
#define ASSAY_WORKER_EVALUATE_STEADINESS_H_

#include <cstdint>
#include <vector>

#include "assay/v1/evaluation.pb.h"

namespace assay {

// How often one evaluation may throw samples away and take them again.
inline constexpr int kMaxRepeats = 2;

// False when the middle 80 % of the samples (nanoseconds) spread over more than
// a tenth of the median, and more than two microseconds, or when the device was
// slowed down (see IsSlowedDown) while they were taken.
bool IsSteady(const std::vector<int64_t>& samples_ns,
              const v1::DeviceState& state);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_STEADINESS_H_
