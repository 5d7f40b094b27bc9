// Keeps the k most probable tokens and scales them to a sum of one, with one
// block per row. The threshold is found by going down from the largest value to
// the next smaller one, a pass over the row each, until k values are covered.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

constexpr int kThreads = 512;

// The k-th largest of x[0 ... size).
__device__ float KthLargest(const float* x, int size, int k) {
  float threshold = INFINITY;
  for (int covered = 0; covered < k;) {
    float next = -INFINITY;
    for (int i = threadIdx.x; i < size; i += kThreads) {
      if (x[i] < threshold) next = fmaxf(next, x[i]);
    }
    threshold = BlockMax(next);
    float equal = 0;
    for (int i = threadIdx.x; i < size; i += kThreads) {
      equal += x[i] == threshold;
    }
    covered += static_cast<int>(BlockSum(equal));
  }
  return threshold;
}

// Kernel.
__global__ void TopKRenormKernel(const float* __restrict__ probs,
                                 const int32_t* __restrict__ top_k, int size,
                                 float* __restrict__ y) {
  probs += int64_t{blockIdx.x} * size;
  y += int64_t{blockIdx.x} * size;
  const float threshold = KthLargest(probs, size, top_k[blockIdx.x]);
  float sum = 0;
  for (int i = threadIdx.x; i < size; i += kThreads) {
    if (probs[i] >= threshold) sum += probs[i];
  }
  sum = BlockSum(sum);
  for (int i = threadIdx.x; i < size; i += kThreads) {
    y[i] = probs[i] >= threshold ? probs[i] / sum : 0.0f;
  }
}

// Launcher.
int TopKRenorm(const float* probs, const int32_t* top_k, int64_t rows,
               int64_t size, float* y, cudaStream_t stream) {
  TopKRenormKernel<<<rows, kThreads, 0, stream>>>(probs, top_k, size, y);
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
