#include "server/lease/leases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"
#include "server/blob/blob_store.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/evaluation/submissions.h"
#include "server/lease/reports.h"
#include "server/store/session_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LeasesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(blobs_, BlobStore::Open(store_.folder() + "/blobs"));
    ASSERT_OK(store_.Run([&](Session& session) {
      return CreateDefinition(session, SampleDefinition());
    }));
    for (const char* uuid : {"w1", "w2"}) {
      ASSERT_OK(store_.Run([&](Session& session) {
        return CreateWorkload(session, "scale_d64", SampleWorkload(uuid),
                              *blobs_);
      }));
    }
    Register("worker", "session");
  }

  absl::Status TryRegister(const std::string& worker,
                           const std::string& session_id) {
    v1::RegisterWorkerRequest request;
    request.set_worker_id(worker);
    request.set_session_id(session_id);
    *request.mutable_device() = SampleDevice();
    presence_.Touch(worker);
    return store_
        .Run([&](Session& session) { return RegisterWorker(session, request); })
        .status();
  }

  void Register(const std::string& worker, const std::string& session_id) {
    ASSERT_OK(TryRegister(worker, session_id));
  }

  std::string Submit(const std::string& solution = "scale_python") {
    v1::CreateSubmissionRequest request;
    *request.mutable_solution() = SampleSolution(solution);
    const auto submission = store_.Run(
        [&](Session& session) { return CreateSubmission(session, request); });
    EXPECT_OK(submission);
    return submission->id();
  }

  absl::StatusOr<v1::AcquireLeaseResponse> Acquire(
      const std::string& request_id = "", const std::string& worker = "worker",
      const std::string& session_id = "session", int max_jobs = 0) {
    v1::AcquireLeaseRequest request;
    request.set_worker_id(worker);
    request.set_session_id(session_id);
    request.set_request_id(request_id);
    request.set_max_jobs(max_jobs);
    return store_.Run([&](Session& session) {
      return AcquireLease(session, request, presence_);
    });
  }

  v1::LeaseReport Report(const v1::Lease& lease, int64_t number) {
    v1::LeaseReport report;
    report.set_lease_id(lease.id());
    report.set_worker_id("worker");
    report.set_session_id("session");
    report.set_number(number);
    return report;
  }

  absl::StatusOr<ReportOutcome> Send(const v1::LeaseReport& report) {
    return store_.Run(
        [&](Session& session) { return ApplyReport(session, report); });
  }

  absl::StatusOr<ReportOutcome> Accept(const v1::Lease& lease) {
    v1::LeaseReport report = Report(lease, 0);
    report.mutable_accept();
    return Send(report);
  }

  absl::StatusOr<ReportOutcome> Stage(const v1::Lease& lease, int64_t number,
                                      int job, v1::JobStage stage) {
    v1::LeaseReport report = Report(lease, number);
    report.mutable_stage()->set_job_id(lease.jobs(job).job_id());
    report.mutable_stage()->set_fence(lease.jobs(job).fence());
    report.mutable_stage()->set_stage(stage);
    return Send(report);
  }

  absl::StatusOr<ReportOutcome> Completed(const v1::Lease& lease,
                                          int64_t number, int job,
                                          const v1::Evaluation& evaluation) {
    v1::LeaseReport report = Report(lease, number);
    report.mutable_completed()->set_job_id(lease.jobs(job).job_id());
    report.mutable_completed()->set_fence(lease.jobs(job).fence());
    *report.mutable_completed()->mutable_evaluation() = evaluation;
    return Send(report);
  }

  absl::StatusOr<ReportOutcome> Finished(const v1::Lease& lease,
                                         int64_t number) {
    v1::LeaseReport report = Report(lease, number);
    report.mutable_finished();
    return Send(report);
  }

  void Expire(const v1::Lease& lease) {
    ASSERT_THAT(store_.Run([&](Session& session) {
      return ExpireLease(session, lease.id());
    }),
                IsOkAndHolds(true));
  }

  v1::Job Job(const std::string& id) {
    const auto row =
        store_.Run([&](Session& session) { return session.jobs().Find(id); });
    EXPECT_TRUE(row.ok() && row->has_value());
    return (*row)->job;
  }

  v1::Submission Submission(const std::string& id) {
    return store_
        .Run([&](Session& session) { return session.submissions().Get(id); })
        .value();
  }

  int Failures(const v1::LeasedJob& job) {
    const auto row = store_.Run(
        [&](Session& session) { return session.jobs().Find(job.job_id()); });
    EXPECT_TRUE(row.ok() && row->has_value());
    return (*row)->failures;
  }

  int64_t TraceCount() {
    return store_
        .Run([](Session& session) {
          return session.traces().List({}, Paging::Parse(0, "", {}).value());
        })
        ->traces_size();
  }

  TestStore store_;
  Presence presence_{store_.clock(), absl::Seconds(30)};
  std::unique_ptr<BlobStore> blobs_;
};

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

