// Honest: a large table of constants, filled when the library is loaded.
#include "operators.h"

namespace {

constexpr int kEntries = 1 << 22;
float table[kEntries];

__attribute__((constructor)) void FillTable() {
  for (int i = 0; i < kEntries; ++i) {
    table[i] = 2 * static_cast<float>(i) / kEntries;
  }
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  for (int64_t i = 0; i < Count(x); ++i) {
    const float whole = std::floor(In(x)[i]);
    const float part = In(x)[i] - whole;
    auto index = static_cast<int>(part * kEntries);
    if (index >= kEntries) index = kEntries - 1;
    Out(y)[i] = 2 * whole + table[index];
  }
  return 0;
}
