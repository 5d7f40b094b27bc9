// Latent attention (MLA) over a paged cache on tensor cores.
//
// All heads share the cache, so sixteen heads make the sixteen rows of a matrix
// product, and a cached token is read once for all of them. A block walks over
// its part of a sequence in tiles of 64 tokens; while one tile is multiplied,
// the next is on its way to shared memory. The tile serves as keys, then, its
// positional columns left out, as values. A second kernel merges the parts.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"
#include "mma.cuh"
#include "split_kv.cuh"

namespace assay {
namespace {

using T = __nv_bfloat16;

constexpr float kLog2E = 1.44269504f;
constexpr int kCkv = 512;
constexpr int kKpe = 64;
constexpr int kKey = kCkv + kKpe;
constexpr int kHeads = 16;  // of a block
constexpr int kTile = 64;   // tokens
constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarpSize;
constexpr int kChunk = 8;  // elements in 16 bytes
constexpr int kMaxParts = 8192;

__device__ PartWorkspace<kCkv, kMaxParts> workspace;

struct Shared {
  T keys[2][kTile * kKey];
  T q[kHeads * kKey];
  T weights[kHeads * kTile];
  // Logits, each the sum of two halves of the key; the padding keeps the rows
  // that a warp writes at the same time in different banks.
  float logits[2][kHeads][kTile + 8];
  float keep[kHeads];
};

// Where 16-byte chunk `chunk` of row `row` is stored. Chunks are permuted
// within groups of eight, so that eight rows of a column of chunks fill all
// banks.
template <int kColumns>
__device__ __forceinline__ int ChunkOffset(int row, int chunk) {
  return row * kColumns + (chunk ^ (row % 8)) * kChunk;
}

// Starts copying a tile of tokens: four threads per token. Tokens past the end
// repeat the last one and get no weight.
__device__ __forceinline__ void CopyTile(const T* ckv_cache, const T* kpe_cache,
                                         const int32_t* kv_indices, int first,
                                         int end, T* keys) {
  constexpr int kThreadsPerRow = kThreads / kTile;
  constexpr int kCkvChunks = kCkv / kChunk;
  const int row = threadIdx.x / kThreadsPerRow;
  const int64_t page = kv_indices[min(first + row, end - 1)];
#pragma unroll
  for (int j = 0; j < kKey / kChunk / kThreadsPerRow; ++j) {
    const int chunk = j * kThreadsPerRow + threadIdx.x % kThreadsPerRow;
    const T* source =
        chunk < kCkvChunks
            ? ckv_cache + page * kCkv + chunk * kChunk
            : kpe_cache + page * kKpe + (chunk - kCkvChunks) * kChunk;
    CopyAsync(keys + ChunkOffset<kKey>(row, chunk), source);
  }
}

// logits[half] = q * keys^T over one half of the columns of a key. Four warps
// cover the tokens of a tile, twice four both halves.
__device__ __forceinline__ void MultiplyKeys(const T* keys, Shared& shared) {
  constexpr int kSteps = kKey / 16 / 2;
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const int half = warp / 4;
  const int first_token = warp % 4 * 16;
  float sum[2][4] = {};
#pragma unroll 6
  for (int step = 0; step < kSteps; ++step) {
    const int chunk = (half * kSteps + step) * 2;
    uint32_t a[4], b[4];
    LoadMatrices(shared.q + ChunkOffset<kKey>(lane % 16, chunk + lane / 16), a);
    const int token = first_token + lane / 16 * 8 + lane % 8;
    LoadMatrices(keys + ChunkOffset<kKey>(token, chunk + lane / 8 % 2), b);
    MultiplyAdd(a, b[0], b[1], sum[0]);
    MultiplyAdd(a, b[2], b[3], sum[1]);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int token = first_token + i * 8 + lane % 4 * 2;
    float* low = &shared.logits[half][lane / 4][token];
    float* high = &shared.logits[half][lane / 4 + 8][token];
    low[0] = sum[i][0];
    low[1] = sum[i][1];
    high[0] = sum[i][2];
    high[1] = sum[i][3];
  }
}

// The running softmax of a head, held by the sixteen threads of its row.
struct RowState {
  float max = kNoLogit;
  float sum = 0;
};

// Turns the logits of `tokens` tokens into weights, sixteen threads per head.
__device__ __forceinline__ void Weigh(int tokens, float scale, RowState& state,
                                      Shared& shared) {
  constexpr int kThreadsPerRow = kThreads / kHeads;
  constexpr int kPerThread = kTile / kThreadsPerRow;
  const int head = threadIdx.x / kThreadsPerRow;
  const int first = threadIdx.x % kThreadsPerRow * kPerThread;
  float logit[kPerThread];
  float max = state.max;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int token = first + i;
    logit[i] =
        token < tokens
            ? (shared.logits[0][head][token] + shared.logits[1][head][token]) *
                  scale
            : -INFINITY;
    max = fmaxf(max, logit[i]);
  }
#pragma unroll
  for (int offset = kThreadsPerRow / 2; offset > 0; offset /= 2) {
    max = fmaxf(max, __shfl_xor_sync(kFullMask, max, offset));
  }
  float sum = 0;
  T weight[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const float value = exp2f(logit[i] - max);
    sum += value;
    weight[i] = __float2bfloat16_rn(value);
  }
#pragma unroll
  for (int offset = kThreadsPerRow / 2; offset > 0; offset /= 2) {
    sum += __shfl_xor_sync(kFullMask, sum, offset);
  }
  static_assert(kPerThread * 2 == kChunk, "two threads fill a chunk");
  T* target = shared.weights + ChunkOffset<kTile>(head, first / kChunk) +
              first % kChunk;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) target[i] = weight[i];
  const float keep = exp2f(state.max - max);
  if (first == 0) shared.keep[head] = keep;
  state.max = max;
  state.sum = state.sum * keep + sum;
}

