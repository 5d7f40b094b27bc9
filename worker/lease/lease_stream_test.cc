#include "worker/lease/lease_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/status_testing.h"
#include "worker/lease/fake_coordinator.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class LeaseStreamTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<LeaseStream>> Accept(
      absl::Duration ttl = absl::Seconds(5), ReportSpool* spool = nullptr) {
    LeaseStream::Options options;
    options.spool = spool;
    options.stub = coordinator_.stub();
    options.worker_id = "w";
    options.session_id = "s";
    options.lease_id = "l";
    options.ttl = ttl;
    options.heartbeat_interval = ttl / 4;
    return LeaseStream::Accept(options);
  }

  static v1::LeasedJob Job(const std::string& id) {
    v1::LeasedJob job;
    job.set_job_id(id);
    job.set_fence(7);
    return job;
  }

  // The coordinator stores one more report, and is not to be reached then.
  void BeAway(LeaseStream& lease) {
    coordinator_.BreakAfter(1);
    coordinator_.RefuseStreams(
        grpc::Status(grpc::StatusCode::UNAVAILABLE, "away"));
    lease.ReportStage(Job("a"), v1::CHECK);
    coordinator_.AwaitStored(1);
  }

  std::vector<int64_t> StoredNumbers() {
    std::vector<int64_t> numbers;
    for (const v1::LeaseReport& report : coordinator_.stored()) {
      numbers.push_back(report.number());
    }
    return numbers;
  }

  FakeCoordinator coordinator_;
};

TEST_F(LeaseStreamTest, ReportsArriveInOrderWithFences) {
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept());
  lease->ReportStage(Job("a"), v1::BUILD);
  v1::Evaluation evaluation;
  evaluation.set_status(v1::PASSED);
  lease->ReportCompleted(Job("a"), evaluation);
  v1::JobFailure failure;
  failure.set_reason("OUT_OF_MEMORY");
  lease->ReportFailed(Job("b"), failure, true);
  ASSERT_OK(lease->Finish());

  const std::vector<v1::LeaseReport> stored = coordinator_.stored();
  ASSERT_EQ(stored.size(), 4u);
  EXPECT_THAT(StoredNumbers(), testing::ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(stored[0].stage().stage(), v1::BUILD);
  EXPECT_EQ(stored[1].completed().evaluation().status(), v1::PASSED);
  EXPECT_EQ(stored[1].completed().fence(), 7);
  EXPECT_EQ(stored[2].failed().failure().reason(), "OUT_OF_MEMORY");
  EXPECT_TRUE(stored[2].failed().retryable());
  EXPECT_TRUE(stored[3].has_finished());
  EXPECT_EQ(stored[0].lease_id(), "l");
  EXPECT_EQ(stored[0].session_id(), "s");
}

TEST_F(LeaseStreamTest, BrokenStreamIsResumedWithoutLossOrRepeat) {
  coordinator_.BreakAfter(2);
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept());
  for (int i = 0; i < 5; ++i) lease->ReportStage(Job("a"), v1::CHECK);
  ASSERT_OK(lease->Finish());
  EXPECT_THAT(StoredNumbers(), testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(coordinator_.streams(), 2);
}

TEST_F(LeaseStreamTest, SilentCoordinatorIsNotWaitedForBeyondTheTtl) {
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept(absl::Milliseconds(200)));
  coordinator_.FallSilent();
  EXPECT_FALSE(lease->Finish().ok());
  EXPECT_TRUE(lease->IsOff("a"));
}

TEST_F(LeaseStreamTest, OutcomesAreOfferedAfterTheTtl) {
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept(absl::Milliseconds(200)));
  BeAway(*lease);
  lease->ReportCompleted(Job("a"), {});
  // Others may have the jobs by now.
  while (!lease->IsOff("b")) absl::SleepFor(absl::Milliseconds(1));
  coordinator_.RefuseStreams(grpc::Status::OK);
  ASSERT_OK(lease->Finish());
  EXPECT_EQ(coordinator_.stored()[1].completed().job_id(), "a");
}

TEST_F(LeaseStreamTest, WhatIsNotDeliveredStaysInTheSpool) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-spool-"));
  ASSERT_OK_AND_ASSIGN(const auto spool, ReportSpool::Open(folder.path()));
  {
    ASSERT_OK_AND_ASSIGN(const auto lease,
                         Accept(absl::Seconds(5), spool.get()));
    BeAway(*lease);
    lease->ReportCompleted(Job("a"), {});
    lease->Leave();
    EXPECT_FALSE(lease->Finish().ok());
  }
  const std::vector<SpooledLease> left = spool->TakeLeft();
  ASSERT_THAT(left, SizeIs(1));
  // What was sent and not acknowledged is there, too; and that the worker is
  // done, where it still got to say so.
  const auto is_outcome = [](const v1::LeaseReport& report) {
    return report.completed().job_id() == "a";
  };
  EXPECT_THAT(left[0].reports, testing::Contains(testing::Truly(is_outcome)));
  coordinator_.RefuseStreams(grpc::Status::OK);
  LeaseStream::Options options;
  options.stub = coordinator_.stub();
  const auto delivery = LeaseStream::TakeOver(options, left[0]);
  EXPECT_OK(delivery->AwaitDelivery());
  EXPECT_EQ(coordinator_.stored()[1].completed().job_id(), "a");
  EXPECT_EQ(coordinator_.stored()[1].session_id(), "s");
}

