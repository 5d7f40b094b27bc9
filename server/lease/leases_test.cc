#include "server/lease/leases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"
#include "server/lease/leases_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST_F(LeasesTest, NothingQueuedGivesNoLease) {
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  EXPECT_FALSE(response.has_lease());
}

TEST_F(LeasesTest, LeaseHasAllThatTheWorkerNeeds) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  const v1::Lease& lease = response.lease();
  EXPECT_EQ(lease.definition().name(), "scale_d64");
  EXPECT_EQ(lease.definition_digest().size(), 64u);
  EXPECT_THAT(lease.solution().sources(), SizeIs(1));
  EXPECT_THAT(lease.solution().sources(0).content(), HasSubstr("def run"));
  ASSERT_THAT(lease.jobs(), SizeIs(2));
  EXPECT_EQ(lease.jobs(0).workload().uuid(), "w1");
  EXPECT_EQ(lease.jobs(0).fence(), 1);
  EXPECT_EQ(lease.jobs(0).attempt(), 1);
}

TEST_F(LeasesTest, JobsAreLeasedOnce) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto first, Acquire());
  ASSERT_OK_AND_ASSIGN(const auto second, Acquire());
  EXPECT_TRUE(first.has_lease());
  EXPECT_FALSE(second.has_lease());
}

TEST_F(LeasesTest, RepeatedRequestReturnsTheSameLease) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto first, Acquire("request"));
  ASSERT_OK_AND_ASSIGN(const auto second, Acquire("request"));
  EXPECT_EQ(first.SerializeAsString(), second.SerializeAsString());
}

TEST_F(LeasesTest, OneSolutionForEachLeaseAndNotMoreThanWanted) {
  Submit("a");
  Submit("b");
  ASSERT_OK_AND_ASSIGN(const auto first, Acquire("", "worker", "session", 1));
  EXPECT_THAT(first.lease().jobs(), SizeIs(1));
  ASSERT_OK_AND_ASSIGN(const auto second, Acquire());
  EXPECT_EQ(second.lease().solution().name(), "a");
  EXPECT_THAT(second.lease().jobs(), SizeIs(1));
}

TEST_F(LeasesTest, LeaseThatWouldOutgrowAMessageHasFewerJobs) {
  for (const char* uuid : {"large1", "large2"}) {
    v1::Workload workload = SampleWorkload(uuid);
    workload.set_unknown_json(std::string(kMaxLeaseBytes * 3 / 5, ' '));
    ASSERT_OK(store_.Run([&](Session& session) {
      return CreateWorkload(session, "scale_d64", workload, *blobs_);
    }));
  }
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto first, Acquire());
  EXPECT_THAT(first.lease().jobs(), SizeIs(3));
  EXPECT_LT(first.ByteSizeLong(), kMaxLeaseBytes);
  ASSERT_OK_AND_ASSIGN(const auto second, Acquire());
  EXPECT_THAT(second.lease().jobs(), SizeIs(1));
  EXPECT_EQ(second.lease().jobs(0).workload().uuid(), "large2");
}

TEST_F(LeasesTest, WorkersOfAClassShareALargeSubmission) {
  for (int i = 3; i <= 12; ++i) {
    ASSERT_OK(store_.Run([&](Session& session) {
      return CreateWorkload(session, "scale_d64",
                            SampleWorkload(absl::StrCat("w", i)), *blobs_);
    }));
  }
  // Both ask, and are known from then on.
  Register("second", "session");
  ASSERT_OK(Acquire());
  ASSERT_OK(Acquire("", "second"));
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto first, Acquire());
  EXPECT_THAT(first.lease().jobs(), SizeIs(6));
  // Those that are silent have no share.
  store_.clock().Advance(absl::Seconds(31));
  presence_.Touch("second");
  ASSERT_OK_AND_ASSIGN(const auto second, Acquire("", "second"));
  EXPECT_THAT(second.lease().jobs(), SizeIs(6));
}

TEST_F(LeasesTest, OldSessionIsAborted) {
  EXPECT_THAT(
      Acquire("", "worker", "other"),
      StatusIs(absl::StatusCode::kAborted, HasSubstr("register again")));
  EXPECT_THAT(Acquire("", "unknown", "session"),
              StatusIs(absl::StatusCode::kAborted, _));
}

TEST_F(LeasesTest, UnwellWorkerGetsNoLease) {
  Submit();
  v1::AcquireLeaseRequest request;
  request.set_worker_id("worker");
  request.set_session_id("session");
  request.set_unwell_reason("3 GiB are in use");
  const auto acquire = [&](Session& session) {
    return AcquireLease(session, request, presence_);
  };
  ASSERT_OK_AND_ASSIGN(const auto response, store_.Run(acquire));
  EXPECT_FALSE(response.response.has_lease());
  request.set_session_id("other");
  EXPECT_THAT(store_.Run(acquire), StatusIs(absl::StatusCode::kAborted, _));
}

TEST_F(LeasesTest, AcceptMakesJobsRunning) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  const std::string job = response.lease().jobs(0).job_id();
  EXPECT_EQ(Job(job).state(), v1::QUEUED);
  ASSERT_OK(Accept(response.lease()));
  EXPECT_EQ(Job(job).state(), v1::RUNNING);
  EXPECT_EQ(Job(job).stage(), v1::ASSIGNED);
}