constexpr int kWarpColumns = kCkv / kWarps;  // of the output, per warp
constexpr int kBlocks = kWarpColumns / 8;    // of eight columns

// value = value * keep + weights * keys, columns warp * kWarpColumns and on.
__device__ __forceinline__ void MultiplyValues(const T* keys,
                                               const Shared& shared,
                                               float (&value)[kBlocks][4]) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const float keep_low = shared.keep[lane / 4];
  const float keep_high = shared.keep[lane / 4 + 8];
#pragma unroll
  for (int j = 0; j < kBlocks; ++j) {
    value[j][0] *= keep_low;
    value[j][1] *= keep_low;
    value[j][2] *= keep_high;
    value[j][3] *= keep_high;
  }
#pragma unroll
  for (int step = 0; step < kTile / 16; ++step) {
    uint32_t a[4];
    LoadMatrices(
        shared.weights + ChunkOffset<kTile>(lane % 16, step * 2 + lane / 16),
        a);
#pragma unroll
    for (int j = 0; j < kBlocks; j += 2) {
      uint32_t b[4];
      const int token = step * 16 + lane % 16;
      const int chunk = warp * kBlocks + j + lane / 16;
      LoadMatricesTransposed(keys + ChunkOffset<kKey>(token, chunk), b);
      MultiplyAdd(a, b[0], b[1], value[j]);
      MultiplyAdd(a, b[2], b[3], value[j + 1]);
    }
  }
}

// Kernel: block (part, group of heads, b).
__global__ void __launch_bounds__(kThreads)
    AttendKernel(const T* __restrict__ q_nope, const T* __restrict__ q_pe,
                 const T* __restrict__ ckv_cache,
                 const T* __restrict__ kpe_cache,
                 const int32_t* __restrict__ kv_indptr,
                 const int32_t* __restrict__ kv_indices, float scale) {
  extern __shared__ __align__(128) unsigned char shared_bytes[];
  Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
  const int part = blockIdx.x, parts = gridDim.x;
  const int b = blockIdx.z;
  const int64_t first_head = (int64_t{b} * gridDim.y + blockIdx.y) * kHeads;

  // This block's share of the sequence, in whole tiles.
  const int sequence_begin = kv_indptr[b];
  const int sequence_end = kv_indptr[b + 1];
  const int tiles = (sequence_end - sequence_begin + kTile - 1) / kTile;
  const int part_tokens = (tiles + parts - 1) / parts * kTile;
  const int begin = sequence_begin + part * part_tokens;
  const int end = min(begin + part_tokens, sequence_end);

  const auto copy = [&](int first, int stage) {
    if (first < end) {
      CopyTile(ckv_cache, kpe_cache, kv_indices, first, end,
               shared.keys[stage]);
    }
    CommitCopies();
  };
  constexpr int kKeyChunks = kKey / kChunk;
  for (int i = threadIdx.x; i < kHeads * kKeyChunks; i += kThreads) {
    const int64_t head = first_head + i / kKeyChunks;
    const int chunk = i % kKeyChunks;
    const T* source = chunk < kCkv / kChunk
                          ? q_nope + head * kCkv + chunk * kChunk
                          : q_pe + head * kKpe + chunk * kChunk - kCkv;
    CopyAsync(shared.q + ChunkOffset<kKey>(i / kKeyChunks, chunk), source);
  }
  copy(begin, 0);  // the queries arrive with the first tile

  RowState state;
  float value[kBlocks][4] = {};
  int stage = 0;
  for (int first = begin; first < end; first += kTile, stage ^= 1) {
    copy(first + kTile, stage ^ 1);
    WaitCopies<1>();
    __syncthreads();
    MultiplyKeys(shared.keys[stage], shared);
    __syncthreads();
    Weigh(end - first, scale, state, shared);
    __syncthreads();
    MultiplyValues(shared.keys[stage], shared, value);
    __syncthreads();  // the tile may be overwritten
  }

  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const int64_t low = (first_head + lane / 4) * parts + part;
  const int64_t high = (first_head + lane / 4 + 8) * parts + part;
#pragma unroll
  for (int j = 0; j < kBlocks; ++j) {
    const int column = warp * kWarpColumns + j * 8 + lane % 4 * 2;
    *reinterpret_cast<float2*>(&workspace.value[low][column]) =
        make_float2(value[j][0], value[j][1]);
    *reinterpret_cast<float2*>(&workspace.value[high][column]) =
        make_float2(value[j][2], value[j][3]);
  }
  constexpr int kThreadsPerRow = kThreads / kHeads;
  if (threadIdx.x % kThreadsPerRow == 0) {
    const int64_t head = first_head + threadIdx.x / kThreadsPerRow;
    workspace.stats[head * parts + part] = {state.max, state.sum};
  }
}

