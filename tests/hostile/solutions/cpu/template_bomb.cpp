// Doubles the compiler's work at each of 40 levels: the build has a deadline.
#include "operators.h"

template <int kLevel, long kPath>
struct Bomb {
  static constexpr long kValue = Bomb<kLevel - 1, kPath * 2>::kValue +
                                 Bomb<kLevel - 1, kPath * 2 + 1>::kValue;
};
template <long kPath>
struct Bomb<0, kPath> {
  static constexpr long kValue = kPath;
};

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  return Bomb<40, 1>::kValue == 0;
}
