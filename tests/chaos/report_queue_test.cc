#include "tests/chaos/report_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::chaos {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

v1::Lease TwoJobs() {
  v1::Lease lease;
  lease.set_id("lease");
  for (const char* id : {"a", "b"}) {
    v1::LeasedJob& job = *lease.add_jobs();
    job.set_job_id(id);
    job.set_fence(7);
  }
  return lease;
}

TEST(ReportQueueTest, NumbersFollowEachOtherAndEndWithFinished) {
  ReportQueue queue("worker", "session", TwoJobs());
  while (queue.AddNext(/*fails=*/false)) {
  }
  EXPECT_EQ(queue.last_number(), 5);
  for (int64_t number = 1; number <= 5; ++number) {
    ASSERT_NE(queue.Find(number), nullptr);
    EXPECT_EQ(queue.Find(number)->number(), number);
  }
  EXPECT_TRUE(queue.Find(5)->has_finished());
  EXPECT_EQ(queue.Find(6), nullptr);
}

TEST(ReportQueueTest, AcknowledgedReportsAreForgotten) {
  ReportQueue queue("worker", "session", TwoJobs());
  while (queue.AddNext(false)) {
  }
  const auto marks = queue.Acknowledge(2);
  ASSERT_THAT(marks, SizeIs(1));
  EXPECT_EQ(marks[0].job_id, "a");
  EXPECT_EQ(queue.Find(2), nullptr);
  EXPECT_EQ(queue.first_number(), 3);
  EXPECT_EQ(queue.Find(3)->number(), 3);
  EXPECT_THAT(queue.Acknowledge(2), IsEmpty());
}

TEST(ReportQueueTest, NothingIsClaimedOfADroppedJob) {
  ReportQueue queue("worker", "session", TwoJobs());
  queue.AddNext(false);
  queue.Drop("a");
  queue.Drop("b");
  queue.AddNext(false);
  EXPECT_EQ(queue.last_number(), 3);
  EXPECT_TRUE(queue.Find(3)->has_finished());
  EXPECT_THAT(queue.Acknowledge(3), IsEmpty());
}

TEST(ReportQueueTest, AFailureHasNoMark) {
  ReportQueue queue("worker", "session", TwoJobs());
  queue.AddNext(/*fails=*/true);
  EXPECT_TRUE(queue.Find(2)->has_failed());
  EXPECT_THAT(queue.Acknowledge(2), IsEmpty());
}

}  // namespace
}  // namespace assay::chaos
