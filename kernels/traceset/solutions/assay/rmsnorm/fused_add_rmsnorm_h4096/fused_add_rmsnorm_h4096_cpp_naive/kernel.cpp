// Residual addition and RMSNorm, one plain loop after the other:
//   sum = hidden_states + residual
//   output = sum / sqrt(mean(sum^2) + eps) * weight

#include <dlpack/dlpack.h>

#include <cmath>
#include <cstdint>

#include "bf16.h"
#include "dl_tensor.h"

namespace assay {
namespace {

void FusedAddRmsNorm(const Bf16* x, const Bf16* residual, const Bf16* weight,
                     float eps, int64_t rows, int64_t hidden_size, Bf16* y,
                     Bf16* residual_out) {
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t row = r * hidden_size;
    float square_sum = 0;
    for (int64_t i = row; i < row + hidden_size; ++i) {
      const float sum = ToFloat(x[i]) + ToFloat(residual[i]);
      Assign(sum, &residual_out[i]);
      square_sum += sum * sum;
    }
    const float scale = 1.0f / std::sqrt(square_sum / hidden_size + eps);
    for (int64_t i = row; i < row + hidden_size; ++i) {
      const float sum = ToFloat(x[i]) + ToFloat(residual[i]);
      Assign(sum * scale * ToFloat(weight[i - row]), &y[i]);
    }
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int fused_add_rmsnorm(const DLTensor* hidden_states,
                                 const DLTensor* residual,
                                 const DLTensor* weight, float eps,
                                 DLTensor* output, DLTensor* residual_out,
                                 void* /*stream*/) {
  using namespace assay;
  if (!IsBfloat16(hidden_states->dtype)) return kUnsupportedDtype;
  FusedAddRmsNorm(Data<Bf16>(hidden_states), Data<Bf16>(residual),
                  Data<Bf16>(weight), eps, hidden_states->shape[0],
                  hidden_states->shape[1], Data<Bf16>(output),
                  Data<Bf16>(residual_out));
  return kOk;
}
