// The coordinator over gRPC: what happens to leases.

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
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using Evaluations = v1::EvaluationService;

using CoordinatorLeaseTest = CoordinatorTest;

TEST_F(CoordinatorLeaseTest, ParkedWorkerIsWokenByASubmission) {
  Populate();
  ASSERT_OK(Register());
  absl::StatusOr<v1::AcquireLeaseResponse> response;
  std::thread worker([&] { response = Acquire(); });
  Submit();
  worker.join();
  ASSERT_OK(response);
  EXPECT_THAT(response->lease().jobs(), SizeIs(2));
}

TEST_F(CoordinatorLeaseTest, AsManyAreWokenAsGetWork) {
  Populate();
  v1::RegisterWorkerRequest registration;
  registration.set_session_id("session");
  *registration.mutable_device() = SampleDevice();
  // Parked before there is anything: each gets one of the two jobs, though the
  // submission wakes but one of them.
  std::atomic<int> leases{0};
  std::vector<std::thread> workers;
  for (const char* id : {"a", "b"}) {
    registration.set_worker_id(id);
    ASSERT_OK(test_.Call<v1::WorkerService>(
        &v1::WorkerService::Stub::RegisterWorker, registration));
    workers.emplace_back([&, id = std::string(id)] {
      v1::AcquireLeaseRequest request;
      request.set_worker_id(id);
      request.set_session_id("session");
      request.set_max_jobs(1);
      const auto response = test_.Call<v1::WorkerService>(
          &v1::WorkerService::Stub::AcquireLease, request);
      if (response.ok()) leases += response->lease().jobs_size();
    });
  }
  Submit();
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(leases, 2);
}

TEST_F(CoordinatorLeaseTest, WatcherHearsThatAWorkerForItHasCome) {
  Populate();
  const std::string id = Submit();
  TestWatch watch(test_, {id});
  EXPECT_TRUE(watch.Next().has_submission());
  EXPECT_THAT(watch.Next().job().note(), HasSubstr("no worker is registered"));
  EXPECT_THAT(watch.Next().job().note(), HasSubstr("no worker is registered"));
  v1::QueueStatus queue;
  const auto next_queue = [&] {
    test_.Advance(absl::Seconds(3));
    queue = watch.Next().queue();
  };
  next_queue();
  EXPECT_EQ(queue.position(), 1);
  EXPECT_THAT(queue.note(), HasSubstr("no worker is registered"));
  // It is drained, so that the jobs wait on.
  ASSERT_OK(Register());
  v1::DrainWorkerRequest drain;
  drain.set_worker_id("worker");
  ASSERT_OK(test_.Call<v1::AdminService>(&v1::AdminService::Stub::DrainWorker,
                                         drain));
  next_queue();
  EXPECT_THAT(queue.note(), HasSubstr("is drained: by an operator"));
  v1::UndrainWorkerRequest undrain;
  undrain.set_worker_id("worker");
  ASSERT_OK(test_.Call<v1::AdminService>(&v1::AdminService::Stub::UndrainWorker,
                                         undrain));
  next_queue();
  EXPECT_EQ(queue.note(), "");
  EXPECT_EQ(GetSubmission(id).queue().position(), 1);
}

TEST_F(CoordinatorLeaseTest, CancelThatIsNotAcknowledgedQuarantines) {
  Populate();
  ASSERT_OK(Register());
  const std::string id = Submit();
  const v1::Lease lease = AcquireLease();
  TestLeaseStream stream(test_, lease, "session");
  stream.Accept();
  EXPECT_EQ(stream.NextAcknowledged(), 0);
  v1::CancelSubmissionRequest cancel;
  cancel.set_id(id);
  ASSERT_OK(
      test_.Call<Evaluations>(&Evaluations::Stub::CancelSubmission, cancel));
  EXPECT_TRUE(stream.Next().has_cancel());
  EXPECT_TRUE(stream.Next().has_cancel());
  v1::LeaseReport stopped = stream.Report(1);
  stopped.mutable_stopped()->set_job_id(lease.jobs(0).job_id());
  stream.Write(stopped);
  EXPECT_EQ(stream.NextAcknowledged(), 1);
  for (int i = 0; i < 3; ++i) {
    test_.Advance(absl::Seconds(20));
    if (i < 2) {
      stream.Heartbeat();
      EXPECT_EQ(stream.NextAcknowledged(), 1);
    }
  }
  EXPECT_THAT(stream.End(), StatusIs(absl::StatusCode::kAborted, _));
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::QUARANTINED);
  EXPECT_THAT(Worker().hold_reason(), HasSubstr(lease.jobs(1).job_id()));
}

