// The coordinator over gRPC: workers whose device cannot take work.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "base/status_testing.h"
#include "server/coordinator_fixture_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kReason[] = "another process uses 3 GiB";

class CoordinatorUnwellTest : public CoordinatorTest {
 protected:
  // Nothing moves the clock: a call that waited would never be answered.
  absl::StatusOr<v1::AcquireLeaseResponse> AskUnwell(
      const std::string& reason = kReason,
      const std::string& session = "session") {
    v1::AcquireLeaseRequest request;
    request.set_worker_id("worker");
    request.set_session_id(session);
    request.set_unwell_reason(reason);
    return test_.Call<v1::WorkerService>(&v1::WorkerService::Stub::AcquireLease,
                                         request);
  }

  // Waits until the coordinator has heard of the worker again.
  void AwaitSeenAfter(int64_t time_us) {
    while (Worker().last_seen_time_us() <= time_us) std::this_thread::yield();
  }
};

TEST_F(CoordinatorUnwellTest, IsAnsweredAtOnceWithoutALease) {
  Populate();
  ASSERT_OK(Register());
  ASSERT_OK_AND_ASSIGN(const auto nothing_waits, AskUnwell());
  EXPECT_FALSE(nothing_waits.has_lease());
  const std::string id = Submit();
  ASSERT_OK_AND_ASSIGN(const auto jobs_wait, AskUnwell());
  EXPECT_FALSE(jobs_wait.has_lease());
  EXPECT_EQ(GetSubmission(id).queued(), 2);
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::UNWELL);
  EXPECT_EQ(Worker().unwell_reason(), kReason);
}

TEST_F(CoordinatorUnwellTest, IsListedWithTheReason) {
  ASSERT_OK(Register());
  ASSERT_OK(AskUnwell());
  ASSERT_OK_AND_ASSIGN(
      const auto response,
      test_.Call<v1::WorkerService>(&v1::WorkerService::Stub::ListWorkers,
                                    v1::ListWorkersRequest()));
  ASSERT_THAT(response.workers(), SizeIs(1));
  EXPECT_EQ(response.workers(0).state(), v1::WorkerRecord::UNWELL);
  EXPECT_EQ(response.workers(0).unwell_reason(), kReason);
}

TEST_F(CoordinatorUnwellTest, IsWellAgainWhenItAsksWithoutAReason) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  ASSERT_OK(AskUnwell());
  EXPECT_THAT(AcquireLease().jobs(), SizeIs(2));
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::BUSY);
  EXPECT_EQ(Worker().unwell_reason(), "");
}

TEST_F(CoordinatorUnwellTest, KeepsTheLeaseThatItHas) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  const v1::Lease lease = AcquireLease();
  ASSERT_OK(AskUnwell());
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::UNWELL);
  EXPECT_EQ(Worker().lease_id(), lease.id());
  RunToEnd(lease, SampleEvaluation());
}

TEST_F(CoordinatorUnwellTest, WaitingJobSaysWhy) {
  Populate();
  ASSERT_OK(Register());
  v1::ListJobsRequest request;
  request.set_submission_id(Submit());
  ASSERT_OK(AskUnwell());
  ASSERT_OK_AND_ASSIGN(const auto response,
                       test_.Call<v1::EvaluationService>(
                           &v1::EvaluationService::Stub::ListJobs, request));
  ASSERT_THAT(response.jobs(), SizeIs(2));
  EXPECT_EQ(response.jobs(0).note(),
            "worker \"worker\" fits, but is unwell: another process uses 3 "
            "GiB");
}

TEST_F(CoordinatorUnwellTest, ReplacedProcessCannotSpeakForItsSuccessor) {
  ASSERT_OK(Register("session"));
  ASSERT_OK(Register("session-2"));
  EXPECT_THAT(AskUnwell(kReason, "session"),
              StatusIs(absl::StatusCode::kAborted, _));
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::IDLE);
}

TEST_F(CoordinatorUnwellTest, NewProcessIsWell) {
  ASSERT_OK(Register("session"));
  ASSERT_OK(AskUnwell());
  ASSERT_OK(Register("session-2"));
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::IDLE);
}

TEST_F(CoordinatorUnwellTest, ReasonHasALimit) {
  ASSERT_OK(Register());
  EXPECT_OK(AskUnwell(std::string(1000, 'x')));
  EXPECT_THAT(AskUnwell(std::string(1001, 'x')),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("unwell_reason has 1001 bytes")));
}

TEST_F(CoordinatorUnwellTest, OlderCallThatWaitsDoesNotMakeItWell) {
  Populate();
  ASSERT_OK(Register());
  int64_t seen = Worker().last_seen_time_us();
  test_.Advance(absl::Seconds(1));
  std::atomic<bool> answered{false};
  std::thread waiting([&] {
    EXPECT_OK(Acquire());
    answered = true;
  });
  AwaitSeenAfter(seen);
  ASSERT_OK(AskUnwell());
  seen = Worker().last_seen_time_us();
  test_.Advance(absl::Seconds(1));
  // Wakes the call, which finds nothing for its device.
  v1::CreateSubmissionRequest request;
  *request.mutable_solution() =
      SampleSolution("scale_python", "author", "NVIDIA_H200");
  ASSERT_OK(test_.Call<v1::EvaluationService>(
      &v1::EvaluationService::Stub::CreateSubmission, request));
  AwaitSeenAfter(seen);
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::UNWELL);
  while (!answered) {
    test_.Advance(absl::Seconds(21));
    std::this_thread::yield();
  }
  waiting.join();
}

}  // namespace
}  // namespace assay
