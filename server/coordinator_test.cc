// The coordinator over gRPC: the main job, watching, boards, start and stop.

#include "server/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "schema/validate.h"
#include "server/coordinator_fixture_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using Catalog = v1::CatalogService;
using Evaluations = v1::EvaluationService;

TEST_F(CoordinatorTest, TellsAboutItself) {
  ASSERT_OK_AND_ASSIGN(
      const v1::ServerInfo info,
      test_.Call<v1::AdminService>(&v1::AdminService::Stub::GetServerInfo,
                                   v1::GetServerInfoRequest()));
  EXPECT_EQ(info.api(), "assay.v1");
  EXPECT_EQ(info.max_message_bytes(), 64 << 20);
  EXPECT_EQ(info.max_sources_bytes(), kMaxSourcesBytes);
  EXPECT_GE(info.store_version(), 1);
}

TEST_F(CoordinatorTest, MainJobEndToEnd) {
  Populate();
  ASSERT_OK(Register());
  const std::string id = Submit();
  TestWatch watch(test_, {id});
  EXPECT_EQ(watch.Next().submission().queued(), 2);

  const v1::Lease lease = AcquireLease();
  ASSERT_THAT(lease.jobs(), SizeIs(2));
  TestLeaseStream stream(test_, lease, "session");
  stream.Accept();
  EXPECT_EQ(stream.NextAcknowledged(), 0);
  stream.Stage(1, 0, v1::BUILD);
  EXPECT_EQ(stream.NextAcknowledged(), 1);
  stream.Complete(2, 0, SampleEvaluation());
  stream.Complete(3, 1, SampleEvaluation(v1::RUNTIME_ERROR));
  stream.Finish(4);
  EXPECT_OK(stream.End());

  std::vector<std::string> traces;
  std::vector<v1::JobStage> stages;
  int64_t sequence = 1;
  for (const v1::SubmissionEvent& event : watch.Rest()) {
    EXPECT_EQ(event.sequence(), ++sequence);
    EXPECT_EQ(event.submission_id(), id);
    if (event.has_trace()) {
      traces.push_back(event.trace().trace().workload().uuid());
    }
    if (event.has_job() && event.job().workload_uuid() == "w1") {
      stages.push_back(event.job().stage());
    }
    if (event.has_done()) {
      EXPECT_EQ(event.done().completed(), 2);
    }
  }
  EXPECT_THAT(traces, ElementsAre("w1", "w2"));
  // Claimed, accepted, building.
  EXPECT_THAT(stages,
              ElementsAre(v1::JOB_STAGE_UNSPECIFIED, v1::ASSIGNED, v1::BUILD));
  EXPECT_OK(watch.End());
}

TEST_F(CoordinatorTest, WatchAfterTheEndTellsAllOfIt) {
  Populate();
  ASSERT_OK(Register());
  const std::string id = Submit();
  RunToEnd(AcquireLease(), SampleEvaluation());
  TestWatch watch(test_, {id});
  const auto events = watch.Rest();
  ASSERT_THAT(events, SizeIs(4));
  EXPECT_TRUE(events[0].has_submission());
  EXPECT_TRUE(events[1].has_trace());
  EXPECT_TRUE(events[2].has_trace());
  EXPECT_TRUE(events[3].has_done());
  EXPECT_OK(watch.End());
}

TEST_F(CoordinatorTest, WatchOfSeveralEndsAfterTheLast) {
  Populate();
  ASSERT_OK(Register());
  const std::string first = Submit("a");
  const std::string second = Submit("b");
  TestWatch watch(test_, {first, second, first});
  EXPECT_TRUE(watch.Next().has_submission());
  EXPECT_TRUE(watch.Next().has_submission());
  RunToEnd(AcquireLease(), SampleEvaluation());
  RunToEnd(AcquireLease(), SampleEvaluation());
  int done = 0;
  for (const auto& event : watch.Rest()) done += event.has_done();
  EXPECT_EQ(done, 2);
  EXPECT_OK(watch.End());
}

