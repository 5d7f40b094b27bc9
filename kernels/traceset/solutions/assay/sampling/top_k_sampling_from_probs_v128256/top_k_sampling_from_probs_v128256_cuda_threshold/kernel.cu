// Samples from the k most probable tokens: one block per row, which gathers
// them in two readings of the row and decides among them in shared memory.

#include <dlpack/dlpack.h>

#include <climits>
#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"
#include "top_k.cuh"

namespace assay {
namespace {

// The sum of the kept candidates up to and including token `last`.
__device__ double SumUpTo(int last, float threshold, const TopKShared& shared) {
  double sum = 0;
  for (int i = 0; i < shared.num_candidates; ++i) {
    if (shared.value[i] >= threshold && shared.index[i] <= last) {
      sum += shared.value[i];
    }
  }
  return sum;
}

// The same sample by one thread walking the row: for a k so large, or so many
// equal probabilities, that the kept tokens do not fit into shared memory.
__device__ int SampleByWalking(const float* probs, int size, float threshold,
                               float uniform) {
  double total = 0;
  for (int i = 0; i < size; ++i) {
    if (probs[i] >= threshold) total += probs[i];
  }
  double sum = 0;
  int sample = 0;
  for (int i = 0; i < size && sum <= uniform * total; ++i) {
    if (probs[i] < threshold) continue;
    sum += probs[i];
    sample = i;
  }
  return sample;
}

// Kernel.
__global__ void __launch_bounds__(kTopKThreads)
    TopKSampleKernel(const float* __restrict__ probs,
                     const int32_t* __restrict__ top_k,
                     const float* __restrict__ uniform, int size,
                     int64_t* __restrict__ samples) {
  __shared__ TopKShared shared;
  __shared__ int sample;
  probs += int64_t{blockIdx.x} * size;
  const float threshold = KthLargest(probs, size, top_k[blockIdx.x], shared);
  if (threadIdx.x == 0) sample = INT_MAX;
  __syncthreads();
  if (shared.num_candidates <= kMaxCandidates) {
    // The first token whose sum exceeds the target, each found independently.
    const double target =
        uniform[blockIdx.x] * SumUpTo(INT_MAX, threshold, shared);
    for (int i = threadIdx.x; i < shared.num_candidates; i += kTopKThreads) {
      if (shared.value[i] >= threshold &&
          SumUpTo(shared.index[i], threshold, shared) > target) {
        atomicMin(&sample, shared.index[i]);
      }
    }
  } else if (threadIdx.x == 0) {
    sample = SampleByWalking(probs, size, threshold, uniform[blockIdx.x]);
  }
  __syncthreads();
  if (threadIdx.x == 0) samples[blockIdx.x] = sample;
}

// Launcher.
int TopKSample(const float* probs, const int32_t* top_k, const float* uniform,
               int64_t rows, int64_t size, int64_t* samples,
               cudaStream_t stream) {
  if (size % Vec<float>::kSize != 0) return kUnsupportedShape;
  TopKSampleKernel<<<rows, kTopKThreads, 0, stream>>>(probs, top_k, uniform,
                                                      size, samples);
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
