#include "kernels/measure/compare_accumulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/measure/compare.h"
#include "kernels/measure/compare_integers.h"
#include "kernels/measure/compare_small_floats.h"
#include "kernels/measure/compare_small_integers.h"
#include "kernels/measure/compare_testing.h"
#include "kernels/measure/judge.h"

namespace assay::measure {
namespace {

constexpr size_t kLanes = 32;

struct Lane {
  Vector got;
  Vector want;
};

// Vector `index` of a tensor; what is behind the end is 0, as on the device.
Vector VectorAt(const std::vector<unsigned char>& data, size_t index) {
  Vector vector = {};
  const size_t offset = index * kVectorBytes;
  if (offset < data.size()) {
    std::memcpy(&vector, data.data() + offset,
                std::min(size_t{kVectorBytes}, data.size() - offset));
  }
  return vector;
}

template <typename Accumulator>
void Share(std::vector<Accumulator>* lanes) {
  Accumulator& first = lanes->front();
  for (const auto& lane : *lanes) first.Raise(lane.max_abs(), lane.max_rel());
  for (auto& lane : *lanes) lane.Raise(first.max_abs(), first.max_rel());
}

template <typename Codec>
void Share(std::vector<IntegerAccumulator<Codec>>*) {}

// As the threads of one warp compare a tensor.
template <typename Accumulator>
CompareResult CompareAsWarp(const TensorPair& pair, Accumulator start) {
  constexpr uint64_t kValues = Accumulator::Shape::kValues;
  std::vector<Accumulator> lanes(kLanes, start);
  for (size_t first = 0; first * kVectorBytes < pair.want.size();
       first += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const Vector got = VectorAt(pair.got, first + lane);
      const Vector want = VectorAt(pair.want, first + lane);
      const uint32_t units = lanes[lane].Screen(got, want);
      for (int unit = 0; unit < Accumulator::Shape::kUnits; ++unit) {
        if ((units >> unit & 1) == 0) continue;
        lanes[lane].AddUnit(unit, got, want, (first + lane) * kValues);
      }
    }
    Share(&lanes);
  }
  CompareSummary sum = {};
  // Not in order: it must not matter.
  for (size_t i = kLanes; i > 0; --i) Combine(lanes[i - 1].Summary(), &sum);
  CompareResult result;
  StoreResult(sum,
              pair.want.size() / ElementBytesOf<typename Accumulator::Codec>() *
                  (ElementBytesOf<typename Accumulator::Codec>() * 8 /
                   Accumulator::Codec::kBits),
              &result);
  return result;
}

template <typename Accumulator>
CompareResult CompareFloats(const TensorPair& pair,
                            const Tolerance& tolerance) {
  using T = typename Accumulator::Codec::Value;
  const Limits<T> limits = {static_cast<T>(tolerance.atol),
                            static_cast<T>(tolerance.rtol)};
  return CompareAsWarp(pair, Accumulator(limits));
}

CompareResult CompareByVectors(ElementType type, const TensorPair& pair,
                               const Tolerance& tolerance) {
  switch (type) {
    case ElementType::kFloat64:
      return CompareFloats<FloatAccumulator<Float64Codec>>(pair, tolerance);
    case ElementType::kFloat32:
      return CompareFloats<FloatAccumulator<Float32Codec>>(pair, tolerance);
    case ElementType::kFloat16:
      return CompareFloats<FloatAccumulator<Float16Codec>>(pair, tolerance);
    case ElementType::kBFloat16:
      return CompareFloats<FloatAccumulator<BFloat16Codec>>(pair, tolerance);
    case ElementType::kFloat8E4M3FN:
      return CompareFloats<SmallFloatAccumulator<Float8E4M3FNCodec>>(pair,
                                                                     tolerance);
    case ElementType::kFloat8E5M2:
      return CompareFloats<SmallFloatAccumulator<Float8E5M2Codec>>(pair,
                                                                   tolerance);
    case ElementType::kFloat4E2M1FNx2:
      return CompareFloats<SmallFloatAccumulator<Float4E2M1FNCodec>>(pair,
                                                                     tolerance);
    case ElementType::kInt64:
      return CompareAsWarp(pair, IntegerAccumulator<IntegerCodec<int64_t>>());
    case ElementType::kInt32:
      return CompareAsWarp(pair, IntegerAccumulator<IntegerCodec<int32_t>>());
    case ElementType::kInt16:
      return CompareAsWarp(pair,
                           SmallIntegerAccumulator<IntegerCodec<int16_t>>());
    case ElementType::kInt8:
      return CompareAsWarp(pair,
                           SmallIntegerAccumulator<IntegerCodec<int8_t>>());
    case ElementType::kUInt8:
    case ElementType::kBool:
      return CompareAsWarp(pair,
                           SmallIntegerAccumulator<IntegerCodec<uint8_t>>());
  }
  return {};
}

class CompareAccumulatorTest : public testing::TestWithParam<ElementType> {};

TEST_P(CompareAccumulatorTest, AgreesWithComparingOneByOne) {
  for (const PairKind kind : kPairKinds) {
    for (const size_t count : {0, 1, 7, 16, 33, 5001}) {
      const TensorPair pair = MakePair(GetParam(), kind, count);
      for (const Tolerance& tolerance : kTestTolerances) {
        EXPECT_EQ(Difference(CompareByVectors(GetParam(), pair, tolerance),
                             Compare(GetParam(), pair.got.data(),
                                     pair.want.data(), count, tolerance)),
                  "")
            << PairKindName(kind) << ", " << count << " elements, tolerance "
            << tolerance.atol << ", " << tolerance.rtol;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, CompareAccumulatorTest,
                         testing::ValuesIn(kElementTypes),
                         [](const auto& info) -> std::string {
                           return ElementTypeName(info.param);
                         });

TEST(CompareAccumulatorTest, ScreenPassesWhatCannotMatter) {
  FloatAccumulator<Float32Codec> accumulator({0.1F, 0.1F});
  const auto bits = [](float value) { return BitCast<uint32_t>(value); };
  const Vector want = {{bits(1), bits(1), bits(1), bits(1)}};
  const Vector far_off = {{bits(2), bits(1), bits(1), bits(1)}};
  ASSERT_EQ(accumulator.Screen(far_off, want), 1U);
  accumulator.AddUnit(0, far_off, want, 0);
  // Smaller relative errors than the largest so far, within the tolerance.
  const Vector near = {{bits(1.05F), bits(0.95F), bits(1), bits(1)}};
  EXPECT_EQ(accumulator.Screen(near, want), 0U);
  const Vector one_wrong = {{bits(1), bits(1), bits(1.5F), bits(1)}};
  EXPECT_EQ(accumulator.Screen(one_wrong, want), 4U);
}

// From one error to the next, the quotient grows by a little less than its last
// place, so some in a row have the same.
TEST(CompareAccumulatorTest, ScreenTellsLargerRelativeErrorsFromTies) {
  constexpr float kWant = 1.0625F;
  constexpr Limits<float> kWide = {1e30F, 1e30F};
  const auto vector = [](float value) {
    const auto bits = BitCast<uint32_t>(value);
    return Vector{{bits, bits, bits, bits}};
  };
  int ties = 0;
  float got = 3.3F;
  for (int i = 0; i < 1000; ++i) {
    FloatAccumulator<Float32Codec> accumulator(kWide);
    const float rel_error = Judge(got, kWant, kWide).rel_error;
    accumulator.Raise(100, rel_error);
    EXPECT_EQ(accumulator.Screen(vector(got), vector(kWant)), 0U) << i;
    got = std::nextafter(got, 4.0F);
    const bool tie = Judge(got, kWant, kWide).rel_error == rel_error;
    ties += tie ? 1 : 0;
    EXPECT_EQ(accumulator.Screen(vector(got), vector(kWant)), tie ? 0U : 0xFU)
        << i;
  }
  EXPECT_GT(ties, 10);
}

// Where the absolute error is too large and the relative one is not, or the
// other way round.
TEST(CompareAccumulatorTest, ScreenPassesWhatOneLimitAllows) {
  FloatAccumulator<Float32Codec> accumulator({0.01F, 0.01F});
  accumulator.Raise(100, 100);
  const auto bits = [](float value) { return BitCast<uint32_t>(value); };
  const Vector want = {{bits(100), bits(0.001F), bits(100), bits(1)}};
  const Vector got = {{bits(100.9F), bits(0.009F), bits(101.1F), bits(1)}};
  EXPECT_EQ(accumulator.Screen(got, want), 4U);
}

TEST(CompareSummaryTest, EqualErrorsKeepTheFirstIndexInEitherOrder) {
  const CompareSummary first = {1, 0, 5, 2, 1, 2, 3, 1};
  const CompareSummary later = {1, 0, 9, 2, 1, 2, 4, 2};
  CompareSummary forward = first;
  Combine(later, &forward);
  CompareSummary backward = later;
  Combine(first, &backward);
  EXPECT_EQ(forward.worst_index, 5U);
  EXPECT_EQ(backward.worst_index, 5U);
  EXPECT_EQ(backward.worst_got, 3);
  EXPECT_EQ(backward.wrong, 2U);
}

TEST(MultiplyDownTest, IsTheLargestNumberNotAboveTheProduct) {
  // 1 + 2^-23 squared is 1 + 2^-22 + 2^-46.
  EXPECT_EQ(MultiplyDown(1 + 0x1p-23F, 1 + 0x1p-23F), 1 + 0x1p-22F);
  const float down = MultiplyDown(0.1F, 0.3F);
  const double exact = static_cast<double>(0.1F) * static_cast<double>(0.3F);
  EXPECT_LE(static_cast<double>(down), exact);
  EXPECT_GT(static_cast<double>(std::nextafter(down, 1.0F)), exact);
  EXPECT_EQ(MultiplyDown(3e38F, 2.0F), std::numeric_limits<float>::max());
  EXPECT_LT(MultiplyDown(1e-30F, 1e-30F), 0x1p-149F);
  EXPECT_EQ(MultiplyDown(1e308, 10.0), std::numeric_limits<double>::max());
  EXPECT_EQ(MultiplyDown(1 - 0x1p-53, 1 - 0x1p-53), 1 - 0x1p-52);
}

}  // namespace
}  // namespace assay::measure
