// The honest answers, which attacks give where they have to.

#ifndef ASSAY_TESTS_HOSTILE_OPERATORS_H_
#define ASSAY_TESTS_HOSTILE_OPERATORS_H_

#include <dlpack/dlpack.h>

#include <cmath>
#include <cstdint>

inline int64_t Rows(const DLTensor* x) { return x->shape[0]; }
inline int64_t Columns(const DLTensor* x) { return x->shape[1]; }
inline int64_t Count(const DLTensor* x) { return Rows(x) * Columns(x); }
inline const float* In(const DLTensor* x) {
  return static_cast<const float*>(x->data);
}
inline float* Out(DLTensor* y) { return static_cast<float*>(y->data); }

// y = log softmax(32 x) of each row.
inline void LogSoftmaxRows(const float* in, float* out, int64_t rows,
                           int64_t columns) {
  for (int64_t row = 0; row < rows; ++row) {
    const float* x = in + row * columns;
    float* y = out + row * columns;
    float largest = x[0];
    for (int64_t i = 1; i < columns; ++i) {
      if (x[i] > largest) largest = x[i];
    }
    double sum = 0;
    for (int64_t i = 0; i < columns; ++i) {
      y[i] = 32 * (x[i] - largest);
      sum += std::exp(static_cast<double>(y[i]));
    }
    const auto log_sum = static_cast<float>(std::log(sum));
    for (int64_t i = 0; i < columns; ++i) y[i] -= log_sum;
  }
}

inline void LogSoftmax(const DLTensor* x, DLTensor* y) {
  LogSoftmaxRows(In(x), Out(y), Rows(x), Columns(x));
}

inline void Double(const DLTensor* x, DLTensor* y) {
  for (int64_t i = 0; i < Count(x); ++i) Out(y)[i] = In(x)[i] * 2;
}

inline void RowSums(const DLTensor* x, DLTensor* y) {
  for (int64_t row = 0; row < Rows(x); ++row) {
    double sum = 0;
    for (int64_t i = 0; i < Columns(x); ++i) {
      sum += In(x)[row * Columns(x) + i];
    }
    Out(y)[row] = static_cast<float>(sum);
  }
}

#endif  // ASSAY_TESTS_HOSTILE_OPERATORS_H_
