// Decode attention over a paged KV cache at the speed of reading the cache.
//
// A block serves all query heads that share a KV head, so keys and values are
// read once. Sixteen lanes hold a row, eight elements each. A thread copies its
// 16 bytes of the rows ahead into a ring in shared memory, asynchronously,
// which keeps many more bytes in flight than registers could hold; as it reads
// only what it copied itself, the ring needs no barrier. Where there are fewer
// sequences than multiprocessors, sequences are cut into parts, which a second
// kernel merges.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"
#include "mma.cuh"  // for the asynchronous copies
#include "split_kv.cuh"

namespace assay {
namespace {

using T = __nv_bfloat16;

constexpr float kLog2E = 1.44269504f;
constexpr int kDim = 128;
constexpr int kThreads = 128;
constexpr int kWarps = kThreads / kWarpSize;
constexpr int kSize = Vec<T>::kSize;
constexpr int kRowLanes = kDim / kSize;      // lanes that hold a row
constexpr int kRows = kThreads / kRowLanes;  // rows a block holds
constexpr int kTokens = 2;                   // per half-warp and step
constexpr int kStep = kRows * kTokens;       // tokens per step
constexpr int kStages = 4;                   // steps in the ring
constexpr int kMaxParts = 8192;
static_assert(kRowLanes * 2 == kWarpSize, "a row is half a warp");

__device__ PartWorkspace<kDim, kMaxParts> workspace;

// The state of kGroup heads over the tokens that one half-warp has seen, of
// which a lane holds kSize elements per head.
template <int kGroup>
struct State {
  float max[kGroup];
  float sum[kGroup];
  float value[kGroup][kSize];

