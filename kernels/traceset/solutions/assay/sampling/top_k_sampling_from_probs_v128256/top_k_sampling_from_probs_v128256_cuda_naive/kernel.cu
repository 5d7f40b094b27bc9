// Samples from the k most probable tokens, with one block per row. The
// threshold is found by going down from the largest value to the next smaller
// one, a pass over the row each, until k values are covered. Then one thread
// walks the row.

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
__global__ void TopKSampleKernel(const float* __restrict__ probs,
                                 const int32_t* __restrict__ top_k,
                                 const float* __restrict__ uniform, int size,
                                 int64_t* __restrict__ samples) {
  probs += int64_t{blockIdx.x} * size;
  const float threshold = KthLargest(probs, size, top_k[blockIdx.x]);
  if (threadIdx.x != 0) return;
  double total = 0;
  for (int i = 0; i < size; ++i) {
    if (probs[i] >= threshold) total += probs[i];
  }
  const double target = uniform[blockIdx.x] * total;
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    if (probs[i] >= threshold) sum += probs[i];
    if (sum > target) {
      samples[blockIdx.x] = i;
      return;
    }
  }
}

// Launcher.
int TopKSample(const float* probs, const int32_t* top_k, const float* uniform,
               int64_t rows, int64_t size, int64_t* samples,
               cudaStream_t stream) {
  TopKSampleKernel<<<rows, kThreads, 0, stream>>>(probs, top_k, uniform, size,
                                                  samples);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int top_k_sampling_from_probs(const DLTensor* probs,
                                         const DLTensor* top_k,
                                         const DLTensor* uniform,
                                         DLTensor* samples, void* stream) {
  using namespace assay;
  return TopKSample(Data<float>(probs), Data<int32_t>(top_k),
                    Data<float>(uniform), probs->shape[0], probs->shape[1],
                    Data<int64_t>(samples), static_cast<cudaStream_t>(stream));
}
