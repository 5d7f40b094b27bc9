// Softmax without subtracting the maximum: overflows on the inputs given.
#include "operators.h"

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  for (int64_t row = 0; row < Rows(x); ++row) {
    const float* in = In(x) + row * Columns(x);
    float* out = Out(y) + row * Columns(x);
    float sum = 0;
    for (int64_t i = 0; i < Columns(x); ++i) sum += std::exp(32 * in[i]);
    const float log_sum = std::log(sum);
    for (int64_t i = 0; i < Columns(x); ++i) out[i] = 32 * in[i] - log_sum;
  }
  return 0;
}
