// An address of a GPU's memory as the driver has it, an integer, and as the
// runtime, kernels and DLPack have it, a pointer.

#ifndef ASSAY_WORKER_CUDA_DEVICE_POINTER_H_
#define ASSAY_WORKER_CUDA_DEVICE_POINTER_H_

#include <cuda.h>

namespace assay {

inline void* ToPointer(CUdeviceptr address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): there is no other way.
  return reinterpret_cast<void*>(address);
}

}  // namespace assay

#endif  // ASSAY_WORKER_CUDA_DEVICE_POINTER_H_
