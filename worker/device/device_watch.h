// What others have a device do, seen from outside of their processes.

#ifndef ASSAY_WORKER_DEVICE_DEVICE_WATCH_H_
#define ASSAY_WORKER_DEVICE_DEVICE_WATCH_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace assay {

// Whether the device is watched during a call.
enum class Watching { kNo, kYes };

// Watches a device from its creation until Finish or its end. Whoever owns the
// device asks nothing else of it meanwhile.
class DeviceWatch {
 public:
  virtual ~DeviceWatch() = default;

  // For how long others had the device each time that it was theirs, in order:
  // what they had it do, and twice the change from one to the other. To be
  // called once.
  virtual absl::StatusOr<std::vector<absl::Duration>> Finish() = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_DEVICE_WATCH_H_
