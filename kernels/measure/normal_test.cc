#include "kernels/measure/normal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/measure/float_math.h"

namespace assay::measure {
namespace {

double RelativeError(float got, double want) {
  return std::abs(static_cast<double>(got) - want) / std::abs(want);
}

TEST(FloatMathTest, LogIsCloseToTheExactOne) {
  double worst = 0;
  // Every 37th float from 2^-31 up to, but without, 1.
  for (uint32_t bits = 0x30000000; bits < 0x3F800000; bits += 37) {
    const auto x = BitCast<float>(bits);
    worst = std::max(worst, RelativeError(Log(x), std::log(double{x})));
  }
  EXPECT_LT(worst, 0x1p-22);
  EXPECT_EQ(Log(1.0F), 0.0F);
}

TEST(FloatMathTest, LogTakesNumbersAboveOneToo) {
  EXPECT_LT(RelativeError(Log(10.0F), std::log(10.0)), 0x1p-22);
  EXPECT_LT(RelativeError(Log(3e38F), std::log(double{3e38F})), 0x1p-22);
}

TEST(FloatMathTest, ExpIsCloseToTheExactOne) {
  double worst = 0;
  for (float x = -87.0F; x <= 0.0F; x += 0x1p-13F) {
    worst = std::max(worst,
                     RelativeError(ExpOfNonPositive(x), std::exp(double{x})));
  }
  EXPECT_LT(worst, 0x1p-22);
  EXPECT_EQ(ExpOfNonPositive(0.0F), 1.0F);
}

TEST(FloatMathTest, ExpOfVeryNegativeIsZero) {
  EXPECT_EQ(ExpOfNonPositive(-87.01F), 0.0F);
  EXPECT_EQ(ExpOfNonPositive(-1e30F), 0.0F);
  EXPECT_EQ(ExpOfNonPositive(-std::numeric_limits<float>::infinity()), 0.0F);
}

TEST(FloatMathTest, SineAndCosineAreCloseToTheExactOnes) {
  double worst = 0;
  for (uint64_t turn = 0; turn < (uint64_t{1} << 32); turn += 65521) {
    const double angle = static_cast<double>(turn) * 0x1p-31 * M_PI;
    float sine;
    float cosine;
    SinCosTurn(static_cast<uint32_t>(turn), &sine, &cosine);
    worst = std::max(worst, std::abs(double{sine} - std::sin(angle)));
    worst = std::max(worst, std::abs(double{cosine} - std::cos(angle)));
  }
  EXPECT_LT(worst, 0x1p-22);
}

TEST(FloatMathTest, QuarterTurnsAreExact) {
  const float sines[] = {0, 1, 0, -1};
  for (uint32_t quarter = 0; quarter < 4; ++quarter) {
    float sine;
    float cosine;
    SinCosTurn(quarter << 30, &sine, &cosine);
    EXPECT_EQ(sine, sines[quarter]);
    EXPECT_EQ(cosine, sines[(quarter + 1) % 4]);
  }
}

TEST(NormalTest, TheLargestNumberIsAbout6Point56) {
  float pair[2];
  NormalPair(0, 0, pair);
  EXPECT_NEAR(pair[0], std::sqrt(2 * 31 * std::log(2.0)), 1e-6);
  EXPECT_EQ(pair[1], 0.0F);
}

TEST(NormalTest, TheSmallestRadiusIsZero) {
  float pair[2];
  NormalPair(~0U, 0x12345678, pair);
  EXPECT_EQ(pair[0], 0.0F);
  EXPECT_EQ(pair[1], 0.0F);
}

TEST(NormalTest, PairsFollowTheFormula) {
  float pair[2];
  NormalPair(0x12345678, 0x9ABCDEF0, pair);
  const double uniform = double{0x12345678 | 1} * 0x1p-32;
  const double radius = std::sqrt(-2 * std::log(uniform));
  const double angle = double{0x9ABCDEF0} * 0x1p-31 * M_PI;
  EXPECT_NEAR(pair[0], radius * std::cos(angle), 1e-6);
  EXPECT_NEAR(pair[1], radius * std::sin(angle), 1e-6);
}

TEST(NormalTest, WideningFillsTheLowBitsAndMovesLittle) {
  const double widened = WidenNormal(1.5F, 0x40000001);
  EXPECT_NE(widened, static_cast<double>(static_cast<float>(widened)));
  EXPECT_NEAR(widened, 1.5, 1.5 * 0x1p-24);
  EXPECT_EQ(WidenNormal(1.5F, 0), 1.5);
}

}  // namespace
}  // namespace assay::measure
