// Honest: times its variants at the first call and takes the fastest.
#include <chrono>
#include <initializer_list>

#include "operators.h"

namespace {

void Blocked(const DLTensor* x, DLTensor* y, int64_t block) {
  for (int64_t begin = 0; begin < Rows(x); begin += block) {
    const int64_t rows = begin + block > Rows(x) ? Rows(x) - begin : block;
    LogSoftmaxRows(In(x) + begin * Columns(x), Out(y) + begin * Columns(x),
                   rows, Columns(x));
  }
}

int64_t Tune(const DLTensor* x, DLTensor* y) {
  int64_t best = 1;
  auto best_time = std::chrono::steady_clock::duration::max();
  for (const int64_t block : {1, 16, 256}) {
    const auto start = std::chrono::steady_clock::now();
    Blocked(x, y, block);
    const auto time = std::chrono::steady_clock::now() - start;
    if (time < best_time) {
      best_time = time;
      best = block;
    }
  }
  return best;
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  static const int64_t block = Tune(x, y);
  Blocked(x, y, block);
  return 0;
}
