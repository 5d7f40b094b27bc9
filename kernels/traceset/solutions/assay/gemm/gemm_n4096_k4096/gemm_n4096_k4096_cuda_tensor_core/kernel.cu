// C = A * B^T, two kernels for two regimes.
//
// Up to eight rows of A (decoding), the time is that of reading B once: a block
// per column of C streams its row of B with 16-byte loads.
//
// With more rows, tensor cores: a block computes a tile of C, eight warps a
// part of it each, while the next slices of A and B travel to shared memory
// behind asynchronous copies. Sixteen-byte chunks are stored permuted by row,
// which keeps both the copies and the matrix loads free of bank conflicts.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>

#include "cuda_util.cuh"
#include "dl_tensor.h"
#include "mma.cuh"

namespace assay {
namespace {

using T = __nv_bfloat16;

constexpr int kFewRowsWarps = 4;

// Kernel for few rows: block j computes column j for all kRows rows, its warps
// taking turns along K.
template <int kRows>
__global__ void FewRowsKernel(const T* __restrict__ a, const T* __restrict__ b,
                              int64_t n, int k, T* __restrict__ c) {
  constexpr int kSize = Vec<T>::kSize;
  b += int64_t{blockIdx.x} * k;
  float sum[kRows] = {};
#pragma unroll 4
  for (int p = threadIdx.x * kSize; p < k; p += blockDim.x * kSize) {
    const Vec<T> weight = LoadVec(b + p);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const Vec<T> value = LoadVec(a + int64_t{i} * k + p);
#pragma unroll
      for (int e = 0; e < kSize; ++e) {
        sum[i] += ToFloat(value.lane[e]) * ToFloat(weight.lane[e]);
      }
    }
  }

