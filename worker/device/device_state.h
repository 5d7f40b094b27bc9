// Readings of a device's clocks and limits, put together.

#ifndef ASSAY_WORKER_DEVICE_DEVICE_STATE_H_
#define ASSAY_WORKER_DEVICE_DEVICE_STATE_H_

#include "assay/v1/evaluation.pb.h"

namespace assay {

// Whether the device is held back by more than its normal power limit, at which
// heavy work runs all the time.
bool IsSlowedDown(const v1::DeviceState& state);

// Makes `state` cover the reading, too. An empty `state` becomes the reading.
void AddReading(const v1::DeviceState& reading, v1::DeviceState& state);

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_DEVICE_STATE_H_
