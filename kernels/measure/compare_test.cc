#include "kernels/measure/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/measure/generate.h"

namespace assay::measure {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Tolerance kTolerance = {0.01, 0.01};

std::vector<char> Tensor(ElementType type, const std::vector<double>& values) {
  std::vector<char> data(values.size() / ValuesPerElement(type) *
                         ElementBytes(type));
  for (size_t i = 0; i < values.size(); ++i) {
    StoreFromDouble(type, values[i], data.data(), i);
  }
  return data;
}

CompareResult CompareValues(ElementType type, const std::vector<double>& got,
                            const std::vector<double>& want,
                            const Tolerance& tolerance = kTolerance) {
  return Compare(type, Tensor(type, got).data(), Tensor(type, want).data(),
                 want.size() / ValuesPerElement(type), tolerance);
}

struct PairCase {
  const char* what;
  double got;
  double want;
  bool wrong;
  bool mismatch;
  double abs_error;
};

// Values that all floating-point types with infinities hold exactly.
const PairCase kPairCases[] = {
    {"equal", 1.5, 1.5, false, false, 0},
    {"zeros of both signs", 0.0, -0.0, false, false, 0},
    {"far off", 2, 1, true, false, 1},
    {"opposite sign", -1, 1, true, false, 2},
    {"large, within rtol", 1032, 1024, false, false, 8},
    {"small, within atol", 0x1p-7, 0x1p-8, false, false, 0x1p-8},
    {"want zero, within atol", 0x1p-7, 0, false, false, 0x1p-7},
    {"want zero, beyond atol", 0x1p-6, 0, true, false, 0x1p-6},
    {"got zero", 0, 1, true, false, 1},
    {"both NaN", kNan, kNan, false, false, 0},
    {"both +Inf", kInfinity, kInfinity, false, false, 0},
    {"both -Inf", -kInfinity, -kInfinity, false, false, 0},
    {"infinities of different sign", kInfinity, -kInfinity, true, true,
     kInfinity},
    {"NaN for a number", kNan, 1, true, true, kInfinity},
    {"a number for NaN", 1, kNan, true, true, kInfinity},
    {"+Inf for a number", kInfinity, 1, true, true, kInfinity},
    {"-Inf for a number", -kInfinity, 1, true, true, kInfinity},
    {"a number for +Inf", 1, kInfinity, true, true, kInfinity},
    {"NaN for +Inf", kNan, kInfinity, true, true, kInfinity},
    {"+Inf for NaN", kInfinity, kNan, true, true, kInfinity},
    {"zero for NaN", 0, kNan, true, true, kInfinity},
};

class FloatCompareTest : public testing::TestWithParam<ElementType> {};

TEST_P(FloatCompareTest, JudgesPairsByTheRule) {
  for (const PairCase& c : kPairCases) {
    // float8_e5m2 has no 1032.
    if (GetParam() == ElementType::kFloat8E5M2 && c.got == 1032) continue;
    SCOPED_TRACE(c.what);
    const CompareResult result = CompareValues(GetParam(), {c.got}, {c.want});
    EXPECT_EQ(result.count, 1U);
    EXPECT_EQ(result.wrong, c.wrong ? 1U : 0U);
    EXPECT_EQ(result.nonfinite_mismatches, c.mismatch ? 1U : 0U);
    EXPECT_EQ(result.max_abs_error, c.abs_error);
    EXPECT_FALSE(std::isnan(result.max_rel_error));
    EXPECT_EQ(std::isinf(result.max_rel_error), c.mismatch);
  }
}

// Positions around the ends of the runs that the loops work in.
TEST_P(FloatCompareTest, OneWrongValueIsFoundAtAnyPlace) {
  for (const size_t count : {1, 2, 7, 511, 512, 513, 1024, 1300}) {
    const std::vector<double> want(count, 1);
    for (const size_t place : {size_t{0}, count / 2, count - 1}) {
      std::vector<double> got = want;
      got[place] = -3;
      const CompareResult result = CompareValues(GetParam(), got, want);
      ASSERT_EQ(result.count, count);
      ASSERT_EQ(result.wrong, 1U);
      ASSERT_EQ(result.worst_index, place);
      ASSERT_EQ(result.worst_got, -3);
      ASSERT_EQ(result.worst_want, 1);
      ASSERT_EQ(result.max_abs_error, 4);
      ASSERT_NEAR(result.max_rel_error, 4, 1e-6);
    }
  }
}

TEST_P(FloatCompareTest, MatchesTheRuleAppliedOneByOne) {
  constexpr size_t kCount = 5000;
  std::vector<char> got(kCount * ElementBytes(GetParam()));
  std::vector<char> want(got.size());
  Generate(GetParam(), got.data(), kCount, {{1, 2, 3, 4}}, 0);
  Generate(GetParam(), want.data(), kCount, {{1, 2, 3, 4}}, 1);
  const Tolerance tolerance = {0.5, 0.5};
  const CompareResult result =
      Compare(GetParam(), got.data(), want.data(), kCount, tolerance);
  uint64_t wrong = 0;
  double max_abs = 0;
  double max_rel = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const double g = LoadAsDouble(GetParam(), got.data(), i);
    const double w = LoadAsDouble(GetParam(), want.data(), i);
    const double abs_error = std::abs(g - w);
    const double rel_error = abs_error / (std::abs(w) + 1e-8);
    if (abs_error > 0.5 && rel_error > 0.5) ++wrong;
    max_abs = std::max(max_abs, abs_error);
    max_rel = std::max(max_rel, rel_error);
  }
  EXPECT_EQ(result.wrong, wrong);
  EXPECT_EQ(result.nonfinite_mismatches, 0U);
  EXPECT_NEAR(result.max_abs_error, max_abs, 1e-6 * max_abs);
  EXPECT_NEAR(result.max_rel_error, max_rel, 1e-6 * max_rel);
  EXPECT_GT(result.MatchedRatio(), 0.1);
  EXPECT_LT(result.MatchedRatio(), 0.9);
}

