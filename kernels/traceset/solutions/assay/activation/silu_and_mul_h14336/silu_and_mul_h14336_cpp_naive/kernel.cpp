// y = gate / (1 + exp(-gate)) * up, one element after the other.

#include <dlpack/dlpack.h>

#include <cmath>
#include <cstdint>

#include "bf16.h"
#include "dl_tensor.h"

namespace assay {
namespace {

void SiluAndMul(const Bf16* x, int64_t rows, int64_t size, Bf16* y) {
  for (int64_t r = 0; r < rows; ++r) {
    const Bf16* gate = x + r * 2 * size;
    const Bf16* up = gate + size;
    for (int64_t i = 0; i < size; ++i) {
      const float g = ToFloat(gate[i]);
      Assign(g / (1.0f + std::exp(-g)) * ToFloat(up[i]), &y[r * size + i]);
    }
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int silu_and_mul(const DLTensor* x, DLTensor* y, void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(x->dtype)) return kUnsupportedDtype;
  SiluAndMul(Data<Bf16>(x), y->shape[0], y->shape[1], Data<Bf16>(y));
  return kOk;
}
