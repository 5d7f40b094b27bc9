// Latent attention (MLA) over a paged cache with one block per head and one
// token at a time. Every head reads the whole cache of its sequence again.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

using T = __nv_bfloat16;

constexpr int kThreads = 128;
constexpr int kCkv = 512;
constexpr int kKpe = 64;
constexpr int kPerThread = kCkv / kThreads;

// Kernel: block (h, b) computes head h of sequence b.
__global__ void MlaDecodeKernel(const T* __restrict__ q_nope,
                                const T* __restrict__ q_pe,
                                const T* __restrict__ ckv_cache,
                                const T* __restrict__ kpe_cache,
                                const int32_t* __restrict__ kv_indptr,
                                const int32_t* __restrict__ kv_indices,
                                float sm_scale, T* __restrict__ output,
                                float* __restrict__ lse) {
  const int64_t head = int64_t{blockIdx.y} * gridDim.x + blockIdx.x;
  q_nope += head * kCkv;
  q_pe += head * kKpe;
  float max = -INFINITY;
  float sum = 0;
  float value[kPerThread] = {};
  for (int i = kv_indptr[blockIdx.y]; i < kv_indptr[blockIdx.y + 1]; ++i) {
    const T* ckv = ckv_cache + int64_t{kv_indices[i]} * kCkv;
    const T* kpe = kpe_cache + int64_t{kv_indices[i]} * kKpe;
    float dot = 0;
    for (int d = threadIdx.x; d < kCkv; d += kThreads) {
      dot += ToFloat(q_nope[d]) * ToFloat(ckv[d]);
    }
    for (int d = threadIdx.x; d < kKpe; d += kThreads) {
      dot += ToFloat(q_pe[d]) * ToFloat(kpe[d]);
    }
    const float logit = BlockSum(dot) * sm_scale;
    const float new_max = fmaxf(max, logit);
    const float keep = expf(max - new_max);
    const float weight = expf(logit - new_max);
    max = new_max;
    sum = sum * keep + weight;
    for (int j = 0; j < kPerThread; ++j) {
      value[j] =
          value[j] * keep + weight * ToFloat(ckv[j * kThreads + threadIdx.x]);
    }
  }
  for (int j = 0; j < kPerThread; ++j) {
    Assign(sum > 0 ? value[j] / sum : 0.0f,
           &output[head * kCkv + j * kThreads + threadIdx.x]);
  }
  if (threadIdx.x == 0) {
    lse[head] = sum > 0 ? (max + logf(sum)) / logf(2.0f) : -INFINITY;
  }
}

}  // namespace
}  // namespace assay

// Binding, which launches.
extern "C" int mla_paged_decode(const DLTensor* q_nope, const DLTensor* q_pe,
                                const DLTensor* ckv_cache,
                                const DLTensor* kpe_cache,
                                const DLTensor* kv_indptr,
                                const DLTensor* kv_indices, float sm_scale,
                                DLTensor* output, DLTensor* lse, void* stream) {
  using namespace assay;
  if (!IsBfloat16(q_nope->dtype)) return kUnsupportedDtype;
  if (ckv_cache->shape[1] != 1 || q_nope->shape[2] != kCkv ||
      q_pe->shape[2] != kKpe) {
    return kUnsupportedShape;
  }
  const dim3 grid(q_nope->shape[1], q_nope->shape[0]);
  MlaDecodeKernel<<<grid, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      Data<T>(q_nope), Data<T>(q_pe), Data<T>(ckv_cache), Data<T>(kpe_cache),
      Data<int32_t>(kv_indptr), Data<int32_t>(kv_indices), sm_scale,
      Data<T>(output), Data<float>(lse));
  return LaunchStatus();
}
