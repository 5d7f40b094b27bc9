// The first screens of the small types, over every pair of values there is.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/measure/compare_integers.h"
#include "kernels/measure/compare_small_floats.h"
#include "kernels/measure/compare_small_integers.h"
#include "kernels/measure/judge.h"
#include "kernels/measure/nibble_screen.h"
#include "kernels/measure/vector_codec.h"

namespace assay::measure {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename Codec>
using FirstScreen = typename SmallFloatAccumulator<Codec>::FirstScreen;

template <typename Codec>
constexpr uint32_t kCodes = 1U << Codec::kBits;

// A unit of which all values are the same.
template <typename Codec>
uint32_t UnitOfAll(uint32_t code) {
  return 0xFFFFFFFFU / (kCodes<Codec> - 1) * code;
}

template <typename Codec>
class SmallFloatsTest : public testing::Test {};

using SmallFloatCodecs =
    testing::Types<Float8E4M3FNCodec, Float8E5M2Codec, Float4E2M1FNCodec>;
TYPED_TEST_SUITE(SmallFloatsTest, SmallFloatCodecs);

// Whatever the screen passes must be right and raise no maximum.
template <typename Codec>
void ExpectPassesNothingThatMatters(const Limits<float>& limits, float max_abs,
                                    float max_rel) {
  FirstScreen<Codec> screen(limits);
  screen.Raise(max_abs, max_rel);
  for (uint32_t want = 0; want < kCodes<Codec>; ++want) {
    const uint32_t want_unit = UnitOfAll<Codec>(want);
    for (uint32_t got = 0; got < kCodes<Codec>; ++got) {
      if (!screen.Passes(UnitOfAll<Codec>(got), want_unit)) continue;
      const Verdict<float> verdict =
          Judge(Codec::Decode(got), Codec::Decode(want), limits);
      ASSERT_TRUE(!verdict.wrong && verdict.abs_error <= max_abs &&
                  verdict.rel_error <= max_rel)
          << Codec::Decode(got) << " against " << Codec::Decode(want)
          << " after errors of " << max_abs << " and " << max_rel;
    }
  }
}

TYPED_TEST(SmallFloatsTest, PassesNothingThatMatters) {
  constexpr Limits<float> kLimits[] = {
      {0, 0}, {0.125F, 0.125F}, {0.3F, 0.3F}, {0.5F, 0}, {1e30F, 1e30F}};
  for (const Limits<float>& limits : kLimits) {
    for (const float max_abs : {0.0F, 0.25F, 240.0F, kInfinity}) {
      for (const float max_rel : {0.0F, 0.125F, 195312.5F, kInfinity}) {
        ExpectPassesNothingThatMatters<TypeParam>(limits, max_abs, max_rel);
      }
    }
  }
}

// The largest errors so far are those of one pair.
TYPED_TEST(SmallFloatsTest, PassesNothingThatMattersAfterAnyPair) {
  constexpr uint32_t kStep = kCodes<TypeParam> == 16 ? 1 : 37;
  constexpr Limits<float> kWide = {1e30F, 1e30F};
  for (uint32_t want = 0; want < kCodes<TypeParam>; want += kStep) {
    for (uint32_t got = 1; got < kCodes<TypeParam>; got += kStep) {
      const Verdict<float> verdict =
          Judge(TypeParam::Decode(got), TypeParam::Decode(want), kWide);
      ExpectPassesNothingThatMatters<TypeParam>(kWide, verdict.abs_error,
                                                verdict.rel_error);
    }
  }
}

TYPED_TEST(SmallFloatsTest, SeesEveryValueOfAUnit) {
  FirstScreen<TypeParam> screen({1e30F, 1e30F});
  EXPECT_TRUE(screen.Passes(0x12345678, 0x12345678));
  for (int bit = 0; bit < 32; bit += TypeParam::kBits) {
    EXPECT_FALSE(screen.Passes(0x12345678U ^ (1U << bit), 0x12345678)) << bit;
  }
}

// There can be very many such pairs.
TYPED_TEST(SmallFloatsTest, PassesTiesOfTheLargestRelativeErrorOfZeros) {
  FirstScreen<TypeParam> screen({1e30F, 1e30F});
  for (uint32_t got = 1; got < 8; ++got) {
    const uint32_t unit = UnitOfAll<TypeParam>(got);
    EXPECT_FALSE(screen.Passes(unit, 0));
    const Limits<float> any = {1, 1};
    screen.Raise(1000, Judge(TypeParam::Decode(got), 0.0F, any).rel_error);
    EXPECT_TRUE(screen.Passes(unit, 0)) << got;
  }
}

TYPED_TEST(SmallFloatsTest, PassesTiesOfTheLargestAbsoluteError) {
  FirstScreen<TypeParam> screen({1e30F, 1e30F});
  // Of neighbours in the middle of the range.
  const uint32_t code = kCodes<TypeParam> / 4;
  const uint32_t want = UnitOfAll<TypeParam>(code + 1);
  screen.Raise(std::fabs(TypeParam::Decode(code) - TypeParam::Decode(code + 1)),
               kInfinity);
  EXPECT_TRUE(screen.Passes(UnitOfAll<TypeParam>(code), want));
  EXPECT_FALSE(screen.Passes(UnitOfAll<TypeParam>(code + 3), want));
}

TEST(NibbleScreenTest, PassesAllThatCannotMatter) {
  constexpr Limits<float> kLimits = {1, 0.5F};
  NibbleScreen screen(kLimits);
  screen.Raise(2, 60);
  for (uint32_t want = 0; want < 16; ++want) {
    for (uint32_t got = 0; got < 16; ++got) {
      const Verdict<float> verdict =
          Judge(Float4E2M1FNCodec::Decode(got), Float4E2M1FNCodec::Decode(want),
                kLimits);
      EXPECT_EQ(
          screen.Passes(UnitOfAll<Float4E2M1FNCodec>(got),
                        UnitOfAll<Float4E2M1FNCodec>(want)),
          !verdict.wrong && verdict.abs_error <= 2 && verdict.rel_error <= 60)
          << got << " against " << want;
    }
  }
}

TEST(SmallIntegersTest, AddsWhatItScreensForEveryPair) {
  using Codec = IntegerCodec<int8_t>;
  SmallIntegerAccumulator<Codec> accumulator;
  CompareSummary expected = {};
  for (uint32_t pair = 0; pair < 65536; ++pair) {
    // Scattered, so that maxima rise step by step.
    const uint32_t mixed = (pair * 40503U) & 0xFFFFU;
    const Vector got = {{mixed & 0xFFU, 0, 0, 0}};
    const Vector want = {{mixed >> 8, 0, 0, 0}};
    const uint64_t first = uint64_t{pair} * 16;
    const uint32_t units = accumulator.Screen(got, want);
    if (units != 0) accumulator.AddUnit(0, got, want, first);
    accumulator.Raise(0, 0);
    AddIntegerPair(static_cast<int8_t>(mixed & 0xFFU),
                   static_cast<int8_t>(mixed >> 8), first, &expected);
    const CompareSummary summary = accumulator.Summary();
    ASSERT_EQ(summary.max_abs, expected.max_abs);
    ASSERT_EQ(summary.max_rel, expected.max_rel);
    ASSERT_EQ(summary.wrong, expected.wrong);
    ASSERT_EQ(summary.worst_index, expected.worst_index);
    ASSERT_EQ(summary.worst_got, expected.worst_got);
    ASSERT_EQ(summary.worst_want, expected.worst_want);
  }
}

TEST(SmallIntegersTest, ScreenCountsDifferencesAndPassesTies) {
  SmallIntegerAccumulator<IntegerCodec<int16_t>> accumulator;
  const Vector want = {{0, 0x00050000, 0, 0x80007FFF}};
  const Vector got = {{3, 0x00060000, 0, 0x80017FFF}};
  ASSERT_EQ(accumulator.Screen(got, want), 0xBU);
  accumulator.AddUnit(0, got, want, 0);
  accumulator.Raise(0, 0);
  EXPECT_EQ(accumulator.Screen(got, want), 0U);
  EXPECT_EQ(accumulator.Summary().wrong, 6U);
  EXPECT_EQ(accumulator.Summary().max_abs, 3);
}

TEST(NonzeroFieldsTest, CountsFieldsOfAnyBits) {
  EXPECT_EQ(NonzeroFields<8>(0), 0U);
  EXPECT_EQ(NonzeroFields<8>(0x80000001), 2U);
  EXPECT_EQ(NonzeroFields<8>(0xFF7F0100), 3U);
  EXPECT_EQ(NonzeroFields<16>(0x80000001), 2U);
  EXPECT_EQ(NonzeroFields<16>(0x00FF0000), 1U);
}

}  // namespace
}  // namespace assay::measure