TEST_F(LeasesTest, AcceptedAgainAFinishedLeaseIsFinished) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  ASSERT_OK(Finished(response.lease(), 1));
  ASSERT_OK_AND_ASSIGN(const auto outcome, Accept(response.lease()));
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.acknowledged, 1);
}

TEST_F(LeasesTest, ExpiredLeasePutsJobsBackInTheirPlace) {
  Submit("a");
  ASSERT_OK_AND_ASSIGN(const auto first, Acquire());
  Submit("b");
  Expire(first.lease());
  EXPECT_THAT(store_.effects().revoked_leases, ElementsAre(first.lease().id()));
  // The author is the same, so age decides.
  ASSERT_OK_AND_ASSIGN(const auto second, Acquire());
  EXPECT_EQ(second.lease().solution().name(), "a");
  EXPECT_EQ(second.lease().jobs(0).fence(), 2);
  EXPECT_EQ(second.lease().jobs(0).attempt(), 2);
}

TEST_F(LeasesTest, ExpiredLeaseCanBeResumedWhileNobodyHasTakenItsJobs) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  ASSERT_OK(Stage(response.lease(), 1, 0, v1::BUILD));
  Expire(response.lease());
  ASSERT_OK_AND_ASSIGN(const auto outcome, Accept(response.lease()));
  EXPECT_EQ(outcome.acknowledged, 1);
  EXPECT_EQ(Job(response.lease().jobs(0).job_id()).state(), v1::RUNNING);
  EXPECT_OK(Completed(response.lease(), 2, 0, SampleEvaluation()));
}

TEST_F(LeasesTest, LateVerdictOfAnExpiredLeaseIsKept) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  Expire(response.lease());
  EXPECT_OK(Completed(response.lease(), 1, 0, SampleEvaluation()));
  EXPECT_EQ(Job(response.lease().jobs(0).job_id()).state(), v1::COMPLETED);
}

TEST_F(LeasesTest, OldSessionCannotResumeAnExpiredLease) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  Expire(response.lease());
  Register("worker", "session-2");
  EXPECT_THAT(Accept(response.lease()),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("is lost")));
  EXPECT_THAT(Completed(response.lease(), 1, 0, SampleEvaluation()),
              StatusIs(absl::StatusCode::kAborted, _));
}

TEST_F(LeasesTest, ReplacedSessionCannotRegisterAgain) {
  Register("worker", "session-2");
  Register("worker", "session-2");
  EXPECT_THAT(TryRegister("worker", "session"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "worker id \"worker\" is used by a newer process: stop "
                       "one of them or give it another --id"));
  EXPECT_OK(TryRegister("other", "session"));
}

TEST_F(LeasesTest, JobGoesToADeviceThatTheSolutionAllows) {
  v1::CreateSubmissionRequest request;
  *request.mutable_solution() =
      SampleSolution("scale_python", "author", "NVIDIA_H200");
  request.add_hardware("rack-7");
  ASSERT_OK(store_.Run(
      [&](Session& session) { return CreateSubmission(session, request); }));
  v1::RegisterWorkerRequest worker;
  worker.set_worker_id("worker");
  worker.set_session_id("session");
  *worker.mutable_device() = SampleDevice();
  worker.mutable_device()->add_labels("rack-7");
  const auto registers = [&](Session& session) {
    return RegisterWorker(session, worker);
  };
  ASSERT_OK(store_.Run(registers));
  ASSERT_OK_AND_ASSIGN(const auto none, Acquire());
  EXPECT_FALSE(none.has_lease());
  worker.mutable_device()->set_kind("cuda");
  worker.mutable_device()->set_model("NVIDIA_H200");
  ASSERT_OK(store_.Run(registers));
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  EXPECT_THAT(response.lease().jobs(), SizeIs(2));
}

TEST_F(LeasesTest, NewSessionRevokesTheLeasesOfTheOldOne) {
  const std::string submission = Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  Register("worker", "session-2");
  EXPECT_THAT(store_.effects().revoked_leases,
              ElementsAre(response.lease().id()));
  EXPECT_EQ(Submission(submission).queued(), 2);
  EXPECT_THAT(Accept(response.lease()),
              StatusIs(absl::StatusCode::kAborted, _));
}

TEST_F(LeasesTest, RegisteringTheSameSessionKeepsTheLease) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  Register("worker", "session");
  EXPECT_OK(Accept(response.lease()));
}

TEST_F(LeasesTest, RetryableFailureGoesElsewhereThenFails) {
  Submit();
  v1::Lease lease;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    ASSERT_OK_AND_ASSIGN(const auto response,
                         Acquire("", "worker", "session", 1));
    lease = response.lease();
    ASSERT_EQ(lease.jobs(0).workload().uuid(), "w1");
    ASSERT_OK(Accept(lease));
    v1::LeaseReport report = Report(lease, 1);
    report.mutable_failed()->set_job_id(lease.jobs(0).job_id());
    report.mutable_failed()->set_fence(lease.jobs(0).fence());
    report.mutable_failed()->mutable_failure()->set_reason("WORKER_ERROR");
    report.mutable_failed()->set_retryable(true);
    ASSERT_OK(Send(report));
    ASSERT_OK(Finished(lease, 2));
  }
  EXPECT_EQ(Job(lease.jobs(0).job_id()).state(), v1::FAILED);
  EXPECT_EQ(Job(lease.jobs(0).job_id()).failure().reason(), "WORKER_ERROR");
}

}  // namespace
}  // namespace assay
