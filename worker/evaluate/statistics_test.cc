#include "worker/evaluate/statistics.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(StatisticsTest, NoSamplesGiveZeros) {
  const LatencySummary summary = Summarize({});
  EXPECT_EQ(summary.median, 0);
  EXPECT_EQ(summary.p10, 0);
  EXPECT_EQ(summary.p90, 0);
}

TEST(StatisticsTest, OneSampleIsEveryQuantile) {
  const LatencySummary summary = Summarize({2'500'000});
  EXPECT_DOUBLE_EQ(summary.median, 2.5);
  EXPECT_DOUBLE_EQ(summary.p10, 2.5);
  EXPECT_DOUBLE_EQ(summary.p90, 2.5);
}

TEST(StatisticsTest, QuantilesInterpolateBetweenSamples) {
  // 1 to 11 ms, unordered: the deciles fall on samples.
  const LatencySummary odd = Summarize(
      {11'000'000, 1'000'000, 2'000'000, 3'000'000, 4'000'000, 5'000'000,
       6'000'000, 7'000'000, 8'000'000, 9'000'000, 10'000'000});
  EXPECT_DOUBLE_EQ(odd.median, 6);
  EXPECT_DOUBLE_EQ(odd.p10, 2);
  EXPECT_DOUBLE_EQ(odd.p90, 10);
  EXPECT_DOUBLE_EQ(Summarize({1'000'000, 2'000'000}).median, 1.5);
}

}  // namespace
}  // namespace assay