  __device__ __forceinline__ void Merge(int h, float other_max, float other_sum,
                                        const float (&other_value)[kSize]) {
    const float new_max = fmaxf(max[h], other_max);
    const float keep = exp2f(max[h] - new_max);
    const float scale = exp2f(other_max - new_max);
    max[h] = new_max;
    sum[h] = sum[h] * keep + other_sum * scale;
#pragma unroll
    for (int e = 0; e < kSize; ++e) {
      value[h][e] = value[h][e] * keep + other_value[e] * scale;
    }
  }
};

// Kernel: block (part, kv_head, b).
template <int kGroup>
__global__ void __launch_bounds__(kThreads)
    AttendKernel(const T* __restrict__ q, const T* __restrict__ k_cache,
                 const T* __restrict__ v_cache,
                 const int32_t* __restrict__ kv_indptr,
                 const int32_t* __restrict__ kv_indices, float scale) {
  const int part = blockIdx.x, parts = gridDim.x;
  const int kv_head = blockIdx.y, kv_heads = gridDim.y;
  const int b = blockIdx.z;
  const int lane = threadIdx.x % kRowLanes;
  const int row = threadIdx.x / kRowLanes;
  const int64_t first_head = (int64_t{b} * kv_heads + kv_head) * kGroup;

  float query[kGroup][kSize];
  State<kGroup> state;
#pragma unroll
  for (int h = 0; h < kGroup; ++h) {
    const Vec<T> vec = LoadVec(q + (first_head + h) * kDim + lane * kSize);
    state.max[h] = kNoLogit;
    state.sum[h] = 0;
#pragma unroll
    for (int e = 0; e < kSize; ++e) {
      query[h][e] = ToFloat(vec.lane[e]) * scale;
      state.value[h][e] = 0;
    }
  }

  // This block's share of the sequence, in whole steps.
  const int sequence_begin = kv_indptr[b];
  const int sequence_end = kv_indptr[b + 1];
  const int steps = (sequence_end - sequence_begin + kStep - 1) / kStep;
  const int part_tokens = (steps + parts - 1) / parts * kStep;
  const int begin = sequence_begin + part * part_tokens;
  const int end = min(begin + part_tokens, sequence_end);

  __shared__ Vec<T> ring[kStages][2][kTokens][kThreads];
  const auto copy = [&](int first, int stage) {
#pragma unroll
    for (int t = 0; t < kTokens && first < end; ++t) {
      // Past the end, the last token is copied and given no weight.
      const int i = min(first + t * kRows + row, end - 1);
      const int64_t offset =
          (int64_t{kv_indices[i]} * kv_heads + kv_head) * kDim + lane * kSize;
      CopyAsync(&ring[stage][0][t][threadIdx.x], k_cache + offset);
      CopyAsync(&ring[stage][1][t][threadIdx.x], v_cache + offset);
    }
    CommitCopies();  // empty groups too: WaitCopies counts them
  };
  for (int s = 0; s < kStages - 1; ++s) copy(begin + s * kStep, s);

  int stage = 0;
  for (int first = begin; first < end; first += kStep) {
    WaitCopies<kStages - 2>();
    Vec<T> key[kTokens], value[kTokens];
#pragma unroll
    for (int t = 0; t < kTokens; ++t) {
      key[t] = ring[stage][0][t][threadIdx.x];
      value[t] = ring[stage][1][t][threadIdx.x];
    }
    copy(first + (kStages - 1) * kStep, (stage + kStages - 1) % kStages);
    stage = (stage + 1) % kStages;
#pragma unroll
    for (int h = 0; h < kGroup; ++h) {
      float logit[kTokens];
      float max = state.max[h];
#pragma unroll
      for (int t = 0; t < kTokens; ++t) {
        float dot = 0;
#pragma unroll
        for (int e = 0; e < kSize; ++e) {
          dot += query[h][e] * ToFloat(key[t].lane[e]);
        }
#pragma unroll
        for (int offset = kRowLanes / 2; offset > 0; offset /= 2) {
          dot += __shfl_xor_sync(kFullMask, dot, offset);
        }
        logit[t] = first + t * kRows + row < end ? dot : kNoLogit;
        max = fmaxf(max, logit[t]);
      }
      const float keep = exp2f(state.max[h] - max);
      state.max[h] = max;
      state.sum[h] *= keep;
#pragma unroll
      for (int e = 0; e < kSize; ++e) state.value[h][e] *= keep;
#pragma unroll
      for (int t = 0; t < kTokens; ++t) {
        const float weight =
            logit[t] == kNoLogit ? 0.0f : exp2f(logit[t] - max);
        state.sum[h] += weight;
#pragma unroll
        for (int e = 0; e < kSize; ++e) {
          state.value[h][e] += weight * ToFloat(value[t].lane[e]);
        }
      }
    }
  }

  // Join the halves of each warp, then the warps through shared memory.
  __shared__ float shared_value[kWarps][kGroup][kDim];
  __shared__ PartStats shared_stats[kWarps][kGroup];
  const int warp = threadIdx.x / kWarpSize;
#pragma unroll
  for (int h = 0; h < kGroup; ++h) {
    float other[kSize];
#pragma unroll
    for (int e = 0; e < kSize; ++e) {
      other[e] = __shfl_xor_sync(kFullMask, state.value[h][e], kRowLanes);
    }
    state.Merge(h, __shfl_xor_sync(kFullMask, state.max[h], kRowLanes),
                __shfl_xor_sync(kFullMask, state.sum[h], kRowLanes), other);
    if (threadIdx.x % kWarpSize < kRowLanes) {
#pragma unroll
      for (int e = 0; e < kSize; ++e) {
        shared_value[warp][h][lane * kSize + e] = state.value[h][e];
      }
      if (lane == 0) shared_stats[warp][h] = {state.max[h], state.sum[h]};
    }
  }
  __syncthreads();
  for (int h = 0; h < kGroup; ++h) {
    float max = kNoLogit;
    for (int w = 0; w < kWarps; ++w) max = fmaxf(max, shared_stats[w][h].max);
    float sum = 0;
    float value = 0;
    for (int w = 0; w < kWarps; ++w) {
      const float weight = exp2f(shared_stats[w][h].max - max);
      sum += shared_stats[w][h].sum * weight;
      value += shared_value[w][h][threadIdx.x] * weight;
    }
    const int64_t slot = (first_head + h) * parts + part;
    workspace.value[slot][threadIdx.x] = value;
    if (threadIdx.x == 0) workspace.stats[slot] = {max, sum};
  }
}

struct Shape {
  int64_t batch_size;
  int64_t kv_heads;
  int64_t total_tokens;
};

// Launcher for kGroup query heads per KV head.
template <int kGroup>
int GqaDecode(const T* q, const T* k_cache, const T* v_cache,
              const int32_t* kv_indptr, const int32_t* kv_indices,
              float sm_scale, const Shape& shape, T* output, float* lse,
              cudaStream_t stream) {
  constexpr int64_t kBlocksWanted = 132 * 8;
  const int64_t groups = shape.batch_size * shape.kv_heads;
  const int64_t heads = groups * kGroup;
  if (groups == 0) return cudaSuccess;
  if (heads > kMaxParts) return kUnsupportedShape;
  // A part must be worth merging: two steps at least, for the average sequence.
  const int64_t most =
      CeilDiv(shape.total_tokens, shape.batch_size * 2 * kStep);
  const int64_t parts = std::max<int64_t>(
      1, std::min({CeilDiv(kBlocksWanted, groups), most, kMaxParts / heads}));
  const dim3 grid(parts, shape.kv_heads, shape.batch_size);
  AttendKernel<kGroup><<<grid, kThreads, 0, stream>>>(
      q, k_cache, v_cache, kv_indptr, kv_indices, sm_scale * kLog2E);
  void* parts_address = nullptr;
  const cudaError_t error = cudaGetSymbolAddress(&parts_address, workspace);
  if (error != cudaSuccess) return error;
  MergeKernel<<<heads, kMergeThreads, 0, stream>>>(
      static_cast<const PartWorkspace<kDim, kMaxParts>*>(parts_address), parts,
      output, lse);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int gqa_paged_decode(const DLTensor* q, const DLTensor* k_cache,
                                const DLTensor* v_cache,
                                const DLTensor* kv_indptr,
                                const DLTensor* kv_indices, float sm_scale,
                                DLTensor* output, DLTensor* lse, void* stream) {
  using namespace assay;
  if (!IsBfloat16(q->dtype)) return kUnsupportedDtype;
  if (k_cache->shape[1] != 1 || q->shape[2] != kDim) return kUnsupportedShape;
  const Shape shape = {q->shape[0], k_cache->shape[2], kv_indices->shape[0]};
  const auto decode = [&](auto launcher) {
    return launcher(Data<T>(q), Data<T>(k_cache), Data<T>(v_cache),
                    Data<int32_t>(kv_indptr), Data<int32_t>(kv_indices),
                    sm_scale, shape, Data<T>(output), Data<float>(lse),
                    static_cast<cudaStream_t>(stream));
  };
  switch (q->shape[1] / k_cache->shape[2]) {
    case 4:
      return decode(GqaDecode<4>);
    case 7:
      return decode(GqaDecode<7>);
    default:
      return kUnsupportedShape;
  }
}
