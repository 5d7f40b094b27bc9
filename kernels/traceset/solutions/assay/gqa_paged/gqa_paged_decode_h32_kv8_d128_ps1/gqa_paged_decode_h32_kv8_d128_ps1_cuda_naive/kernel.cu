// Decode attention over a paged KV cache with one block per query head, one
// thread per element of the head, and one token at a time. Heads that share
// keys and values each read them again, and one long sequence keeps few blocks
// busy.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"

namespace assay {
namespace {

using T = __nv_bfloat16;

// Kernel: block (h, b) computes head h of sequence b.
__global__ void GqaDecodeKernel(
    const T* __restrict__ q, const T* __restrict__ k_cache,
    const T* __restrict__ v_cache, const int32_t* __restrict__ kv_indptr,
    const int32_t* __restrict__ kv_indices, float sm_scale, int kv_heads,
    T* __restrict__ output, float* __restrict__ lse) {
  const int head_dim = blockDim.x;
  const int qo_heads = gridDim.x;
  const int64_t head = int64_t{blockIdx.y} * qo_heads + blockIdx.x;
  const int kv_head = blockIdx.x / (qo_heads / kv_heads);
  const int d = threadIdx.x;
  const float query = ToFloat(q[head * head_dim + d]);
  float max = -INFINITY;
  float sum = 0;
  float value = 0;
  for (int i = kv_indptr[blockIdx.y]; i < kv_indptr[blockIdx.y + 1]; ++i) {
    const int64_t row =
        (int64_t{kv_indices[i]} * kv_heads + kv_head) * head_dim + d;
    const float logit = BlockSum(query * ToFloat(k_cache[row])) * sm_scale;
    const float new_max = fmaxf(max, logit);
    const float keep = expf(max - new_max);
    const float weight = expf(logit - new_max);
    sum = sum * keep + weight;
    value = value * keep + weight * ToFloat(v_cache[row]);
    max = new_max;
  }
  Assign(sum > 0 ? value / sum : 0.0f, &output[head * head_dim + d]);
  if (d == 0) lse[head] = sum > 0 ? (max + logf(sum)) / logf(2.0f) : -INFINITY;
}

}  // namespace
}  // namespace assay

// Binding, which launches.
extern "C" int gqa_paged_decode(const DLTensor* q, const DLTensor* k_cache,
                                const DLTensor* v_cache,
                                const DLTensor* kv_indptr,
                                const DLTensor* kv_indices, float sm_scale,
                                DLTensor* output, DLTensor* lse, void* stream) {
  using namespace assay;
  if (!IsBfloat16(q->dtype)) return kUnsupportedDtype;
  const int64_t head_dim = q->shape[2];
  if (k_cache->shape[1] != 1 || head_dim % kWarpSize != 0) {
    return kUnsupportedShape;
  }
  const dim3 grid(q->shape[1], q->shape[0]);
  GqaDecodeKernel<<<grid, head_dim, 0, static_cast<cudaStream_t>(stream)>>>(
      Data<T>(q), Data<T>(k_cache), Data<T>(v_cache), Data<int32_t>(kv_indptr),
      Data<int32_t>(kv_indices), sm_scale, k_cache->shape[2], Data<T>(output),
      Data<float>(lse));
  return LaunchStatus();
}
