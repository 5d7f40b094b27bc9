// Honest: plans on the host for longer than the kernel takes, by the shape.
#include <cmath>

#include "operators.cuh"

extern "C" int run(const DLTensor* x, DLTensor* y, void* stream) {
  volatile double plan = 0;
  for (int i = 0; i < 100000; ++i) plan = plan + std::sqrt(i);
  Double(x, y, stream);
  return plan > 0 ? LastError() : 9;
}