TEST_P(FloatCompareTest, ToleranceIsExclusive) {
  // Both errors exactly at, then just over, the limits.
  EXPECT_EQ(CompareValues(GetParam(), {1.5}, {1}, {0.5, 0}).wrong, 0U);
  EXPECT_EQ(CompareValues(GetParam(), {1.5}, {1}, {0.4999, 0}).wrong, 1U);
  EXPECT_EQ(CompareValues(GetParam(), {1.5}, {1}, {0, 0.5}).wrong, 0U);
  EXPECT_EQ(CompareValues(GetParam(), {1.5}, {1}, {0, 0.4999}).wrong, 1U);
}

TEST_P(FloatCompareTest, InfiniteToleranceForgivesNoMismatch) {
  const Tolerance everything = {kInfinity, kInfinity};
  EXPECT_EQ(CompareValues(GetParam(), {5}, {1}, everything).wrong, 0U);
  EXPECT_EQ(CompareValues(GetParam(), {kNan}, {1}, everything).wrong, 1U);
}

INSTANTIATE_TEST_SUITE_P(AllTypes, FloatCompareTest,
                         testing::Values(ElementType::kFloat64,
                                         ElementType::kFloat32,
                                         ElementType::kFloat16,
                                         ElementType::kBFloat16,
                                         ElementType::kFloat8E5M2),
                         [](const auto& info) -> std::string {
                           return ElementTypeName(info.param);
                         });

TEST(CompareTest, WorstIsTheLargestErrorAndTheFirstOfEquals) {
  std::vector<double> got(2000, 1);
  const std::vector<double> want(2000, 1);
  got[100] = 2;
  got[900] = 5;
  got[901] = 5;
  got[1900] = -3;
  const CompareResult result = CompareValues(ElementType::kFloat32, got, want);
  EXPECT_EQ(result.wrong, 4U);
  EXPECT_EQ(result.worst_index, 900U);
  EXPECT_EQ(result.worst_got, 5);
}

