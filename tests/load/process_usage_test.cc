#include "tests/load/process_usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/status_testing.h"

namespace assay::load {
namespace {

using ::testing::_;

TEST(ProcessUsageTest, KnowsThisProcess) {
  ASSERT_OK_AND_ASSIGN(const ProcessUsage usage, ReadProcessUsage(getpid()));
  EXPECT_GE(usage.threads, 1);
  EXPECT_GT(usage.cpu, absl::ZeroDuration());
  EXPECT_GT(usage.resident_bytes, 100'000);
  EXPECT_GE(usage.peak_resident_bytes, usage.resident_bytes);
}

TEST(ProcessUsageTest, ProcessorTimeGrowsWithWork) {
  ASSERT_OK_AND_ASSIGN(const ProcessUsage before, ReadProcessUsage(getpid()));
  volatile int64_t sum = 0;
  for (int i = 0; i < 50'000'000; ++i) sum = sum + i;
  ASSERT_OK_AND_ASSIGN(const ProcessUsage after, ReadProcessUsage(getpid()));
  EXPECT_GT(after.cpu, before.cpu);
}

TEST(ProcessUsageTest, AnEndedProcessIsNotFound) {
  EXPECT_THAT(ReadProcessUsage(0x7ffffff),
              StatusIs(absl::StatusCode::kNotFound, _));
}

}  // namespace
}  // namespace assay::load
