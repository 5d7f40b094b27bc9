#include "kernels/measure/softmax.h"

#include <algorithm>
#include <cstdint>

#include "kernels/measure/attributes.h"
#include "kernels/measure/convert.h"
#include "kernels/measure/float_math.h"

namespace assay::measure {
namespace {

constexpr size_t kRun = 512;

float Largest(const float* values, size_t count, float largest) {
  for (size_t i = 0; i < count; ++i) {
    largest = values[i] > largest ? values[i] : largest;
  }
  return largest;
}

// Replaces each value by e^(value - largest).
ASSAY_VECTOR_CLONES
void Exponentials(float* values, size_t count, float largest) {
  for (size_t i = 0; i < count; ++i) {
    values[i] = ExpOfNonPositive(values[i] - largest);
  }
}

// Terms are in [0, 1]: 36 bits behind the point leave room for 2^27 of them. A
// float has 24 bits, so the sum in double precision, and the rounding, is
// exact.
uint64_t SumFixedPoint(const float* values, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const double scaled = static_cast<double>(values[i]) * 0x1p36;
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): not negative, and exact.
    sum += static_cast<uint64_t>(scaled + 0.5);
  }
  return sum;
}

ASSAY_VECTOR_CLONES
void Divide(float* values, size_t count, float divisor) {
  for (size_t i = 0; i < count; ++i) values[i] /= divisor;
}

// Calls `use(values, elements, place)` for run after run of a row.
template <typename Use>
void ForEachRun(ElementType type, char* row, size_t cols, Use use) {
  float values[kRun];
  for (size_t col = 0; col < cols; col += kRun) {
    const size_t elements = std::min(kRun, cols - col);
    char* place = row + col * ElementBytes(type);
    ToFloats(type, place, elements, values);
    use(values, elements, place);
  }
}

void SoftmaxRow(ElementType type, char* row, size_t cols) {
  float largest = -3.402823466e38F;
  ForEachRun(type, row, cols, [&](float* values, size_t count, char*) {
    largest = Largest(values, count, largest);
  });
  uint64_t fixed_sum = 0;
  ForEachRun(type, row, cols, [&](float* values, size_t count, char*) {
    Exponentials(values, count, largest);
    fixed_sum += SumFixedPoint(values, count);
  });
  const auto sum = static_cast<float>(static_cast<double>(fixed_sum) * 0x1p-36);
  ForEachRun(type, row, cols, [&](float* values, size_t count, char* place) {
    Exponentials(values, count, largest);
    Divide(values, count, sum);
    FromFloats(type, values, count, place);
  });
}

}  // namespace

bool SoftmaxRows(ElementType type, void* data, size_t rows, size_t cols) {
  if (type != ElementType::kFloat32 && type != ElementType::kFloat16 &&
      type != ElementType::kBFloat16) {
    return false;
  }
  const size_t row_bytes = cols * ElementBytes(type);
  for (size_t row = 0; row < rows; ++row) {
    SoftmaxRow(type, static_cast<char*>(data) + row * row_bytes, cols);
  }
  return true;
}

}  // namespace assay::measure
