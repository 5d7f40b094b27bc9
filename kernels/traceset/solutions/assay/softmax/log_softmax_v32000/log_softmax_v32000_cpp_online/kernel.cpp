// Log-softmax with one reading pass and one writing pass. The reading pass goes
// block by block: it finds the maximum of a block while bringing it into the
// first-level cache, rescales the running sum if that is a new maximum, then
// adds the block's exponentials, sixteen at a time.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "bf16.h"
#include "dl_tensor.h"
#include "simd.h"

namespace assay {
namespace {

constexpr float kLog2E = 1.44269504f;

// The maximum of x[0 ... count). count is a multiple of kLanes.
float MaxOf(const float* x, int64_t count) {
  F32x16 max = Load(x);
  for (int64_t i = kLanes; i < count; i += kLanes) max = Max(max, Load(x + i));
  return ReduceMax(max);
}

// The base-2 logarithm of the sum of 2^(x * scale), for a positive scale.
float Log2SumExp2(const float* x, float scale, int64_t size) {
  constexpr int64_t kBlock = 1024;
  float max = -std::numeric_limits<float>::infinity();
  float sum = 0;
  for (int64_t first = 0; first < size; first += kBlock) {
    const int64_t count = std::min(kBlock, size - first);
    const float block_max = MaxOf(x + first, count) * scale;
    if (block_max > max) {
      sum *= std::exp2(max - block_max);
      max = block_max;
    }
    F32x16 block_sum = {};
    for (int64_t i = first; i < first + count; i += kLanes) {
      block_sum += Exp2(Load(x + i) * scale - max);
    }
    sum += ReduceSum(block_sum);
  }
  return max + std::log2(sum);
}

void LogSoftmax(const float* x, float temperature, int64_t rows, int64_t size,
                float* y) {
  const float inverse = 1.0f / temperature;
  for (int64_t r = 0; r < rows; ++r, x += size, y += size) {
    const float log_sum = Log2SumExp2(x, inverse * kLog2E, size) / kLog2E;
    for (int64_t i = 0; i < size; i += kLanes) {
      Store(Load(x + i) * inverse - log_sum, y + i);
    }
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int log_softmax(const DLTensor* logits, float temperature,
                           DLTensor* logprobs, void* /*stream*/) {
  using namespace assay;
  if (!IsFloat32(logits->dtype)) return kUnsupportedDtype;
  const int64_t size = logits->shape[1];
  if (size % kLanes != 0) return kUnsupportedShape;
  LogSoftmax(Data<float>(logits), temperature, logits->shape[0], size,
             Data<float>(logprobs));
  return kOk;
}
