#include "kernels/measure/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/measure/generate.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{1, 2, 3, 4}};

// In double precision, straight from the definition.
std::vector<double> Reference(const std::vector<double>& row) {
  double sum = 0;
  for (const double value : row) sum += std::exp(value);
  std::vector<double> result;
  result.reserve(row.size());
  for (const double value : row) result.push_back(std::exp(value) / sum);
  return result;
}

void ExpectRowsMatchReference(ElementType type, size_t rows, size_t cols,
                              double tolerance) {
  std::vector<char> data(rows * cols * ElementBytes(type));
  Generate(type, data.data(), rows * cols, kKey, 0);
  const std::vector<char> before = data;
  ASSERT_TRUE(SoftmaxRows(type, data.data(), rows, cols));
  for (size_t row = 0; row < rows; ++row) {
    std::vector<double> logits;
    for (size_t col = 0; col < cols; ++col) {
      logits.push_back(LoadAsDouble(type, before.data(), row * cols + col));
    }
    const std::vector<double> want = Reference(logits);
    for (size_t col = 0; col < cols; ++col) {
      const double got = LoadAsDouble(type, data.data(), row * cols + col);
      ASSERT_NEAR(got, want[col], tolerance * want[col]) << row << " " << col;
    }
  }
}

TEST(SoftmaxTest, Float32RowsMatchTheDefinition) {
  ExpectRowsMatchReference(ElementType::kFloat32, 3, 1300, 1e-6);
}

TEST(SoftmaxTest, Float16RowsMatchTheDefinition) {
  ExpectRowsMatchReference(ElementType::kFloat16, 2, 50, 0x1p-11);
}

TEST(SoftmaxTest, BFloat16RowsMatchTheDefinition) {
  ExpectRowsMatchReference(ElementType::kBFloat16, 2, 700, 0x1p-8);
}

TEST(SoftmaxTest, ALongRowSumsToOne) {
  std::vector<float> row(200000);
  Generate(ElementType::kFloat32, row.data(), row.size(), kKey, 0);
  ASSERT_TRUE(SoftmaxRows(ElementType::kFloat32, row.data(), 1, row.size()));
  double sum = 0;
  for (const float value : row) sum += double{value};
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(SoftmaxTest, TheSumDoesNotDependOnTheOrder) {
  std::vector<float> forward(3000);
  Generate(ElementType::kFloat32, forward.data(), forward.size(), kKey, 0);
  std::vector<float> backward(forward.rbegin(), forward.rend());
  ASSERT_TRUE(
      SoftmaxRows(ElementType::kFloat32, forward.data(), 1, forward.size()));
  ASSERT_TRUE(
      SoftmaxRows(ElementType::kFloat32, backward.data(), 1, backward.size()));
  EXPECT_EQ(forward, std::vector<float>(backward.rbegin(), backward.rend()));
}

TEST(SoftmaxTest, LargeValuesDoNotOverflow) {
  constexpr float kMax = std::numeric_limits<float>::max();
  float row[] = {kMax, 0, -kMax, kMax};
  ASSERT_TRUE(SoftmaxRows(ElementType::kFloat32, row, 1, 4));
  EXPECT_EQ(row[0], 0.5F);
  EXPECT_EQ(row[1], 0.0F);
  EXPECT_EQ(row[2], 0.0F);
  EXPECT_EQ(row[3], 0.5F);
}

TEST(SoftmaxTest, VerySmallValuesAreADistributionToo) {
  constexpr float kMax = std::numeric_limits<float>::max();
  float row[] = {-kMax, -kMax};
  ASSERT_TRUE(SoftmaxRows(ElementType::kFloat32, row, 1, 2));
  EXPECT_EQ(row[0], 0.5F);
  EXPECT_EQ(row[1], 0.5F);
}

TEST(SoftmaxTest, OneColumnIsCertain) {
  float column[] = {-5, 0, 9};
  ASSERT_TRUE(SoftmaxRows(ElementType::kFloat32, column, 3, 1));
  for (const float value : column) EXPECT_EQ(value, 1.0F);
}

TEST(SoftmaxTest, NothingIsFine) {
  EXPECT_TRUE(SoftmaxRows(ElementType::kFloat32, nullptr, 0, 10));
  EXPECT_TRUE(SoftmaxRows(ElementType::kFloat32, nullptr, 10, 0));
}

TEST(SoftmaxTest, OtherTypesAreRefusedAndUntouched) {
  for (const ElementType type :
       {ElementType::kFloat64, ElementType::kFloat8E4M3FN,
        ElementType::kInt32}) {
    uint64_t data[2] = {3, 4};
    EXPECT_FALSE(SoftmaxRows(type, data, 1, 2));
    EXPECT_EQ(data[0], 3U);
    EXPECT_EQ(data[1], 4U);
  }
}

}  // namespace
}  // namespace assay::measure