  __shared__ float warp_sum[kFewRowsWarps][kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const float total = WarpSum(sum[i]);
    if (threadIdx.x % kWarpSize == 0) {
      warp_sum[threadIdx.x / kWarpSize][i] = total;
    }
  }
  __syncthreads();
  if (threadIdx.x >= kRows) return;
  float total = 0;
  for (int w = 0; w < kFewRowsWarps; ++w) total += warp_sum[w][threadIdx.x];
  Assign(total, &c[threadIdx.x * n + blockIdx.x]);
}

constexpr int kThreads = 256;
constexpr int kWarpRows = 2;     // warps along M
constexpr int kWarpColumns = 4;  // warps along N
constexpr int kDepth = 64;       // elements of K in a slice: 8 chunks a row
constexpr int kChunk = 8;        // elements in 16 bytes

// Where chunk `chunk` of row `row` of a slice is stored.
__device__ __forceinline__ int ChunkOffset(int row, int chunk) {
  return row * kDepth + (chunk ^ (row % 8)) * kChunk;
}

// Starts copying kTileRows rows of a slice. Rows past the end repeat the last
// one; what is computed from them is never stored.
template <int kTileRows>
__device__ __forceinline__ void CopySlice(const T* matrix, int64_t first_row,
                                          int64_t num_rows, int64_t k,
                                          T* shared) {
  constexpr int kChunksPerRow = kDepth / kChunk;
#pragma unroll
  for (int i = threadIdx.x; i < kTileRows * kChunksPerRow; i += kThreads) {
    const int row = i / kChunksPerRow;
    const int chunk = i % kChunksPerRow;
    const int64_t source = min(first_row + row, num_rows - 1);
    CopyAsync(shared + ChunkOffset(row, chunk),
              matrix + source * k + chunk * kChunk);
  }
}

// Kernel for many rows, with kStages slices in shared memory. n is a multiple
// of kTileN, k of kDepth.
template <int kTileM, int kTileN, int kStages>
__global__ void __launch_bounds__(kThreads, 2)
    TensorCoreKernel(const T* __restrict__ a, const T* __restrict__ b,
                     int64_t m, int64_t n, int64_t k, T* __restrict__ c) {
  constexpr int kBlocksM = kTileM / kWarpRows / 16;    // 16-row blocks a warp
  constexpr int kBlocksN = kTileN / kWarpColumns / 8;  // 8-column blocks a warp
  static_assert(kBlocksN % 2 == 0, "B is loaded two blocks at a time");
  extern __shared__ __align__(128) unsigned char shared_bytes[];
  T* shared_a = reinterpret_cast<T*>(shared_bytes);
  T* shared_b = shared_a + kStages * kTileM * kDepth;

  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const int warp_m = warp / kWarpColumns * (kTileM / kWarpRows);
  const int warp_n = warp % kWarpColumns * (kTileN / kWarpColumns);
  const int64_t tile_m = int64_t{blockIdx.x} * kTileM;
  const int64_t tile_n = int64_t{blockIdx.y} * kTileN;
  const int num_slices = k / kDepth;

  const auto copy = [&](int slice) {
    if (slice < num_slices) {
      const int stage = slice % kStages;
      CopySlice<kTileM>(a + slice * kDepth, tile_m, m, k,
                        shared_a + stage * kTileM * kDepth);
      CopySlice<kTileN>(b + slice * kDepth, tile_n, n, k,
                        shared_b + stage * kTileN * kDepth);
    }
    CommitCopies();  // empty groups too: WaitCopies counts them
  };

  for (int slice = 0; slice < kStages - 1; ++slice) copy(slice);
  float sum[kBlocksM][kBlocksN][4] = {};
  for (int slice = 0; slice < num_slices; ++slice) {
    WaitCopies<kStages - 2>();
    __syncthreads();  // slice has arrived, and slice - 1 is no longer read
    copy(slice + kStages - 1);
    const T* slice_a = shared_a + slice % kStages * kTileM * kDepth;
    const T* slice_b = shared_b + slice % kStages * kTileN * kDepth;
#pragma unroll
    for (int chunk = 0; chunk < kDepth / kChunk; chunk += 2) {
      uint32_t fragment_a[kBlocksM][4];
      uint32_t fragment_b[kBlocksN / 2][4];
#pragma unroll
      for (int i = 0; i < kBlocksM; ++i) {
        const int row = warp_m + i * 16 + lane % 16;
        LoadMatrices(slice_a + ChunkOffset(row, chunk + lane / 16),
                     fragment_a[i]);
      }
#pragma unroll
      for (int j = 0; j < kBlocksN / 2; ++j) {
        const int row = warp_n + j * 16 + lane / 16 * 8 + lane % 8;
        LoadMatrices(slice_b + ChunkOffset(row, chunk + lane / 8 % 2),
                     fragment_b[j]);
      }
#pragma unroll
      for (int i = 0; i < kBlocksM; ++i) {
#pragma unroll
        for (int j = 0; j < kBlocksN; ++j) {
          MultiplyAdd(fragment_a[i], fragment_b[j / 2][j % 2 * 2],
                      fragment_b[j / 2][j % 2 * 2 + 1], sum[i][j]);
        }
      }
    }
  }

#pragma unroll
  for (int i = 0; i < kBlocksM; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int64_t row = tile_m + warp_m + i * 16 + half * 8 + lane / 4;
      if (row >= m) continue;
#pragma unroll
      for (int j = 0; j < kBlocksN; ++j) {
        const int64_t column = tile_n + warp_n + j * 8 + lane % 4 * 2;
        *reinterpret_cast<__nv_bfloat162*>(c + row * n + column) =
            __floats2bfloat162_rn(sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
      }
    }
  }
}

template <int kTileM, int kTileN, int kStages>
int LaunchTiles(const T* a, const T* b, int64_t m, int64_t n, int64_t k, T* c,
                cudaStream_t stream) {
  constexpr int kSharedBytes = kStages * (kTileM + kTileN) * kDepth * sizeof(T);
  const auto kernel = TensorCoreKernel<kTileM, kTileN, kStages>;
  const cudaError_t error = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  if (error != cudaSuccess) return error;
  // Blocks that run together share columns of B while they sweep A.
  const dim3 grid(CeilDiv(m, kTileM), n / kTileN);
  kernel<<<grid, kThreads, kSharedBytes, stream>>>(a, b, m, n, k, c);
  return LaunchStatus();
}

template <int kRows>
int LaunchFewRows(const T* a, const T* b, int64_t m, int64_t n, int64_t k, T* c,
                  cudaStream_t stream) {
  if (m < kRows) {
    return LaunchFewRows<std::max(kRows - 1, 1)>(a, b, m, n, k, c, stream);
  }
  FewRowsKernel<kRows>
      <<<n, kFewRowsWarps * kWarpSize, 0, stream>>>(a, b, n, k, c);
  return LaunchStatus();
}

// Launcher. Small tiles where large ones would leave multiprocessors idle, and
// more slices of them, so that few blocks still have many bytes on the way.
int Gemm(const T* a, const T* b, int64_t m, int64_t n, int64_t k, T* c,
         cudaStream_t stream) {
  constexpr int kMaxFewRows = 8;
  constexpr int64_t kBlocksWanted = 132;
  if (m <= kMaxFewRows) {
    return LaunchFewRows<kMaxFewRows>(a, b, m, n, k, c, stream);
  }
  if (CeilDiv(m, 128) * (n / 128) >= kBlocksWanted) {
    return LaunchTiles<128, 128, 3>(a, b, m, n, k, c, stream);
  }
  return LaunchTiles<64, 64, 6>(a, b, m, n, k, c, stream);
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int gemm(const DLTensor* A, const DLTensor* B, DLTensor* C,
                    void* stream) {
  using namespace assay;
  if (!IsBfloat16(A->dtype)) return kUnsupportedDtype;
  const int64_t m = A->shape[0], n = B->shape[0], k = A->shape[1];
  if (m == 0) return kOk;
  if (n % 128 != 0 || k % 256 != 0) return kUnsupportedShape;
  return Gemm(Data<T>(A), Data<T>(B), m, n, k, Data<T>(C),
              static_cast<cudaStream_t>(stream));
}
