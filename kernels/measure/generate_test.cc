#include "kernels/measure/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace assay::measure {
namespace {

constexpr Key kKey = {{1, 2, 3, 4}};

std::vector<char> Bytes(ElementType type, size_t count, const Key& key = kKey,
                        uint32_t stream = 0) {
  std::vector<char> data(count * ElementBytes(type));
  Generate(type, data.data(), count, key, stream);
  return data;
}

std::vector<double> Values(ElementType type, size_t count) {
  const std::vector<char> data = Bytes(type, count);
  std::vector<double> values(count * ValuesPerElement(type));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = LoadAsDouble(type, data.data(), i);
  }
  return values;
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double Moment(const std::vector<double>& values, int power) {
  double sum = 0;
  for (const double value : values) sum += std::pow(value, power);
  return sum / static_cast<double>(values.size());
}

// Largest distance between the distribution of the values and the normal one.
double KolmogorovSmirnov(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  double worst = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double normal = 0.5 * std::erfc(-values[i] / std::sqrt(2.0));
    worst = std::max(worst, std::abs(normal - static_cast<double>(i) / count));
    worst =
        std::max(worst, std::abs(normal - static_cast<double>(i + 1) / count));
  }
  return worst;
}

std::string NameOf(const testing::TestParamInfo<ElementType>& info) {
  return ElementTypeName(info.param);
}

class EveryTypeTest : public testing::TestWithParam<ElementType> {};

TEST_P(EveryTypeTest, ValuesDoNotDependOnTheCount) {
  const std::vector<char> whole = Bytes(GetParam(), 1500);
  for (const size_t count : {1, 3, 127, 128, 129, 255, 256, 257, 1025}) {
    const std::vector<char> part = Bytes(GetParam(), count);
    ASSERT_TRUE(std::equal(part.begin(), part.end(), whole.begin())) << count;
  }
}

TEST_P(EveryTypeTest, WritesNothingBehindTheEnd) {
  for (const size_t count : {0, 1, 100, 256, 300}) {
    const size_t bytes = count * ElementBytes(GetParam());
    std::vector<char> data(bytes + 64, 0x5A);
    Generate(GetParam(), data.data(), count, kKey, 0);
    ASSERT_EQ(std::string(data.data() + bytes, 64), std::string(64, 0x5A));
  }
}

TEST_P(EveryTypeTest, AnUnalignedTensorGetsTheSameValues) {
  const std::vector<char> want = Bytes(GetParam(), 300);
  std::vector<char> data(want.size() + 1);
  Generate(GetParam(), data.data() + 1, 300, kKey, 0);
  EXPECT_TRUE(std::equal(want.begin(), want.end(), data.begin() + 1));
}

TEST_P(EveryTypeTest, KeyAndStreamChooseOtherValues) {
  const std::vector<char> one = Bytes(GetParam(), 300);
  EXPECT_EQ(one, Bytes(GetParam(), 300));
  EXPECT_NE(one, Bytes(GetParam(), 300, kKey, 1));
  Key other = kKey;
  other.words[3] ^= 1;
  EXPECT_NE(one, Bytes(GetParam(), 300, other));
}

INSTANTIATE_TEST_SUITE_P(AllTypes, EveryTypeTest,
                         testing::ValuesIn(kElementTypes), NameOf);

class NormalTypeTest : public testing::TestWithParam<ElementType> {};

// The key is fixed, so these either hold or do not. 400,000 values make the
// standard errors 0.0016 (mean), 0.0022 (variance) and 0.0077 (fourth moment);
// the 99.9 % bound of the Kolmogorov-Smirnov distance is 0.0031.
TEST_P(NormalTypeTest, ValuesAreStandardNormal) {
  const std::vector<double> values = Values(GetParam(), 400000);
  EXPECT_NEAR(Mean(values), 0, 0.005);
  EXPECT_NEAR(Moment(values, 2), 1, 0.007);
  EXPECT_NEAR(Moment(values, 3), 0, 0.02);
  EXPECT_NEAR(Moment(values, 4), 3, 0.04);
  // Rounding to 8 bits of mantissa adds up to half the density times a step.
  EXPECT_LT(KolmogorovSmirnov(values),
            GetParam() == ElementType::kBFloat16 ? 0.005 : 0.0031);
}

