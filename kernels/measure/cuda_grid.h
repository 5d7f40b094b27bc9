// How many threads share a task. Internal to this folder.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_GRID_H_
#define ASSAY_KERNELS_MEASURE_CUDA_GRID_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/measure/attributes.h"

namespace assay::measure {

inline constexpr int kBlockThreads = 256;

// Blocks for work that can occupy up to `needed` of them, at least 1: no more
// than the current device runs at once with `per_processor` on each
// multiprocessor, so that all take equally long.
inline cudaError_t GridBlocks(uint64_t needed, int per_processor,
                              unsigned int* blocks) {
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  int processors = 0;
  error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                                 device);
  if (error != cudaSuccess) return error;
  const uint64_t most =
      static_cast<uint64_t>(processors) * static_cast<uint64_t>(per_processor);
  const uint64_t wanted = needed < most ? needed : most;
  *blocks = static_cast<unsigned int>(wanted < 1 ? 1 : wanted);
  return cudaSuccess;
}

// a / b, rounded up.
ASSAY_HOST_DEVICE inline constexpr uint64_t DivideUp(uint64_t a, uint64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_GRID_H_