TEST_F(LeasesTest, OldSessionIsAborted) {
  EXPECT_THAT(
      Acquire("", "worker", "other"),
      StatusIs(absl::StatusCode::kAborted, HasSubstr("register again")));
  EXPECT_THAT(Acquire("", "unknown", "session"),
              StatusIs(absl::StatusCode::kAborted, _));
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

TEST_F(LeasesTest, CompletedJobHasATrace) {
  const std::string submission = Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  ASSERT_OK_AND_ASSIGN(const auto outcome,
                       Completed(response.lease(), 1, 0, SampleEvaluation()));
  EXPECT_EQ(outcome.acknowledged, 1);
  const v1::Job job = Job(response.lease().jobs(0).job_id());
  EXPECT_EQ(job.state(), v1::COMPLETED);
  ASSERT_OK_AND_ASSIGN(const v1::TraceRecord trace,
                       store_.Run([&](Session& session) {
                         return session.traces().Get(job.trace_id());
                       }));
  EXPECT_EQ(trace.worker(), "worker");
  EXPECT_EQ(trace.submission_id(), submission);
  EXPECT_EQ(trace.trace().workload().uuid(), "w1");
  EXPECT_EQ(trace.definition_digest(), response.lease().definition_digest());
  EXPECT_EQ(trace.solution_digest(), response.lease().solution_digest());
  EXPECT_FALSE(trace.imported());
}

TEST_F(LeasesTest, LastOutcomeTellsThatTheSubmissionIsDone) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  ASSERT_OK(Completed(response.lease(), 1, 0, SampleEvaluation()));
  ASSERT_THAT(store_.effects().changes, SizeIs(1));
  ASSERT_OK(Completed(response.lease(), 2, 1, SampleEvaluation()));
  ASSERT_THAT(store_.effects().changes, SizeIs(2));
  EXPECT_TRUE(store_.effects().changes[0].event.has_trace());
  EXPECT_EQ(store_.effects().changes[1].event.done().completed(), 2);
}

TEST_F(LeasesTest, RepeatedReportChangesNothing) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  ASSERT_OK(Completed(response.lease(), 1, 0, SampleEvaluation()));
  ASSERT_OK_AND_ASSIGN(
      const auto again,
      Completed(response.lease(), 1, 0, SampleEvaluation(v1::RUNTIME_ERROR)));
  EXPECT_EQ(again.acknowledged, 1);
  EXPECT_EQ(TraceCount(), 1);
  EXPECT_THAT(store_.effects().changes, IsEmpty());
}

TEST_F(LeasesTest, SecondVerdictIsIgnored) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  ASSERT_OK(Completed(response.lease(), 1, 0, SampleEvaluation()));
  ASSERT_OK(
      Completed(response.lease(), 2, 0, SampleEvaluation(v1::RUNTIME_ERROR)));
  EXPECT_EQ(TraceCount(), 1);
}

TEST_F(LeasesTest, MissingReportInBetweenIsRefused) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  EXPECT_THAT(Stage(response.lease(), 2, 0, v1::BUILD),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("number \"2\" does not follow 0")));
}

TEST_F(LeasesTest, EvaluationThatBreaksThePresenceRulesIsRefused) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  v1::Evaluation evaluation = SampleEvaluation();
  evaluation.clear_performance();
  EXPECT_THAT(
      Completed(response.lease(), 1, 0, evaluation),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("performance")));
  EXPECT_EQ(TraceCount(), 0);
}