TEST_F(CoordinatorLeaseTest, PollEndsWithoutALease) {
  ASSERT_OK(Register());
  std::atomic<bool> answered{false};
  absl::StatusOr<v1::AcquireLeaseResponse> response;
  std::thread worker([&] {
    response = Acquire();
    answered = true;
  });
  // It may not be parked yet at the first look.
  while (!answered) {
    test_.Advance(absl::Seconds(21));
    std::this_thread::yield();
  }
  worker.join();
  ASSERT_OK(response);
  EXPECT_FALSE(response->has_lease());
}

TEST_F(CoordinatorLeaseTest, UnknownSessionMustRegister) {
  EXPECT_THAT(Acquire(), StatusIs(absl::StatusCode::kAborted,
                                  HasSubstr("register again")));
}

TEST_F(CoordinatorLeaseTest, CancelReachesTheWorkerAndTheWatcher) {
  Populate();
  ASSERT_OK(Register());
  const std::string id = Submit();
  const v1::Lease lease = AcquireLease();
  TestLeaseStream stream(test_, lease, "session");
  stream.Accept();
  EXPECT_EQ(stream.NextAcknowledged(), 0);
  v1::CancelSubmissionRequest request;
  request.set_id(id);
  ASSERT_OK_AND_ASSIGN(
      const v1::Submission cancelled,
      test_.Call<Evaluations>(&Evaluations::Stub::CancelSubmission, request));
  EXPECT_EQ(cancelled.cancelled(), 2);
  EXPECT_THAT(stream.Next().cancel().job_ids(),
              ElementsAre(lease.jobs(0).job_id()));
  EXPECT_THAT(stream.Next().cancel().job_ids(),
              ElementsAre(lease.jobs(1).job_id()));
  // A verdict that was on its way is harmless.
  stream.Complete(1, 0, SampleEvaluation());
  stream.Finish(2);
  EXPECT_OK(stream.End());
  EXPECT_EQ(GetSubmission(id).cancelled(), 2);
  TestWatch watch(test_, {id});
  EXPECT_EQ(watch.Rest().back().done().cancelled(), 2);
}

TEST_F(CoordinatorLeaseTest, SilentLeaseIsLostAndItsJobsGoBack) {
  Populate();
  ASSERT_OK(Register());
  const std::string id = Submit();
  TestLeaseStream silent(test_, AcquireLease(), "session");
  silent.Accept();
  EXPECT_EQ(silent.NextAcknowledged(), 0);
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::BUSY);
  test_.Advance(absl::Seconds(31));
  EXPECT_THAT(silent.End(),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("is lost")));
  EXPECT_EQ(GetSubmission(id).queued(), 2);
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::LOST);
  const v1::Lease again = AcquireLease();
  ASSERT_THAT(again.jobs(), SizeIs(2));
  EXPECT_EQ(again.jobs(0).attempt(), 2);
  RunToEnd(again, SampleEvaluation());
  EXPECT_EQ(GetSubmission(id).completed(), 2);
}

TEST_F(CoordinatorLeaseTest, HeartbeatsKeepALeaseAlive) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  TestLeaseStream stream(test_, AcquireLease(), "session");
  stream.Accept();
  EXPECT_EQ(stream.NextAcknowledged(), 0);
  for (int i = 0; i < 5; ++i) {
    test_.Advance(absl::Seconds(20));
    stream.Heartbeat();
    EXPECT_EQ(stream.NextAcknowledged(), i);
    stream.Stage(i + 1, 0, v1::MEASURE);
    EXPECT_EQ(stream.NextAcknowledged(), i + 1);
  }
  stream.Finish(6);
  EXPECT_OK(stream.End());
}

