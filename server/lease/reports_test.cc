#include "server/lease/reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"
#include "server/lease/leases_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ReportsTest : public LeasesTest {};

TEST_F(ReportsTest, CompletedJobHasATrace) {
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

TEST_F(ReportsTest, LastOutcomeTellsThatTheSubmissionIsDone) {
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

TEST_F(ReportsTest, RepeatedReportChangesNothing) {
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

TEST_F(ReportsTest, SecondVerdictIsIgnored) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  ASSERT_OK(Completed(response.lease(), 1, 0, SampleEvaluation()));
  ASSERT_OK(
      Completed(response.lease(), 2, 0, SampleEvaluation(v1::RUNTIME_ERROR)));
  EXPECT_EQ(TraceCount(), 1);
}

TEST_F(ReportsTest, MissingReportInBetweenIsRefused) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  ASSERT_OK(Accept(response.lease()));
  EXPECT_THAT(Stage(response.lease(), 2, 0, v1::BUILD),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("number \"2\" does not follow 0")));
}

TEST_F(ReportsTest, EvaluationThatBreaksThePresenceRulesIsRefused) {
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

TEST_F(ReportsTest, FinishedLeaseGivesBackWhatIsLeft) {
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

TEST_F(ReportsTest, OldFenceIsAborted) {
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

TEST_F(ReportsTest, JobThatMovedOnIsCancelledInAResumedLease) {
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

TEST_F(ReportsTest, CancelledJobIsToldAndItsReportsIgnored) {
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

TEST_F(ReportsTest, ReportOfAnotherWorkerIsAborted) {
  Submit();
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire());
  v1::LeaseReport report = Report(response.lease(), 0);
  report.mutable_accept();
  report.set_worker_id("thief");
  EXPECT_THAT(Send(report), StatusIs(absl::StatusCode::kAborted, _));
}

}  // namespace
}  // namespace assay
