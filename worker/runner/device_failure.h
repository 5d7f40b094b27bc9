// What a GPU says of a call, as a failure of the call.

#ifndef ASSAY_WORKER_RUNNER_DEVICE_FAILURE_H_
#define ASSAY_WORKER_RUNNER_DEVICE_FAILURE_H_

#include <cuda.h>

#include "worker/cuda/driver.h"
#include "worker/runner/failure.h"

namespace assay {

// Nothing for CUDA_SUCCESS, else RAISED: "the call failed on the device: an
// illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)". Such an
// error stays with the process: what it asks of the GPU later fails with it,
// too.
MaybeFailed FailedOnDevice(const CudaDriver& cuda, CUresult result);

// The same of an error that was there when a call was yet to be made, whatever
// of the solution it comes from: "the device failed before the call: …".
MaybeFailed FailedBeforeCall(const CudaDriver& cuda, CUresult result);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_DEVICE_FAILURE_H_
