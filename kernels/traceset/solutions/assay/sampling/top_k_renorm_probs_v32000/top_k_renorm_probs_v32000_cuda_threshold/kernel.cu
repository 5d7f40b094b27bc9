// Keeps the k most probable tokens and scales them to a sum of one: one block
// per row, which reads it three times, mostly from the L2 cache.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"
#include "top_k.cuh"

namespace assay {
namespace {

// Kernel.
__global__ void __launch_bounds__(kTopKThreads)
    TopKRenormKernel(const float* __restrict__ probs,
                     const int32_t* __restrict__ top_k, int size,
                     float* __restrict__ y) {
  __shared__ TopKShared shared;
  probs += int64_t{blockIdx.x} * size;
  y += int64_t{blockIdx.x} * size;
  const float threshold = KthLargest(probs, size, top_k[blockIdx.x], shared);
  float sum = 0;
  if (shared.num_candidates <= kMaxCandidates) {
    for (int i = threadIdx.x; i < shared.num_candidates; i += kTopKThreads) {
      if (shared.value[i] >= threshold) sum += shared.value[i];
    }
  } else {
    VisitRow(probs, size, [&](float value, int) {
      if (value >= threshold) sum += value;
    });
  }
  const float scale = 1.0f / BlockSum(sum);
  constexpr int kSize = Vec<float>::kSize;
#pragma unroll 4
  for (int i = threadIdx.x * kSize; i < size; i += kTopKThreads * kSize) {
    Vec<float> vec = LoadVec(probs + i);
#pragma unroll
    for (int e = 0; e < kSize; ++e) {
      vec.lane[e] = vec.lane[e] >= threshold ? vec.lane[e] * scale : 0.0f;
    }
    StoreVec(vec, y + i);
  }
}

// Launcher.
int TopKRenorm(const float* probs, const int32_t* top_k, int64_t rows,
               int64_t size, float* y, cudaStream_t stream) {
  if (size % Vec<float>::kSize != 0) return kUnsupportedShape;
  TopKRenormKernel<<<rows, kTopKThreads, 0, stream>>>(probs, top_k, size, y);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int top_k_renorm_probs(const DLTensor* probs, const DLTensor* top_k,
                                  DLTensor* renorm_probs, void* stream) {
  using namespace assay;
  return TopKRenorm(Data<float>(probs), Data<int32_t>(top_k), probs->shape[0],
                    probs->shape[1], Data<float>(renorm_probs),
                    static_cast<cudaStream_t>(stream));
}
