// Reading and writing GPU memory in vectors of 16 bytes. Internal to this
// folder.

#ifndef ASSAY_KERNELS_MEASURE_CUDA_MEMORY_CUH_
#define ASSAY_KERNELS_MEASURE_CUDA_MEMORY_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/measure/cuda_grid.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {

__device__ inline bool IsAligned(const void* data) {
  return reinterpret_cast<uintptr_t>(data) % kVectorBytes == 0;
}

// Reads once, whatever the compiler would like: another process may be writing.
// Nothing is read again, so nothing is kept in the first-level cache.
__device__ inline Vector LoadVector(const void* data) {
  Vector vector;
  asm volatile(
      "ld.relaxed.gpu.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(vector.words[0]), "=r"(vector.words[1]), "=r"(vector.words[2]),
        "=r"(vector.words[3])
      : "l"(data)
      : "memory");
  return vector;
}

// Reads the first `bytes` bytes of a vector at any address, each once; the
// others are 0.
__device__ inline Vector LoadBytes(const void* data, uint64_t bytes) {
  const auto* in = static_cast<const volatile uint8_t*>(data);
  Vector vector = {};
#pragma unroll
  for (int i = 0; i < kVectorBytes; ++i) {
    const uint32_t byte = i < bytes ? in[i] : 0U;
    vector.words[i / 4] |= byte << (8 * (i % 4));
  }
  return vector;
}

// Reads vector number `index` of a region; what lies behind its end is 0.
__device__ inline Vector LoadVectorOf(const void* data, uint64_t bytes,
                                      uint64_t index) {
  const uint64_t offset = index * kVectorBytes;
  if (offset >= bytes) return Vector{};
  const auto* place = static_cast<const char*>(data) + offset;
  const uint64_t rest = bytes - offset;
  return rest >= kVectorBytes && IsAligned(place) ? LoadVector(place)
                                                  : LoadBytes(place, rest);
}

// Reads the vectors that a thread has in a tile of a region, kBlockThreads
// apart from number `first` on. All threads of a block read a tile together.
template <int kVectors>
__device__ inline void LoadTile(const void* data, uint64_t bytes,
                                uint64_t first, Vector (&tile)[kVectors]) {
  const uint64_t start = (first - threadIdx.x) * kVectorBytes;
  constexpr uint64_t kTileBytes =
      uint64_t{kBlockThreads} * kVectors * kVectorBytes;
  if (IsAligned(data) && start + kTileBytes <= bytes) {
    const auto* place = static_cast<const char*>(data) + first * kVectorBytes;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      tile[i] = LoadVector(place + i * kBlockThreads * kVectorBytes);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    tile[i] = LoadVectorOf(data, bytes, first + i * kBlockThreads);
  }
}

// Writes the first `bytes` bytes of a vector to any address.
__device__ inline void StoreBytes(const Vector& vector, uint64_t bytes,
                                  void* data) {
  auto* out = static_cast<uint8_t*>(data);
#pragma unroll
  for (int i = 0; i < kVectorBytes; ++i) {
    if (i < bytes) {
      out[i] = static_cast<uint8_t>(vector.words[i / 4] >> (8 * (i % 4)));
    }
  }
}

// Writes vector number `index` of a region, up to the end of the region.
__device__ inline void StoreVectorOf(const Vector& vector, void* data,
                                     uint64_t bytes, uint64_t index) {
  const uint64_t offset = index * kVectorBytes;
  if (offset >= bytes) return;
  auto* place = static_cast<char*>(data) + offset;
  const uint64_t rest = bytes - offset;
  if (rest >= kVectorBytes && IsAligned(place)) {
    *reinterpret_cast<Vector*>(place) = vector;
  } else {
    StoreBytes(vector, rest, place);
  }
}

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CUDA_MEMORY_CUH_