TEST_F(CoordinatorTest, WatchOfManyJobsReadsTheStoreInParts) {
  Populate();
  for (int i = 0; i < 500; ++i) {
    v1::CreateWorkloadRequest workload;
    workload.set_definition("scale_d64");
    *workload.mutable_workload() = SampleWorkload(absl::StrCat("x", i));
    ASSERT_OK(test_.Call<Catalog>(&Catalog::Stub::CreateWorkload, workload));
  }
  const std::string id = Submit();
  TestWatch before(test_, {id});
  EXPECT_TRUE(before.Next().has_submission());
  ASSERT_OK(Register());
  // 502 jobs come in leases of at most 100.
  for (int i = 0; i < 6; ++i) RunToEnd(AcquireLease(), SampleEvaluation());
  TestWatch after(test_, {id});
  for (TestWatch* watch : {&before, &after}) {
    int traces = 0;
    int done = 0;
    for (const auto& event : watch->Rest()) {
      traces += event.has_trace();
      done += event.has_done();
    }
    EXPECT_EQ(traces, 502);
    EXPECT_EQ(done, 1);
    EXPECT_OK(watch->End());
  }
}

TEST_F(CoordinatorTest, SubmissionWithoutFittingWorkloadsIsDoneAtOnce) {
  Populate();
  v1::CreateSubmissionRequest request;
  *request.mutable_solution() = SampleSolution();
  request.add_hardware("cuda");
  ASSERT_OK_AND_ASSIGN(
      const v1::Submission submission,
      test_.Call<Evaluations>(&Evaluations::Stub::CreateSubmission, request));
  EXPECT_EQ(submission.skipped_size(), 2);
  TestWatch watch(test_, {submission.id()});
  EXPECT_THAT(watch.Rest(), SizeIs(2));
  EXPECT_OK(watch.End());
}

TEST_F(CoordinatorTest, WaitingJobsAreExplained) {
  Populate();
  const std::string id = Submit();
  v1::ListJobsRequest request;
  request.set_submission_id(id);
  ASSERT_OK_AND_ASSIGN(
      const v1::ListJobsResponse jobs,
      test_.Call<Evaluations>(&Evaluations::Stub::ListJobs, request));
  ASSERT_THAT(jobs.jobs(), SizeIs(2));
  EXPECT_THAT(jobs.jobs(0).note(), HasSubstr("no worker is registered"));
  TestWatch watch(test_, {id});
  EXPECT_TRUE(watch.Next().has_submission());
  EXPECT_THAT(watch.Next().job().note(), HasSubstr("no worker is registered"));
  watch.Break();
}

TEST_F(CoordinatorTest, BoardRanksWhatWasMeasured) {
  Populate();
  ASSERT_OK(Register());
  Submit("slow");
  RunToEnd(AcquireLease(), SampleEvaluation(v1::PASSED, 1.5));
  Submit("fast");
  RunToEnd(AcquireLease(), SampleEvaluation(v1::PASSED, 3.0));
  Submit("wrong");
  RunToEnd(AcquireLease(), SampleEvaluation(v1::INCORRECT_NUMERICAL));
  v1::GetLeaderboardRequest request;
  request.set_definition("scale_d64");
  ASSERT_OK_AND_ASSIGN(
      const v1::Leaderboard board,
      test_.Call<v1::LeaderboardService>(
          &v1::LeaderboardService::Stub::GetLeaderboard, request));
  EXPECT_EQ(board.key().hardware(), "TEST_CPU");
  EXPECT_EQ(board.key().timer(), v1::HOST_CLOCK);
  EXPECT_THAT(board.workload_uuids(), ElementsAre("w1", "w2"));
  ASSERT_THAT(board.entries(), SizeIs(3));
  EXPECT_EQ(board.entries(0).solution(), "fast");
  EXPECT_EQ(board.entries(0).rank(), 1);
  EXPECT_NEAR(board.entries(0).speedup_geomean(), 3.0, 1e-9);
  EXPECT_EQ(board.entries(1).solution(), "slow");
  EXPECT_EQ(board.entries(2).note(), "passed 0 of 2 workloads");
  ASSERT_OK_AND_ASSIGN(const v1::ListLeaderboardsResponse boards,
                       test_.Call<v1::LeaderboardService>(
                           &v1::LeaderboardService::Stub::ListLeaderboards,
                           v1::ListLeaderboardsRequest()));
  ASSERT_THAT(boards.leaderboards(), SizeIs(1));
  EXPECT_EQ(boards.leaderboards(0).timer(), v1::HOST_CLOCK);
}

