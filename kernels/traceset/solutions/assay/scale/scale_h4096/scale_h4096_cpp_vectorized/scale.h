// y = x * factor in vectors of sixteen. The kernel takes pointers and sizes and
// knows no framework; the bindings that include it add a signature each.
#pragma once

#include <cstdint>

#include "bf16.h"
#include "simd.h"

namespace assay {

template <typename T>
void Scale(const T* x, float factor, int64_t count, T* y) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) Store(Load(x + i) * factor, y + i);
  for (; i < count; ++i) Assign(ToFloat(x[i]) * factor, &y[i]);
}

}  // namespace assay
