// DeepSeek-V3's routing without sorting. Sigmoids are computed eight at a time;
// the two best of a group fall out of a vector of bests and second bests; a
// short sorted list takes in the experts of the open groups.
//
// Scores are double: which expert is chosen must not depend on rounding.

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "dl_tensor.h"

namespace assay {
namespace {

constexpr int kExperts = 256;
constexpr int kGroups = 8;
constexpr int kOpenGroups = 4;
constexpr int kGroupSize = kExperts / kGroups;
constexpr int kTopK = 8;
constexpr double kNone = -std::numeric_limits<double>::infinity();

typedef double F64x8 __attribute__((vector_size(64)));
typedef int64_t I64x8 __attribute__((vector_size(64)));
typedef float F32x8 __attribute__((vector_size(32)));

// e^x to the last bits of a double, for |x| < 700.
inline F64x8 Exp(F64x8 x) {
  // x = n * ln(2) + r. ln(2) is subtracted in two parts, the first of which has
  // so few digits that n times it is exact.
  const F64x8 magic = F64x8{} + 6755399441055744.0;  // 1.5 * 2^52
  const F64x8 shifted = x * 1.4426950408889634 + magic;
  const F64x8 n = shifted - magic;
  const F64x8 r =
      (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  constexpr double kInverseFactorial[] = {1.0,
                                          1.0,
                                          1.0 / 2,
                                          1.0 / 6,
                                          1.0 / 24,
                                          1.0 / 120,
                                          1.0 / 720,
                                          1.0 / 5040,
                                          1.0 / 40320,
                                          1.0 / 362880,
                                          1.0 / 3628800,
                                          1.0 / 39916800,
                                          1.0 / 479001600,
                                          1.0 / 6227020800.0};
  F64x8 p = F64x8{} + kInverseFactorial[13];
  for (int i = 12; i >= 0; --i) p = p * r + kInverseFactorial[i];
  const I64x8 exponent = (I64x8)shifted - (I64x8)magic;
  return (F64x8)((I64x8)p + (exponent << 52));
}

inline F64x8 LoadDouble(const float* source) {
  F32x8 value;
  std::memcpy(&value, source, sizeof(value));
  return __builtin_convertvector(value, F64x8);
}

inline F64x8 Max(F64x8 a, F64x8 b) { return a > b ? a : b; }
inline F64x8 Min(F64x8 a, F64x8 b) { return a < b ? a : b; }

// The sum of the two largest of kGroupSize values.
double BestTwo(const double* value) {
  F64x8 best, second = F64x8{} + kNone;
  std::memcpy(&best, value, sizeof(best));
  for (int i = 8; i < kGroupSize; i += 8) {
    F64x8 next;
    std::memcpy(&next, value + i, sizeof(next));
    second = Max(second, Min(best, next));
    best = Max(best, next);
  }
  double first_value = kNone, second_value = kNone;
  for (int lane = 0; lane < 8; ++lane) {
    second_value = std::max(
        {second_value, std::min(first_value, best[lane]), second[lane]});
    first_value = std::max(first_value, best[lane]);
  }
  return first_value + second_value;
}

// Puts value and its number into a list of the `size` largest, in descending
// order. Offered in ascending order of numbers, smaller ones come first among
// equals.
void Insert(double value, int32_t number, int size, double* values,
            int32_t* numbers) {
  if (!(value > values[size - 1])) return;
  int place = size - 1;
  for (; place > 0 && value > values[place - 1]; --place) {
    values[place] = values[place - 1];
    numbers[place] = numbers[place - 1];
  }
  values[place] = value;
  numbers[place] = number;
}

void RouteToken(const float* logits, const float* bias, float scale,
                float* weights, int32_t* chosen) {
  double score[kExperts], biased[kExperts];
  for (int e = 0; e < kExperts; e += 8) {
    const F64x8 s = 1.0 / (1.0 + Exp(-LoadDouble(logits + e)));
    const F64x8 b = s + LoadDouble(bias + e);
    std::memcpy(score + e, &s, sizeof(s));
    std::memcpy(biased + e, &b, sizeof(b));
  }

  double worth[kOpenGroups];
  int32_t groups[kOpenGroups];
  std::fill(worth, worth + kOpenGroups, kNone);
  for (int g = 0; g < kGroups; ++g) {
    Insert(BestTwo(biased + g * kGroupSize), g, kOpenGroups, worth, groups);
  }
  std::sort(groups, groups + kOpenGroups);

  double best[kTopK];
  std::fill(best, best + kTopK, kNone);
  for (const int32_t g : groups) {
    for (int e = g * kGroupSize; e < (g + 1) * kGroupSize; ++e) {
      Insert(biased[e], e, kTopK, best, chosen);
    }
  }
  double sum = 0;
  for (int j = 0; j < kTopK; ++j) sum += score[chosen[j]];
  for (int j = 0; j < kTopK; ++j) {
    weights[j] = static_cast<float>(score[chosen[j]] / sum * scale);
  }
}

}  // namespace
}  // namespace assay

// Binding.
extern "C" int moe_routing_ds(const DLTensor* router_logits,
                              const DLTensor* routing_bias,
                              float routed_scaling_factor,
                              DLTensor* topk_weights, DLTensor* topk_ids,
                              void* /*stream*/) {
  using namespace assay;
  if (!IsFloat32(router_logits->dtype)) return kUnsupportedDtype;
  if (router_logits->shape[1] != kExperts || topk_ids->shape[1] != kTopK) {
    return kUnsupportedShape;
  }
  for (int64_t t = 0; t < router_logits->shape[0]; ++t) {
    RouteToken(Data<float>(router_logits) + t * kExperts,
               Data<float>(routing_bias), routed_scaling_factor,
               Data<float>(topk_weights) + t * kTopK,
               Data<int32_t>(topk_ids) + t * kTopK);
  }
  return kOk;
}