TEST_F(CoordinatorTest, HeldResultsRankOnceTheyAreApproved) {
  Populate();
  ASSERT_OK(Register());
  const std::string id = Submit("suspect");
  v1::Evaluation evaluation = SampleEvaluation(v1::PASSED, 3.0);
  evaluation.add_findings()->set_rule("time_unaccounted");
  evaluation.mutable_findings(0)->set_effect(v1::Finding::HOLD);
  TestWatch watch(test_, {id});
  RunToEnd(AcquireLease(), evaluation);
  int pending = 0;
  for (const v1::SubmissionEvent& event : watch.Rest()) {
    pending += event.trace().review_state() == v1::Review::PENDING;
  }
  EXPECT_EQ(pending, 2);

  v1::GetLeaderboardRequest board;
  board.set_definition("scale_d64");
  const auto rank = [&] {
    return test_
        .Call<v1::LeaderboardService>(
            &v1::LeaderboardService::Stub::GetLeaderboard, board)
        ->entries(0)
        .rank();
  };
  EXPECT_EQ(rank(), 0);
  v1::ListTracesRequest held;
  held.set_review_state(v1::Review::PENDING);
  ASSERT_OK_AND_ASSIGN(
      const v1::ListTracesResponse traces,
      test_.Call<Evaluations>(&Evaluations::Stub::ListTraces, held));
  ASSERT_THAT(traces.traces(), SizeIs(2));
  for (const v1::TraceRecord& trace : traces.traces()) {
    v1::ReviewTraceRequest request;
    request.set_id(trace.id());
    request.set_decision(v1::Review::APPROVED);
    EXPECT_THAT(
        test_.Call<Evaluations>(&Evaluations::Stub::ReviewTrace, request),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("reviewer")));
    request.set_reviewer("ops");
    request.set_reason("read the source");
    ASSERT_OK_AND_ASSIGN(
        const v1::TraceRecord reviewed,
        test_.Call<Evaluations>(&Evaluations::Stub::ReviewTrace, request));
    EXPECT_EQ(reviewed.review_state(), v1::Review::APPROVED);
  }
  EXPECT_EQ(rank(), 1);
}

TEST_F(CoordinatorTest, StopFinishesParkedCalls) {
  Populate();
  ASSERT_OK(Register());
  const std::string id = Submit();
  const v1::Lease lease = AcquireLease();
  TestLeaseStream stream(test_, lease, "session");
  stream.Accept();
  EXPECT_EQ(stream.NextAcknowledged(), 0);
  TestWatch watch(test_, {id});
  EXPECT_TRUE(watch.Next().has_submission());
  const int64_t seen = Worker().last_seen_time_us();
  test_.Advance(absl::Seconds(1));
  absl::Status acquired;
  std::thread worker([&] { acquired = Acquire().status(); });
  // Until the call has arrived.
  while (Worker().last_seen_time_us() == seen) std::this_thread::yield();
  test_.coordinator().Stop();
  worker.join();
  EXPECT_EQ(acquired.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(stream.End(), StatusIs(absl::StatusCode::kUnavailable, _));
  watch.Rest();
  EXPECT_THAT(watch.End(), StatusIs(absl::StatusCode::kUnavailable, _));
}

TEST(CoordinatorStartTest, SecondOnTheSamePortIsRefused) {
  TestCoordinator first;
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-second-"));
  Coordinator::Options options;
  options.listen = first.coordinator().address();
  options.store_path = folder.path() + "/assay.db";
  EXPECT_THAT(Coordinator::Start(options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("address already in use")));
}

TEST(CoordinatorStartTest, OpenAddressNeedsInsecure) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-open-"));
  Coordinator::Options options;
  options.listen = "0.0.0.0:0";
  options.store_path = folder.path() + "/assay.db";
  EXPECT_THAT(
      Coordinator::Start(options),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("--insecure")));
  options.insecure = true;
  EXPECT_OK(Coordinator::Start(options));
}

TEST(CoordinatorStartTest, ListensOnAUnixSocket) {
  ASSERT_OK_AND_ASSIGN(const TempDir folder, TempDir::Create("assay-unix-"));
  Coordinator::Options options;
  options.listen = "unix:" + folder.path() + "/socket";
  options.store_path = folder.path() + "/assay.db";
  ASSERT_OK_AND_ASSIGN(const auto coordinator, Coordinator::Start(options));
  EXPECT_EQ(coordinator->address(), options.listen);
  options.store_path = folder.path() + "/other.db";
  EXPECT_THAT(Coordinator::Start(options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("address already in use")));
}

}  // namespace
}  // namespace assay
