// C = A * B^T in register tiles.
//
// Both operands are contiguous along K, so a tile of kRows x kColumns outputs
// keeps one vector of partial sums per output in registers, and each vector of
// A and B loaded serves a whole row or column of the tile. A is small (tokens)
// and converted to float once; B is large (weights) and streamed once per kRows
// rows of A.

#include <dlpack/dlpack.h>

#include <cstdint>
#include <vector>

#include "bf16.h"
#include "dl_tensor.h"
#include "simd.h"

namespace assay {
namespace {

// Kernel: one tile. k is a multiple of kLanes.
template <int kRows, int kColumns>
void GemmTile(const float* a, const Bf16* b, int64_t n, int64_t k, Bf16* c) {
  F32x16 sum[kRows][kColumns] = {};
  for (int64_t p = 0; p < k; p += kLanes) {
    F32x16 column[kColumns];
    for (int j = 0; j < kColumns; ++j) column[j] = Load(b + j * k + p);
    for (int i = 0; i < kRows; ++i) {
      const F32x16 row = Load(a + i * k + p);
      for (int j = 0; j < kColumns; ++j) sum[i][j] += row * column[j];
    }
  }
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      Assign(ReduceSum(sum[i][j]), &c[i * n + j]);
    }
  }
}

// Kernel: kRows rows of C. n is a multiple of kColumns.
template <int kRows, int kColumns>
void GemmRows(const float* a, const Bf16* b, int64_t n, int64_t k, Bf16* c) {
  for (int64_t j = 0; j < n; j += kColumns) {
    GemmTile<kRows, kColumns>(a, b + j * k, n, k, c + j);
  }
}

// Launcher. Fewer rows leave registers for more columns: the number of sums in
// flight must cover the latency of the multiply-add.
void Gemm(const Bf16* a, const Bf16* b, int64_t m, int64_t n, int64_t k,
          Bf16* c) {
  std::vector<float> a_float(m * k);
  for (int64_t i = 0; i < m * k; i += kLanes) Store(Load(a + i), &a_float[i]);
  int64_t i = 0;
  for (; i + 4 <= m; i += 4) {
    GemmRows<4, 4>(&a_float[i * k], b, n, k, c + i * n);
  }
  const float* rest = a_float.data() + i * k;
  switch (m - i) {
    case 1:
      GemmRows<1, 8>(rest, b, n, k, c + i * n);
      break;
    case 2:
      GemmRows<2, 8>(rest, b, n, k, c + i * n);
      break;
    case 3:
      GemmRows<3, 4>(rest, b, n, k, c + i * n);
      break;
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int gemm(const DLTensor* A, const DLTensor* B, DLTensor* C,
                    void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(A->dtype)) return kUnsupportedDtype;
  const int64_t m = A->shape[0], n = B->shape[0], k = A->shape[1];
  if (n % 8 != 0 || k % kLanes != 0) return kUnsupportedShape;
  Gemm(Data<Bf16>(A), Data<Bf16>(B), m, n, k, Data<Bf16>(C));
  return kOk;
}
