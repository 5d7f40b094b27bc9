#include "worker/runner/call_timer.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/status_testing.h"

namespace assay {
namespace {

TEST(CpuCallTimerTest, TimeIsNeverNegative) {
  CpuCallTimer timer;
  ASSERT_OK(timer.Prepare(0));
  timer.Start();
  ASSERT_OK_AND_ASSIGN(const int64_t elapsed_ns, timer.Stop());
  EXPECT_GE(elapsed_ns, 0);
}

TEST(CpuCallTimerTest, FlushesAnySizeInAnyOrder) {
  CpuCallTimer timer;
  EXPECT_OK(timer.Prepare(4096));
  EXPECT_OK(timer.Prepare(1 << 20));
  EXPECT_OK(timer.Prepare(1));
}

TEST(CpuCallTimerTest, FlushOfMoreThanThereIsFails) {
  CpuCallTimer timer;
  EXPECT_THAT(timer.Prepare(std::numeric_limits<int64_t>::max() / 2),
              StatusIs(absl::StatusCode::kResourceExhausted, testing::_));
  EXPECT_OK(timer.Prepare(4096));
}

}  // namespace
}  // namespace assay