TEST_F(CoordinatorLeaseTest, BrokenStreamIsResumed) {
  Populate();
  ASSERT_OK(Register());
  const std::string id = Submit();
  const v1::Lease lease = AcquireLease();
  {
    TestLeaseStream broken(test_, lease, "session");
    broken.Accept();
    EXPECT_EQ(broken.NextAcknowledged(), 0);
    broken.Complete(1, 0, SampleEvaluation());
    EXPECT_EQ(broken.NextAcknowledged(), 1);
    broken.Break();
    EXPECT_THAT(broken.End(), StatusIs(absl::StatusCode::kCancelled, _));
  }
  TestLeaseStream stream(test_, lease, "session");
  stream.Accept();
  EXPECT_EQ(stream.NextAcknowledged(), 1);
  // The worker does not know whether its last report arrived.
  stream.Complete(1, 0, SampleEvaluation(v1::TIMEOUT));
  EXPECT_EQ(stream.NextAcknowledged(), 1);
  stream.Complete(2, 1, SampleEvaluation());
  stream.Finish(3);
  EXPECT_OK(stream.End());
  EXPECT_EQ(GetSubmission(id).completed(), 2);
  v1::ListTracesRequest request;
  request.set_submission_id(id);
  ASSERT_OK_AND_ASSIGN(
      const v1::ListTracesResponse traces,
      test_.Call<Evaluations>(&Evaluations::Stub::ListTraces, request));
  ASSERT_THAT(traces.traces(), SizeIs(2));
  EXPECT_EQ(traces.traces(0).trace().evaluation().status(), v1::PASSED);
}

TEST_F(CoordinatorLeaseTest, FinishedLeaseEndsAResumedStream) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  const v1::Lease lease = AcquireLease();
  RunToEnd(lease, SampleEvaluation());
  // The worker heard neither the last answer nor the end.
  TestLeaseStream stream(test_, lease, "session");
  stream.Accept();
  EXPECT_EQ(stream.NextAcknowledged(), 3);
  EXPECT_OK(stream.End());
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::IDLE);
}

TEST_F(CoordinatorLeaseTest, JobThatMovedOnIsCancelledNotTheLease) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  const v1::Lease lease = AcquireLease();
  test_.Advance(absl::Seconds(31));
  v1::AcquireLeaseRequest one;
  one.set_worker_id("worker");
  one.set_session_id("session");
  one.set_max_jobs(1);
  ASSERT_OK(test_.Call<v1::WorkerService>(
      &v1::WorkerService::Stub::AcquireLease, one));
  TestLeaseStream stream(test_, lease, "session");
  stream.Accept();
  EXPECT_EQ(stream.NextAcknowledged(), 0);
  stream.Complete(1, 0, SampleEvaluation());
  EXPECT_EQ(stream.NextAcknowledged(), 1);
  EXPECT_THAT(stream.Next().cancel().job_ids(),
              ElementsAre(lease.jobs(0).job_id()));
  stream.Complete(2, 1, SampleEvaluation());
  stream.Finish(3);
  EXPECT_OK(stream.End());
}

TEST_F(CoordinatorLeaseTest, StrangerDoesNotMakeAWorkerLive) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  const v1::Lease lease = AcquireLease();
  test_.Advance(absl::Seconds(31));
  ASSERT_EQ(Worker().state(), v1::WorkerRecord::LOST);
  EXPECT_THAT(Acquire("other"), StatusIs(absl::StatusCode::kAborted, _));
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::LOST);
  TestLeaseStream stranger(test_, lease, "other");
  stranger.Accept();
  stranger.Heartbeat();
  EXPECT_THAT(stranger.End(), StatusIs(absl::StatusCode::kAborted, _));
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::LOST);
}

TEST_F(CoordinatorLeaseTest, StrangerDoesNotKeepALeaseAlive) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  const v1::Lease lease = AcquireLease();
  test_.Advance(absl::Seconds(20));
  TestLeaseStream stranger(test_, lease, "other");
  stranger.Accept();
  EXPECT_THAT(stranger.End(), StatusIs(absl::StatusCode::kAborted, _));
  test_.Advance(absl::Seconds(11));
  EXPECT_THAT(AcquireLease().jobs(), SizeIs(2));
}

TEST_F(CoordinatorLeaseTest, RestartBringsBackWhoHadALeaseAlone) {
  Populate();
  ASSERT_OK(Register());
  test_.Restart();
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::LOST);
  Submit();
  AcquireLease();
  test_.Restart();
  EXPECT_EQ(Worker().state(), v1::WorkerRecord::BUSY);
}

