// A kernel of one block that takes a given time.
#pragma once

#include <cstdint>

// Of the clock that the loop counts: an H200 that is not held back.
constexpr int64_t kCyclesPerMicrosecond = 1980;
constexpr int kThreads = 256;

__global__ void DoubleSlowly(const float* x, int64_t cycles, float* y,
                             int64_t count) {
  const int64_t start = clock64();
  for (int64_t i = threadIdx.x; i < count; i += kThreads) y[i] = x[i] * 2;
  while (clock64() - start < cycles) {
  }
}
