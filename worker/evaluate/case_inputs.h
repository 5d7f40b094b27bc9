// Puts the inputs of a workload into the device's memory.

#ifndef ASSAY_WORKER_EVALUATE_CASE_INPUTS_H_
#define ASSAY_WORKER_EVALUATE_CASE_INPUTS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/workload.pb.h"
#include "kernels/measure/philox.h"
#include "schema/shape.h"
#include "worker/device/device.h"
#include "worker/evaluate/case_memory.h"

namespace assay {

// Where tensor files come from.
class BlobSource {
 public:
  virtual ~BlobSource() = default;

  // Path of a local copy of the file, whole and verified. NOT_FOUND when the
  // coordinator does not have it.
  virtual absl::StatusOr<std::string> Fetch(
      const v1::SafetensorsInput& input) = 0;
};

// Uploads what is the same in every draw: safetensors and 0-D values.
// INVALID_ARGUMENT when the file, the key, the dtype or the shape is not what
// the definition asks for; NOT_FOUND or UNAVAILABLE when it cannot be had.
absl::Status UploadFixedInputs(Device& device, const ResolvedCase& sizes,
                               const v1::Workload& workload, BlobSource& blobs,
                               const CaseMemory& memory);

// Stages what the workload stores, where that is varied between calls.
absl::Status StageUnvaried(Device& device, const CaseMemory& memory);

// The same, each value a little moved; see kernels/measure/vary.h. `number` as
// below.
absl::Status StageVaried(Device& device, const ResolvedCase& sizes,
                         const measure::Key& key, int number,
                         const CaseMemory& memory);

// Stages the random inputs of one draw. `number` tells draws of the same key
// apart and is never reused.
absl::Status DrawRandomInputs(Device& device, const v1::Definition& definition,
                              const ResolvedCase& sizes,
                              const v1::Workload& workload,
                              const measure::Key& key, int number,
                              const CaseMemory& memory);

// Puts what is staged where a call finds it, and has the call find no input in
// a cache that the device does not flush itself.
absl::Status DeliverInputs(Device& device, const CaseMemory& memory, int place);

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_CASE_INPUTS_H_
