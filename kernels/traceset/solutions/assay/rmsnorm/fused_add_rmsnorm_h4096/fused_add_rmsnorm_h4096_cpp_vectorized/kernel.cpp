// Residual addition and RMSNorm in vectors of sixteen. The sums of a row are
// kept as float in a buffer that stays in the first-level cache, so the second
// pass reads neither input again.

#include <dlpack/dlpack.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "bf16.h"
#include "dl_tensor.h"
#include "simd.h"

namespace assay {
namespace {

// Adds one row, stores it rounded and unrounded, and returns the sum of its
// squares. count is a multiple of 2 * kLanes.
float AddRow(const Bf16* x, const Bf16* residual, int64_t count,
             Bf16* residual_out, float* total) {
  F32x16 square_sum[2] = {};
  for (int64_t i = 0; i < count; i += 2 * kLanes) {
    for (int u = 0; u < 2; ++u) {
      const int64_t p = i + u * kLanes;
      const F32x16 sum = Load(x + p) + Load(residual + p);
      Store(sum, residual_out + p);
      Store(sum, total + p);
      square_sum[u] += sum * sum;
    }
  }
  return ReduceSum(square_sum[0] + square_sum[1]);
}

void FusedAddRmsNorm(const Bf16* x, const Bf16* residual, const Bf16* weight,
                     float eps, int64_t rows, int64_t hidden_size, Bf16* y,
                     Bf16* residual_out) {
  std::vector<float> total(hidden_size);
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t row = r * hidden_size;
    const float square_sum = AddRow(x + row, residual + row, hidden_size,
                                    residual_out + row, total.data());
    const float scale = 1.0f / std::sqrt(square_sum / hidden_size + eps);
    for (int64_t i = 0; i < hidden_size; i += kLanes) {
      Store(Load(&total[i]) * scale * Load(weight + i), y + row + i);
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
  const int64_t hidden_size = hidden_states->shape[1];
  if (hidden_size % (2 * kLanes) != 0) return kUnsupportedShape;
  FusedAddRmsNorm(Data<Bf16>(hidden_states), Data<Bf16>(residual),
                  Data<Bf16>(weight), eps, hidden_states->shape[0], hidden_size,
                  Data<Bf16>(output), Data<Bf16>(residual_out));
  return kOk;
}