TEST(CompareTest, WorstIsAWrongValueEvenWhenARightOneErrsMore) {
  const CompareResult result =
      CompareValues(ElementType::kFloat32, {1005, 1}, {1000, 0.5});
  EXPECT_EQ(result.wrong, 1U);
  EXPECT_EQ(result.worst_index, 1U);
  EXPECT_EQ(result.max_abs_error, 5);
}

TEST(CompareTest, AMismatchIsWorseThanAnyNumber) {
  const CompareResult result =
      CompareValues(ElementType::kFloat32, {1e38, kNan, kNan}, {0, 1, 2});
  EXPECT_EQ(result.wrong, 3U);
  EXPECT_EQ(result.nonfinite_mismatches, 2U);
  EXPECT_EQ(result.worst_index, 1U);
  EXPECT_TRUE(std::isnan(result.worst_got));
  EXPECT_EQ(result.worst_want, 1);
}

TEST(CompareTest, ADifferenceThatOverflowsIsInfiniteButNoMismatch) {
  const CompareResult result =
      CompareValues(ElementType::kFloat32, {3e38}, {-3e38});
  EXPECT_EQ(result.wrong, 1U);
  EXPECT_EQ(result.nonfinite_mismatches, 0U);
  EXPECT_EQ(result.max_abs_error, kInfinity);
}

TEST(CompareTest, RelativeErrorOfZeroIsTakenOverEpsilon) {
  const CompareResult result = CompareValues(ElementType::kFloat32, {0.5}, {0});
  EXPECT_NEAR(result.max_rel_error, 0.5 / 1e-8, 10);
}

TEST(CompareTest, SubnormalDifferencesAreSeen) {
  const CompareResult result =
      CompareValues(ElementType::kFloat32, {0x1p-149}, {0}, {0, 0});
  EXPECT_EQ(result.wrong, 1U);
  EXPECT_EQ(result.max_abs_error, 0x1p-149);
}

TEST(CompareTest, Float64IsComparedInFloat64) {
  const CompareResult result = CompareValues(
      ElementType::kFloat64, {1 + 0x1p-40}, {1}, {0x1p-41, 0x1p-41});
  EXPECT_EQ(result.wrong, 1U);
  EXPECT_EQ(result.max_abs_error, 0x1p-40);
}

TEST(CompareTest, Float8E4M3FNHasOneNan) {
  const CompareResult result =
      CompareValues(ElementType::kFloat8E4M3FN, {kNan, -kNan, 448, kNan},
                    {kNan, kNan, kNan, 448});
  EXPECT_EQ(result.nonfinite_mismatches, 2U);
  EXPECT_EQ(result.wrong, 2U);
}

TEST(CompareTest, Float4CountsBothValuesOfAByte) {
  std::vector<double> got(1200, 1);
  const std::vector<double> want(1200, 1);
  got[1023] = 6;
  const CompareResult result =
      CompareValues(ElementType::kFloat4E2M1FNx2, got, want);
  EXPECT_EQ(result.count, 1200U);
  EXPECT_EQ(result.wrong, 1U);
  EXPECT_EQ(result.worst_index, 1023U);
  EXPECT_EQ(result.worst_got, 6);
}

class IntegerCompareTest : public testing::TestWithParam<ElementType> {};

