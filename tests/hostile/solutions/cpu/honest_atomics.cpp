// Honest: threads add to shared sums in an order that differs each time.
#include <atomic>
#include <thread>
#include <vector>

#include "operators.h"

namespace {

void Add(std::atomic<float>& sum, float value) {
  float before = sum.load();
  while (!sum.compare_exchange_weak(before, before + value)) {
  }
}

void AddColumns(const DLTensor* x, std::vector<std::atomic<float>>& sums,
                int64_t begin, int64_t end) {
  for (int64_t row = 0; row < Rows(x); ++row) {
    for (int64_t i = begin; i < end; i += 64) {
      float part = 0;
      for (int64_t j = i; j < i + 64; ++j) part += In(x)[row * Columns(x) + j];
      Add(sums[static_cast<size_t>(row)], part);
    }
  }
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  std::vector<std::atomic<float>> sums(static_cast<size_t>(Rows(x)));
  const int64_t half = Columns(x) / 2;
  std::thread other([&] { AddColumns(x, sums, 0, half); });
  AddColumns(x, sums, half, Columns(x));
  other.join();
  for (int64_t row = 0; row < Rows(x); ++row) {
    Out(y)[row] = sums[static_cast<size_t>(row)];
  }
  return 0;
}