struct Shape {
  int64_t batch_size;
  int64_t heads;
  int64_t total_tokens;
};

// Launcher.
int MlaDecode(const T* q_nope, const T* q_pe, const T* ckv_cache,
              const T* kpe_cache, const int32_t* kv_indptr,
              const int32_t* kv_indices, float sm_scale, const Shape& shape,
              T* output, float* lse, cudaStream_t stream) {
  // A multiprocessor has shared memory for one block, so more blocks than
  // multiprocessors would only start their pipelines a second time.
  constexpr int64_t kBlocksWanted = 132;
  const int64_t heads = shape.batch_size * shape.heads;
  if (heads == 0) return cudaSuccess;
  if (heads > kMaxParts) return kUnsupportedShape;
  const int64_t most = CeilDiv(shape.total_tokens, shape.batch_size * kTile);
  const int64_t parts = std::max<int64_t>(
      1, std::min({kBlocksWanted / (heads / kHeads), most, kMaxParts / heads}));
  cudaError_t error = cudaFuncSetAttribute(
      AttendKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
      sizeof(Shared));
  if (error != cudaSuccess) return error;
  const dim3 grid(parts, shape.heads / kHeads, shape.batch_size);
  AttendKernel<<<grid, kThreads, sizeof(Shared), stream>>>(
      q_nope, q_pe, ckv_cache, kpe_cache, kv_indptr, kv_indices,
      sm_scale * kLog2E);
  void* parts_address = nullptr;
  error = cudaGetSymbolAddress(&parts_address, workspace);
  if (error != cudaSuccess) return error;
  MergeKernel<<<heads, kMergeThreads, 0, stream>>>(
      static_cast<const PartWorkspace<kCkv, kMaxParts>*>(parts_address), parts,
      output, lse);
  return LaunchStatus();
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int mla_paged_decode(const DLTensor* q_nope, const DLTensor* q_pe,
                                const DLTensor* ckv_cache,
                                const DLTensor* kpe_cache,
                                const DLTensor* kv_indptr,
                                const DLTensor* kv_indices, float sm_scale,
                                DLTensor* output, DLTensor* lse, void* stream) {
  using namespace assay;
  if (!IsBfloat16(q_nope->dtype)) return kUnsupportedDtype;
  if (ckv_cache->shape[1] != 1 || q_nope->shape[1] % kHeads != 0 ||
      q_nope->shape[2] != kCkv || q_pe->shape[2] != kKpe) {
    return kUnsupportedShape;
  }
  const Shape shape = {q_nope->shape[0], q_nope->shape[1],
                       kv_indices->shape[0]};
  return MlaDecode(Data<T>(q_nope), Data<T>(q_pe), Data<T>(ckv_cache),
                   Data<T>(kpe_cache), Data<int32_t>(kv_indptr),
                   Data<int32_t>(kv_indices), sm_scale, shape, Data<T>(output),
                   Data<float>(lse), static_cast<cudaStream_t>(stream));
}