TEST_F(CoordinatorLeaseTest, RestartInTheMiddleLosesNothing) {
  Populate();
  ASSERT_OK(Register());
  const std::string running = Submit("running");
  const v1::Lease lease = AcquireLease();
  const std::string waiting = Submit("waiting");
  {
    TestLeaseStream stream(test_, lease, "session");
    stream.Accept();
    EXPECT_EQ(stream.NextAcknowledged(), 0);
    stream.Complete(1, 0, SampleEvaluation());
    EXPECT_EQ(stream.NextAcknowledged(), 1);
    test_.Restart();
    EXPECT_THAT(stream.End().code(), AnyOf(absl::StatusCode::kUnavailable,
                                           absl::StatusCode::kCancelled));
  }
  EXPECT_EQ(GetSubmission(running).completed(), 1);
  EXPECT_EQ(GetSubmission(running).running(), 1);
  EXPECT_EQ(GetSubmission(waiting).queued(), 2);
  test_.Advance(absl::Seconds(29));
  TestLeaseStream stream(test_, lease, "session");
  stream.Accept();
  EXPECT_EQ(stream.NextAcknowledged(), 1);
  stream.Complete(2, 1, SampleEvaluation());
  stream.Finish(3);
  EXPECT_OK(stream.End());
  EXPECT_EQ(GetSubmission(running).completed(), 2);
  RunToEnd(AcquireLease(), SampleEvaluation());
  EXPECT_EQ(GetSubmission(waiting).completed(), 2);
}

TEST_F(CoordinatorLeaseTest, LeaseThatIsNotResumedAfterARestartExpires) {
  Populate();
  ASSERT_OK(Register());
  const std::string id = Submit();
  AcquireLease();
  test_.Restart();
  test_.Advance(absl::Seconds(31));
  EXPECT_THAT(AcquireLease().jobs(), SizeIs(2));
  EXPECT_EQ(GetSubmission(id).queued(), 2);
}

TEST_F(CoordinatorLeaseTest, NewSessionTakesOverAtOnce) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  TestLeaseStream old(test_, AcquireLease(), "session");
  old.Accept();
  EXPECT_EQ(old.NextAcknowledged(), 0);
  ASSERT_OK(Register("session-2"));
  EXPECT_THAT(old.End(), StatusIs(absl::StatusCode::kAborted, _));
  ASSERT_OK_AND_ASSIGN(const auto response, Acquire("session-2"));
  EXPECT_THAT(response.lease().jobs(), SizeIs(2));
}

TEST_F(CoordinatorLeaseTest, ReplacedProcessIsRefusedAfterARestartToo) {
  ASSERT_OK(Register("session"));
  ASSERT_OK(Register("session-2"));
  test_.Restart();
  EXPECT_THAT(Register("session"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("is used by a newer process")));
  EXPECT_OK(Register("session-2"));
}

TEST_F(CoordinatorLeaseTest, BadLeaseReportsAreRefused) {
  Populate();
  ASSERT_OK(Register());
  Submit();
  const v1::Lease lease = AcquireLease();
  {
    TestLeaseStream stream(test_, lease, "session");
    stream.Stage(1, 0, v1::BUILD);
    EXPECT_THAT(stream.End(), StatusIs(absl::StatusCode::kInvalidArgument,
                                       HasSubstr("must be accept")));
  }
  {
    TestLeaseStream stream(test_, lease, "session");
    stream.Accept();
    v1::LeaseReport report = stream.Report(1);
    report.set_lease_id("lea-other");
    report.mutable_finished();
    stream.Write(report);
    EXPECT_THAT(stream.End(), StatusIs(absl::StatusCode::kInvalidArgument,
                                       HasSubstr("\"lea-other\"")));
  }
  {
    TestLeaseStream stream(test_, lease, "session");
    stream.Accept();
    stream.Stage(5, 0, v1::BUILD);
    EXPECT_THAT(stream.End(), StatusIs(absl::StatusCode::kInvalidArgument,
                                       HasSubstr("does not follow")));
  }
  {
    TestLeaseStream stream(test_, v1::Lease(), "session");
    stream.Write(v1::LeaseReport());
    EXPECT_THAT(stream.End(), StatusIs(absl::StatusCode::kInvalidArgument, _));
  }
  {
    v1::Lease unknown = lease;
    unknown.set_id("lea-unknown");
    TestLeaseStream stream(test_, unknown, "session");
    stream.Accept();
    EXPECT_THAT(stream.End(),
                StatusIs(absl::StatusCode::kAborted, HasSubstr("lea-unknown")));
  }
}

}  // namespace
}  // namespace assay
