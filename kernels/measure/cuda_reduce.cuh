// Sums and maxima over the threads of a block. Internal to this folder.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_REDUCE_CUH_
#define ASSAY_KERNELS_MEASURE_CUDA_REDUCE_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/measure/cuda_grid.h"

namespace assay::measure {

struct Sum {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct Largest {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

// Combines the values of all kBlockThreads threads, for all of them, in an
// order of its own: for operations whose result does not depend on it.
template <typename T, typename Operation>
__device__ inline T CombineThreads(T value, Operation operation) {
  constexpr int kWarpThreads = 32;
  constexpr int kWarps = kBlockThreads / kWarpThreads;
  constexpr unsigned int kAll = 0xFFFFFFFFU;
  __shared__ T of_warps[kWarps];
  for (int step = kWarpThreads / 2; step > 0; step /= 2) {
    value = operation(value, __shfl_xor_sync(kAll, value, step));
  }
  if (threadIdx.x % kWarpThreads == 0) {
    of_warps[threadIdx.x / kWarpThreads] = value;
  }
  __syncthreads();
  T all = of_warps[0];
  for (int warp = 1; warp < kWarps; ++warp) {
    all = operation(all, of_warps[warp]);
  }
  // Before anyone writes there again.
  __syncthreads();
  return all;
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_REDUCE_CUH_