TEST_F(LeaseStreamTest, NothingOfAFinishedLeaseStaysInTheSpool) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-spool-"));
  ASSERT_OK_AND_ASSIGN(const auto spool, ReportSpool::Open(folder.path()));
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept(absl::Seconds(5), spool.get()));
  lease->ReportCompleted(Job("a"), {});
  EXPECT_THAT(spool->TakeLeft(), SizeIs(1));
  ASSERT_OK(lease->Finish());
  EXPECT_THAT(spool->TakeLeft(), SizeIs(0));
}

TEST_F(LeaseStreamTest, LostLeaseIsRefused) {
  coordinator_.RefuseStreams(
      grpc::Status(grpc::StatusCode::ABORTED, "lease expired"));
  EXPECT_THAT(Accept(),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("lease expired")));
}

TEST_F(LeaseStreamTest, CancelledJobIsOffAndTheOthersAreNot) {
  coordinator_.CancelOnFirstReport("a");
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept());
  EXPECT_FALSE(lease->IsOff("a"));
  lease->ReportStage(Job("b"), v1::BUILD);
  while (!lease->IsOff("a")) absl::SleepFor(absl::Milliseconds(1));
  EXPECT_FALSE(lease->IsOff("b"));
  ASSERT_OK(lease->Finish());
  // It had not begun.
  EXPECT_EQ(coordinator_.stored()[1].stopped().job_id(), "a");
}

TEST_F(LeaseStreamTest, StopIsAcknowledgedWhenTheJobHasStopped) {
  coordinator_.CancelOnFirstReport("a");
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept());
  lease->ReportStage(Job("a"), v1::MEASURE);
  while (!lease->IsOff("a")) absl::SleepFor(absl::Milliseconds(1));
  lease->ReportStage(Job("b"), v1::INPUTS);
  lease->ReportStopped(Job("a"));
  lease->ReportStopped(Job("b"));
  ASSERT_OK(lease->Finish());
  const auto stored = coordinator_.stored();
  ASSERT_THAT(stored, SizeIs(4));
  EXPECT_EQ(stored[1].stage().job_id(), "b");
  EXPECT_EQ(stored[2].stopped().job_id(), "a");
  EXPECT_TRUE(stored[3].has_finished());
}

TEST_F(LeaseStreamTest, VerdictThatCrossesACancelIsFollowedByTheStop) {
  coordinator_.CancelOnFirstReport("a");
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept());
  lease->ReportStage(Job("a"), v1::MEASURE);
  while (!lease->IsOff("a")) absl::SleepFor(absl::Milliseconds(1));
  lease->ReportCompleted(Job("a"), {});
  ASSERT_OK(lease->Finish());
  EXPECT_EQ(coordinator_.stored()[2].stopped().job_id(), "a");
}

TEST_F(LeaseStreamTest, DrainCallsOffWhatHasNotBegun) {
  coordinator_.DrainOnFirstReport();
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept());
  lease->ReportStage(Job("a"), v1::INPUTS);
  while (!lease->IsOff("b")) absl::SleepFor(absl::Milliseconds(1));
  EXPECT_FALSE(lease->IsOff("a"));
  ASSERT_OK(lease->Finish());
}

TEST_F(LeaseStreamTest, StopNowCallsOffWhatHasBegunToo) {
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept());
  lease->ReportStage(Job("a"), v1::INPUTS);
  lease->StopNow();
  EXPECT_TRUE(lease->IsOff("a"));
  ASSERT_OK(lease->Finish());
}

TEST_F(LeaseStreamTest, StoppingCallsOffWhatHasNotBegun) {
  ASSERT_OK_AND_ASSIGN(const auto lease, Accept());
  lease->ReportStage(Job("a"), v1::BUILD);
  lease->ReportStage(Job("b"), v1::BUILD);
  lease->ReportStage(Job("a"), v1::INPUTS);
  lease->StopAfterCurrent();
  EXPECT_FALSE(lease->IsOff("a"));
  EXPECT_TRUE(lease->IsOff("b"));
  ASSERT_OK(lease->Finish());
}

TEST_F(LeaseStreamTest, AbandonedLeaseEndsAtOnce) {
  ASSERT_OK_AND_ASSIGN(auto lease, Accept());
  lease->ReportStage(Job("a"), v1::BUILD);
  lease.reset();
}

}  // namespace
}  // namespace assay
