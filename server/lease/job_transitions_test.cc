#include "server/lease/job_transitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::HasSubstr;

JobRow Running(v1::JobStage stage) {
  JobRow row;
  Assign(row, "lea-1");
  Start(row);
  row.job.set_stage(stage);
  return row;
}

v1::JobFailure Failure() {
  v1::JobFailure failure;
  failure.set_reason("WORKER_ERROR");
  failure.set_message("disk full");
  return failure;
}

TEST(JobTransitionsTest, EachLeaseRaisesAttemptAndFence) {
  JobRow row;
  Assign(row, "lea-1");
  Requeue(row);
  Assign(row, "lea-2");
  EXPECT_EQ(row.job.attempt(), 2);
  EXPECT_EQ(row.fence, 2);
  EXPECT_EQ(row.lease_id, "lea-2");
  EXPECT_TRUE(row.held);
}

TEST(JobTransitionsTest, RetryableFailureIsRetriedUpToThreeAttempts) {
  JobRow row;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(row.job.state() == v1::FAILED, false);
    Assign(row, "lea");
    Start(row);
    FailAttempt(row, "w", Failure(), /*retryable=*/true);
    EXPECT_FALSE(row.held);
  }
  EXPECT_EQ(row.job.state(), v1::FAILED);
  EXPECT_EQ(row.job.failure().message(), "disk full");
}

TEST(JobTransitionsTest, OtherFailureIsFinal) {
  JobRow row = Running(v1::BASELINE);
  FailAttempt(row, "w", Failure(), /*retryable=*/false);
  EXPECT_EQ(row.job.state(), v1::FAILED);
}

TEST(JobTransitionsTest, RetriedJobForgetsItsLease) {
  JobRow row = Running(v1::BASELINE);
  FailAttempt(row, "w", Failure(), /*retryable=*/true);
  EXPECT_EQ(row.job.state(), v1::QUEUED);
  EXPECT_EQ(row.lease_id, "");
  EXPECT_EQ(row.avoid_worker, "w");
}

TEST(JobTransitionsTest, LostJobKeepsItsLeaseUntilTakenAgain) {
  JobRow row = Running(v1::LOAD);
  LoseAttempt(row, "w", /*blamed=*/true);
  EXPECT_EQ(row.job.state(), v1::QUEUED);
  EXPECT_EQ(row.lease_id, "lea-1");
  EXPECT_FALSE(row.held);
  EXPECT_EQ(row.failures, 1);
}

TEST(JobTransitionsTest, OnlyWorkOnTheJobItselfBeginsIt) {
  EXPECT_FALSE(HasBegun(JobRow()));
  EXPECT_FALSE(HasBegun(Running(v1::ASSIGNED)));
  EXPECT_FALSE(HasBegun(Running(v1::BUILD)));
  EXPECT_FALSE(HasBegun(Running(v1::WAITING)));
  EXPECT_TRUE(HasBegun(Running(v1::START)));
  EXPECT_TRUE(HasBegun(Running(v1::INPUTS)));
  EXPECT_TRUE(HasBegun(Running(v1::MEASURE)));
}

TEST(JobTransitionsTest, JobThatIsNotBlamedGoesBackEveryTime) {
  JobRow row = Running(v1::BUILD);
  for (int i = 0; i < 10; ++i) LoseAttempt(row, "w", /*blamed=*/false);
  EXPECT_EQ(row.job.state(), v1::QUEUED);
  EXPECT_EQ(row.failures, 0);
  EXPECT_EQ(row.avoid_worker, "");
}

TEST(JobTransitionsTest, JobThatIsLostTooOftenFails) {
  JobRow row;
  for (int i = 0; i < 3; ++i) {
    Assign(row, "lea");
    Start(row);
    row.job.set_stage(v1::MEASURE);
    LoseAttempt(row, "w7", /*blamed=*/true);
  }
  EXPECT_EQ(row.job.state(), v1::FAILED);
  EXPECT_EQ(row.job.failure().reason(), "WORKER_LOST");
  EXPECT_THAT(row.job.failure().message(), HasSubstr("\"w7\""));
}

}  // namespace
}  // namespace assay
