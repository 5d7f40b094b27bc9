#include "server/scheduler/throughput.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::Optional;

TEST(ThroughputTest, NothingIsKnownBeforeTwoJobs) {
  Throughput throughput;
  EXPECT_EQ(throughput.TimePerJob(absl::ZeroDuration()), absl::nullopt);
  throughput.NoteCompleted(absl::Seconds(1), 1);
  EXPECT_EQ(throughput.TimePerJob(absl::Seconds(2)), absl::nullopt);
}

TEST(ThroughputTest, MeanTimeSinceTheFirst) {
  Throughput throughput;
  for (int second = 10; second <= 50; second += 10) {
    throughput.NoteCompleted(absl::Seconds(second), 2);
  }
  EXPECT_THAT(throughput.TimePerJob(absl::Seconds(50)),
              Optional(absl::Seconds(5)));
  // Nothing since: it has become slower.
  EXPECT_THAT(throughput.TimePerJob(absl::Seconds(90)),
              Optional(absl::Seconds(10)));
}

TEST(ThroughputTest, WhatIsOldDoesNotCount) {
  Throughput throughput;
  throughput.NoteCompleted(absl::Seconds(1), 1000);
  const absl::Duration later = absl::Seconds(2) + Throughput::kWindow;
  EXPECT_EQ(throughput.TimePerJob(later), absl::nullopt);
  throughput.NoteCompleted(later, 1);
  throughput.NoteCompleted(later + absl::Seconds(4), 1);
  EXPECT_THAT(throughput.TimePerJob(later + absl::Seconds(4)),
              Optional(absl::Seconds(4)));
}

}  // namespace
}  // namespace assay