TEST_P(NormalTypeTest, NeighboursAreNotCorrelated) {
  const std::vector<double> values = Values(GetParam(), 400000);
  for (const size_t lag : {1, 2, 3, 4, 256}) {
    double sum = 0;
    for (size_t i = lag; i < values.size(); ++i) {
      sum += values[i] * values[i - lag];
    }
    EXPECT_NEAR(sum / static_cast<double>(values.size()), 0, 0.006) << lag;
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, NormalTypeTest,
                         testing::Values(ElementType::kFloat64,
                                         ElementType::kFloat32,
                                         ElementType::kFloat16,
                                         ElementType::kBFloat16),
                         NameOf);

class ClampedTypeTest : public testing::TestWithParam<ElementType> {};

TEST_P(ClampedTypeTest, ValuesAreNormalWithinTwo) {
  const std::vector<double> values = Values(GetParam(), 200000);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -2.0);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 2.0);
  EXPECT_NEAR(Mean(values), 0, 0.01);
  // A clamped normal has a variance of 0.920; rounding to few bits adds to it.
  EXPECT_NEAR(Moment(values, 2), 0.93, 0.03);
}

TEST_P(ClampedTypeTest, ValuesAreTheFloatsOfTheSameStreamRounded) {
  const std::vector<double> values = Values(GetParam(), 1000);
  const std::vector<double> floats =
      Values(ElementType::kFloat32, 1000 * ValuesPerElement(GetParam()));
  for (size_t i = 0; i < values.size(); ++i) {
    char data[1] = {};
    StoreFromDouble(GetParam(), std::clamp(floats[i], -2.0, 2.0), data, 0);
    ASSERT_EQ(values[i], LoadAsDouble(GetParam(), data, 0)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, ClampedTypeTest,
                         testing::Values(ElementType::kFloat8E4M3FN,
                                         ElementType::kFloat8E5M2,
                                         ElementType::kFloat4E2M1FNx2),
                         NameOf);

struct Range {
  ElementType type;
  double low;
  double high;
};

class IntegerTypeTest : public testing::TestWithParam<Range> {};

TEST_P(IntegerTypeTest, ValuesAreUniformOverTheRange) {
  const std::vector<double> values = Values(GetParam().type, 200000);
  std::map<double, int> seen;
  for (const double value : values) ++seen[value];
  const double size = GetParam().high - GetParam().low + 1;
  EXPECT_EQ(seen.begin()->first, GetParam().low);
  EXPECT_EQ(seen.rbegin()->first, GetParam().high);
  EXPECT_EQ(static_cast<double>(seen.size()), size);
  const double expected = static_cast<double>(values.size()) / size;
  double chi_squared = 0;
  for (const auto& [value, times] : seen) {
    chi_squared += std::pow(times - expected, 2) / expected;
  }
  // Mean size - 1, standard deviation sqrt(2 (size - 1)): four of them.
  EXPECT_LT(chi_squared, size - 1 + 4 * std::sqrt(2 * (size - 1)));
}

INSTANTIATE_TEST_SUITE_P(
    AllTypes, IntegerTypeTest,
    testing::Values(Range{ElementType::kInt64, -1024, 1023},
                    Range{ElementType::kInt32, -1024, 1023},
                    Range{ElementType::kInt16, -1024, 1023},
                    Range{ElementType::kInt8, -128, 127},
                    Range{ElementType::kUInt8, 0, 255},
                    Range{ElementType::kBool, 0, 1}),
    [](const auto& info) -> std::string {
      return ElementTypeName(info.param.type);
    });

TEST(GenerateTest, Float64IsNoWidenedFloat32) {
  const std::vector<double> values = Values(ElementType::kFloat64, 1000);
  const auto widened =
      std::count_if(values.begin(), values.end(), [](double value) {
        return value == static_cast<double>(static_cast<float>(value));
      });
  EXPECT_LT(widened, 3);
}

TEST(GenerateTest, LowPrecisionValuesAreTheFloatsOfTheSameStreamRounded) {
  const std::vector<double> floats = Values(ElementType::kFloat32, 1000);
  const std::vector<double> values = Values(ElementType::kBFloat16, 1000);
  for (size_t i = 0; i < values.size(); ++i) {
    char data[2];
    StoreFromDouble(ElementType::kBFloat16, floats[i], data, 0);
    ASSERT_EQ(values[i], LoadAsDouble(ElementType::kBFloat16, data, 0));
  }
}

// Guards the bits: seeds written in old results must reproduce their inputs,
// and other processors must agree.
TEST(GenerateTest, StaysTheSameForEver) {
  float floats[4];
  Generate(ElementType::kFloat32, floats, 4, kKey, 7);
  EXPECT_THAT(floats, testing::ElementsAre(0x1.704c2cp+0F, 0x1.3a9292p-1F,
                                           0x1.0d7868p-2F, 0x1.235b4ap+0F));
  double doubles[2];
  Generate(ElementType::kFloat64, doubles, 2, kKey, 7);
  EXPECT_THAT(doubles,
              testing::ElementsAre(0x1.704c2aa0a91ecp+0, 0x1.3a9291dc56d06p-1));
}

}  // namespace
}  // namespace assay::measure
