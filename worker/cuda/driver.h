// CUDA's driver interface, found when the program runs: one program starts on
// machines with and without a GPU.
//
//   ASSAY_ASSIGN_OR_RETURN(const CudaDriver* cuda, CudaDriver::Load());
//   ASSAY_RETURN_IF_ERROR(
//       cuda->Check(cuda->cuCtxSynchronize(), "waiting for the device"));

#ifndef ASSAY_WORKER_CUDA_DRIVER_H_
#define ASSAY_WORKER_CUDA_DRIVER_H_

#include <cuda.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// The functions that Assay calls. <cuda.h> turns each name into that of the
// version that it declares.
#define ASSAY_CUDA_DRIVER_FUNCTIONS(X) \
  X(cuCtxGetStreamPriorityRange)       \
  X(cuCtxResetPersistingL2Cache)       \
  X(cuCtxSetCurrent)                   \
  X(cuCtxSynchronize)                  \
  X(cuDeviceGet)                       \
  X(cuDeviceGetAttribute)              \
  X(cuDeviceGetCount)                  \
  X(cuDeviceGetName)                   \
  X(cuDeviceGetUuid)                   \
  X(cuDevicePrimaryCtxRelease)         \
  X(cuDevicePrimaryCtxRetain)          \
  X(cuDeviceTotalMem)                  \
  X(cuDriverGetVersion)                \
  X(cuEventCreate)                     \
  X(cuEventDestroy)                    \
  X(cuEventElapsedTime)                \
  X(cuEventQuery)                      \
  X(cuEventRecord)                     \
  X(cuEventSynchronize)                \
  X(cuGetErrorName)                    \
  X(cuGetErrorString)                  \
  X(cuInit)                            \
  X(cuMemAddressFree)                  \
  X(cuMemAddressReserve)               \
  X(cuMemAlloc)                        \
  X(cuMemCreate)                       \
  X(cuMemExportToShareableHandle)      \
  X(cuMemFree)                         \
  X(cuMemGetAllocationGranularity)     \
  X(cuMemGetInfo)                      \
  X(cuMemImportFromShareableHandle)    \
  X(cuMemMap)                          \
  X(cuMemRelease)                      \
  X(cuMemSetAccess)                    \
  X(cuMemUnmap)                        \
  X(cuMemcpyDtoD)                      \
  X(cuMemcpyDtoH)                      \
  X(cuMemcpyHtoD)                      \
  X(cuMemsetD32Async)                  \
  X(cuMemsetD8)                        \
  X(cuStreamCreate)                    \
  X(cuStreamDestroy)                   \
  X(cuStreamSynchronize)

// Null where the driver is too old to have it.
#define ASSAY_CUDA_DRIVER_OPTIONAL_FUNCTIONS(X) \
  X(cuCtxRecordEvent)                           \
  X(cuCtxWaitEvent)

// Immutable and never freed; thread-safe, as the driver is.
struct CudaDriver {
  // Loads the driver once. FAILED_PRECONDITION, saying in one line why CUDA is
  // not available: no driver, one that is too old, or no GPU.
  static absl::StatusOr<const CudaDriver*> Load();

  // OK, or what `what` failed with: RESOURCE_EXHAUSTED when memory ran out,
  // else INTERNAL.
  absl::Status Check(CUresult result, absl::string_view what) const;

  // "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".
  std::string Describe(CUresult result) const;

#define ASSAY_DECLARE(name) decltype(&::name) name = nullptr;
  ASSAY_CUDA_DRIVER_FUNCTIONS(ASSAY_DECLARE)
  ASSAY_CUDA_DRIVER_OPTIONAL_FUNCTIONS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

}  // namespace assay

#endif  // ASSAY_WORKER_CUDA_DRIVER_H_
