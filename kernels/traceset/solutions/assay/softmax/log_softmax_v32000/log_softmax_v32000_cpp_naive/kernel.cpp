// Log-softmax in three passes over a row: its maximum, the sum of exponentials,
// the result.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dl_tensor.h"

namespace assay {
namespace {

void LogSoftmax(const float* x, float temperature, int64_t rows, int64_t size,
                float* y) {
  for (int64_t r = 0; r < rows; ++r, x += size, y += size) {
    const float max = *std::max_element(x, x + size) / temperature;
    float sum = 0;
    for (int64_t i = 0; i < size; ++i)
      sum += std::exp(x[i] / temperature - max);
    const float log_sum = max + std::log(sum);
    for (int64_t i = 0; i < size; ++i) y[i] = x[i] / temperature - log_sum;
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int log_softmax(const DLTensor* logits, float temperature,
                           DLTensor* logprobs, void* /*stream*/) {
  using namespace assay;
  if (!IsFloat32(logits->dtype)) return kUnsupportedDtype;
  LogSoftmax(Data<float>(logits), temperature, logits->shape[0],
             logits->shape[1], Data<float>(logprobs));
  return kOk;
}
