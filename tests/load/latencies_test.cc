#include "tests/load/latencies.h"

#include <gtest/gtest.h>

namespace assay::load {
namespace {

TEST(LatenciesTest, PercentilesAreMeasuredValues) {
  Latencies latencies;
  for (int i = 100; i >= 1; --i) latencies.Add(absl::Milliseconds(i));
  EXPECT_EQ(latencies.count(), 100);
  EXPECT_EQ(latencies.Percentile(0.5), absl::Milliseconds(50));
  EXPECT_EQ(latencies.Percentile(0.99), absl::Milliseconds(99));
  EXPECT_EQ(latencies.Percentile(1), absl::Milliseconds(100));
  EXPECT_EQ(latencies.Percentile(0), absl::Milliseconds(1));
}

TEST(LatenciesTest, OneSlowCallInTwentyShowsAtTheEnd) {
  Latencies latencies;
  for (int i = 0; i < 19; ++i) latencies.Add(absl::Milliseconds(1));
  latencies.Add(absl::Seconds(1));
  EXPECT_EQ(latencies.Percentile(0.95), absl::Milliseconds(1));
  EXPECT_EQ(latencies.Percentile(0.99), absl::Seconds(1));
}

TEST(LatenciesTest, NothingMeasuredIsZero) {
  EXPECT_EQ(Latencies().Percentile(0.5), absl::ZeroDuration());
}

}  // namespace
}  // namespace assay::load