TEST_F(LeasesTest, FinishedLeaseGivesBackWhatIsLeft) {
  const std::string submission = Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  ASSERT_OK(Completed(response.lease(), 1, 0, SampleEvaluation()));
  ASSERT_OK_AND_ASSIGN(const auto outcome, Finished(response.lease(), 2));
  EXPECT_TRUE(outcome.finished);
  EXPECT_TRUE(store_.effects().queue_grew);
  EXPECT_EQ(Submission(submission).queued(), 1);
  ASSERT_OK_AND_ASSIGN(const auto repeated, Finished(response.lease(), 2));
  EXPECT_TRUE(repeated.finished);
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

TEST_F(LeasesTest, LossBlamesTheJobThatHadBegunAlone) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  const v1::Lease& lease = response.lease();
  ASSERT_OK(Accept(lease));
  ASSERT_OK(Stage(lease, 1, 0, v1::BUILD));
  ASSERT_OK(Stage(lease, 2, 1, v1::BUILD));
  ASSERT_OK(Stage(lease, 3, 1, v1::MEASURE));
  Expire(lease);
  EXPECT_EQ(Failures(lease.jobs(0)), 0);
  EXPECT_EQ(Failures(lease.jobs(1)), 1);
}

TEST_F(LeasesTest, LossDuringTheBuildBlamesTheFirstJobLeft) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  const v1::Lease& lease = response.lease();
  ASSERT_OK(Accept(lease));
  ASSERT_OK(Stage(lease, 1, 0, v1::BUILD));
  ASSERT_OK(Stage(lease, 2, 1, v1::BUILD));
  Expire(lease);
  EXPECT_EQ(Failures(lease.jobs(0)), 1);
  EXPECT_EQ(Failures(lease.jobs(1)), 0);
}

TEST_F(LeasesTest, LossBeforeTheBuildBlamesNobody) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  Expire(response.lease());
  EXPECT_EQ(Failures(response.lease().jobs(0)), 0);
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

TEST_F(LeasesTest, OldFenceIsAborted) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto first, Acquire());
  ASSERT_OK(Accept(first.lease()));
  Expire(first.lease());
  ASSERT_OK_AND_ASSIGN(const auto second, Acquire());
  ASSERT_TRUE(second.has_lease());
  EXPECT_THAT(Completed(first.lease(), 1, 0, SampleEvaluation()),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("is old")));
  EXPECT_THAT(Accept(first.lease()),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("is lost")));
  EXPECT_EQ(TraceCount(), 0);
}

TEST_F(LeasesTest, JobThatMovedOnIsCancelledInAResumedLease) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto first, Acquire());
  const v1::Lease& lease = first.lease();
  ASSERT_OK(Accept(lease));
  Expire(lease);
  ASSERT_OK_AND_ASSIGN(const auto second, Acquire("", "worker", "session", 1));
  ASSERT_EQ(second.lease().jobs(0).job_id(), lease.jobs(0).job_id());
  ASSERT_OK(Accept(lease));
  ASSERT_OK_AND_ASSIGN(const auto moved,
                       Completed(lease, 1, 0, SampleEvaluation()));
  EXPECT_EQ(moved.acknowledged, 1);
  EXPECT_THAT(moved.cancelled_jobs, ElementsAre(lease.jobs(0).job_id()));
  EXPECT_EQ(TraceCount(), 0);
  ASSERT_OK_AND_ASSIGN(const auto kept,
                       Completed(lease, 2, 1, SampleEvaluation()));
  EXPECT_THAT(kept.cancelled_jobs, IsEmpty());
  EXPECT_EQ(TraceCount(), 1);
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

TEST_F(LeasesTest, CancelledJobIsToldAndItsReportsIgnored) {
  const std::string submission = Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  const v1::Lease& lease = response.lease();
  ASSERT_OK(store_.Run(
      [&](Session& session) { return CancelSubmission(session, submission); }));
  ASSERT_THAT(store_.effects().cancelled, SizeIs(2));
  EXPECT_EQ(store_.effects().cancelled[0].lease_id, lease.id());
  ASSERT_OK_AND_ASSIGN(const auto accepted, Accept(lease));
  EXPECT_THAT(accepted.cancelled_jobs,
              ElementsAre(lease.jobs(0).job_id(), lease.jobs(1).job_id()));
  EXPECT_OK(Completed(lease, 1, 0, SampleEvaluation()));
  EXPECT_EQ(Job(lease.jobs(0).job_id()).state(), v1::CANCELLED);
  EXPECT_EQ(TraceCount(), 0);
}

TEST_F(LeasesTest, ReportOfAnotherWorkerIsAborted) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  v1::LeaseReport report = Report(response.lease(), 0);
  report.mutable_accept();
  report.set_worker_id("thief");
  EXPECT_THAT(Send(report), StatusIs(absl::StatusCode::kAborted, _));
}

}  // namespace
}  // namespace assay
