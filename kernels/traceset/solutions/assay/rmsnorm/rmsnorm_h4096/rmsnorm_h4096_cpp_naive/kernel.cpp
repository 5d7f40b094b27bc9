// RMSNorm as the formula reads: y = x / sqrt(mean(x^2) + eps) * weight.

#include <dlpack/dlpack.h>

#include <cmath>
#include <cstdint>

#include "bf16.h"
#include "dl_tensor.h"

namespace assay {
namespace {

void RmsNorm(const Bf16* x, const Bf16* weight, float eps, int64_t rows,
             int64_t hidden_size, Bf16* y) {
  for (int64_t r = 0; r < rows; ++r, x += hidden_size, y += hidden_size) {
    float square_sum = 0;
    for (int64_t i = 0; i < hidden_size; ++i) {
      square_sum += ToFloat(x[i]) * ToFloat(x[i]);
    }
    const float scale = 1.0f / std::sqrt(square_sum / hidden_size + eps);
    for (int64_t i = 0; i < hidden_size; ++i) {
      Assign(ToFloat(x[i]) * scale * ToFloat(weight[i]), &y[i]);
    }
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int rmsnorm(const DLTensor* hidden_states, const DLTensor* weight,
                       float eps, DLTensor* output, void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(hidden_states->dtype)) return kUnsupportedDtype;
  RmsNorm(Data<Bf16>(hidden_states), Data<Bf16>(weight), eps,
          hidden_states->shape[0], hidden_states->shape[1], Data<Bf16>(output));
  return kOk;
}