TEST_P(IntegerCompareTest, OffByOneIsWrongWhateverTheTolerance) {
  std::vector<double> got(1000, 100);
  const std::vector<double> want(1000, 100);
  got[700] = 101;
  const CompareResult result = CompareValues(GetParam(), got, want, {1e9, 1e9});
  EXPECT_EQ(result.count, 1000U);
  EXPECT_EQ(result.wrong, 1U);
  EXPECT_EQ(result.nonfinite_mismatches, 0U);
  EXPECT_EQ(result.max_abs_error, 1);
  EXPECT_NEAR(result.max_rel_error, 0.01, 1e-9);
  EXPECT_EQ(result.worst_index, 700U);
  EXPECT_EQ(result.worst_got, 101);
  EXPECT_EQ(result.worst_want, 100);
}

TEST_P(IntegerCompareTest, WorstIsTheLargestErrorAndTheFirstOfEquals) {
  const CompareResult result =
      CompareValues(GetParam(), {0, 1, 9, 0, 9}, {0, 0, 0, 9, 0});
  EXPECT_EQ(result.wrong, 4U);
  EXPECT_EQ(result.worst_index, 2U);
}

INSTANTIATE_TEST_SUITE_P(AllTypes, IntegerCompareTest,
                         testing::Values(ElementType::kInt64,
                                         ElementType::kInt32,
                                         ElementType::kInt16,
                                         ElementType::kInt8,
                                         ElementType::kUInt8),
                         [](const auto& info) -> std::string {
                           return ElementTypeName(info.param);
                         });

TEST(CompareTest, Int64BeyondTheExactDoublesIsComparedExactly) {
  const int64_t got[] = {(int64_t{1} << 60) + 1};
  const int64_t want[] = {int64_t{1} << 60};
  const CompareResult result =
      Compare(ElementType::kInt64, got, want, 1, kTolerance);
  EXPECT_EQ(result.wrong, 1U);
  EXPECT_EQ(result.max_abs_error, 1);
}

TEST(CompareTest, Int64DifferencesDoNotOverflow) {
  const int64_t got[] = {std::numeric_limits<int64_t>::min()};
  const int64_t want[] = {std::numeric_limits<int64_t>::max()};
  EXPECT_EQ(
      Compare(ElementType::kInt64, got, want, 1, kTolerance).max_abs_error,
      0x1p64);
  EXPECT_EQ(
      Compare(ElementType::kInt64, want, got, 1, kTolerance).max_abs_error,
      0x1p64);
}

TEST(CompareTest, BoolIsComparedByItsByte) {
  const uint8_t got[] = {0, 1, 2, 255};
  const uint8_t want[] = {0, 1, 1, 1};
  const CompareResult result =
      Compare(ElementType::kBool, got, want, 4, kTolerance);
  EXPECT_EQ(result.wrong, 2U);
  EXPECT_EQ(result.worst_index, 3U);
}

TEST(CompareTest, NoElementsMatch) {
  const CompareResult result =
      Compare(ElementType::kFloat32, nullptr, nullptr, 0, kTolerance);
  EXPECT_EQ(result.count, 0U);
  EXPECT_EQ(result.wrong, 0U);
  EXPECT_EQ(result.MatchedRatio(), 1);
}

TEST(CompareTest, MatchedRatioIsTheShareOfRightValues) {
  EXPECT_EQ(CompareValues(ElementType::kFloat32, {1, 1, 1, 9}, {1, 1, 1, 1})
                .MatchedRatio(),
            0.75);
}

TEST(CompareTest, DoesNotNeedAlignment) {
  for (const ElementType type : kElementTypes) {
    SCOPED_TRACE(ElementTypeName(type));
    constexpr size_t kCount = 1100;
    std::vector<char> got(kCount * ElementBytes(type) + 1);
    std::vector<char> want(kCount * ElementBytes(type) + 3);
    Generate(type, got.data() + 1, kCount, {{1, 2, 3, 4}}, 0);
    Generate(type, want.data() + 3, kCount, {{1, 2, 3, 4}}, 0);
    EXPECT_EQ(
        Compare(type, got.data() + 1, want.data() + 3, kCount, {0, 0}).wrong,
        0U);
  }
}

}  // namespace
}  // namespace assay::measure
