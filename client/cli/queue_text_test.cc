#include "client/cli/queue_text.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

v1::QueueStatus Status(int position, int jobs_ahead) {
  v1::QueueStatus status;
  status.set_position(position);
  status.set_jobs_ahead(jobs_ahead);
  return status;
}

TEST(QueueTextTest, SaysPlaceAndTime) {
  EXPECT_EQ(QueueText(Status(1, 0)), "next");
  EXPECT_EQ(QueueText(Status(2, 1)), "2nd: 1 job goes first");
  v1::QueueStatus third = Status(3, 17);
  third.mutable_estimated_wait()->set_seconds(125);
  EXPECT_EQ(QueueText(third), "3rd: 17 jobs go first, about 2 min 5 s");
}

TEST(QueueTextTest, OrdinalsOfEleven) {
  EXPECT_EQ(QueueText(Status(11, 20)), "11th: 20 jobs go first");
  EXPECT_EQ(QueueText(Status(112, 20)), "112th: 20 jobs go first");
  EXPECT_EQ(QueueText(Status(121, 20)), "121st: 20 jobs go first");
}

TEST(QueueTextTest, WhyNobodyTakesItSaysMore) {
  v1::QueueStatus status = Status(1, 0);
  status.set_note("no registered worker has cuda");
  EXPECT_EQ(QueueText(status), "no registered worker has cuda");
}

}  // namespace
}  // namespace assay
