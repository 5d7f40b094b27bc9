// C = A * B^T as three nested loops.

#include <dlpack/dlpack.h>

#include <cstdint>

#include "bf16.h"
#include "dl_tensor.h"

namespace assay {
namespace {

void Gemm(const Bf16* a, const Bf16* b, int64_t m, int64_t n, int64_t k,
          Bf16* c) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < k; ++p) {
        sum += ToFloat(a[i * k + p]) * ToFloat(b[j * k + p]);
      }
      Assign(sum, &c[i * n + j]);
    }
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int gemm(const DLTensor* A, const DLTensor* B, DLTensor* C,
                    void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(A->dtype)) return kUnsupportedDtype;
  Gemm(Data<Bf16>(A), Data<Bf16>(B), A->shape[0], B->shape[0], A->shape[1],
       Data<Bf16>(C));
  return kOk;
}
