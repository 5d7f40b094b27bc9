// Tensor-core building blocks of compute capability 8.0 and later: asynchronous
// copies to shared memory, matrix loads from it, and the 16x8x16 product of
// bfloat16 matrices that accumulates in float.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

namespace assay {

__device__ __forceinline__ uint32_t SharedAddress(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// Starts the copy of 16 bytes from global to shared memory.
__device__ __forceinline__ void CopyAsync(void* shared, const void* global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(
                   SharedAddress(shared)),
               "l"(global)
               : "memory");
}

__device__ __forceinline__ void CommitCopies() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}

// Waits until at most kPending committed groups of this thread are unfinished.
template <int kPending>
__device__ __forceinline__ void WaitCopies() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending) : "memory");
}

// Loads four 8x8 matrices. Lane i points at row i % 8 of matrix i / 8; lane i
// receives elements 2 * (i % 4) and the next of row i / 4 of each of them.
__device__ __forceinline__ void LoadMatrices(const void* row,
                                             uint32_t (&r)[4]) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"(SharedAddress(row))
      : "memory");
}

// As LoadMatrices, each matrix transposed on the way.
__device__ __forceinline__ void LoadMatricesTransposed(const void* row,
                                                       uint32_t (&r)[4]) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"(SharedAddress(row))
      : "memory");
}

// c[16][8] += a[16][16] * b[16][8]. Lane i holds in c[0], c[1] row i / 4,
// columns 2 * (i % 4) and the next; in c[2], c[3] the same of row i / 4 + 8.
__device__ __forceinline__ void MultiplyAdd(const uint32_t (&a)[4], uint32_t b0,
                                            uint32_t b1, float (&c)[4]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

}  // namespace assay
