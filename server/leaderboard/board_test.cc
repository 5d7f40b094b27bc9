#include "server/leaderboard/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/status_testing.h"
#include "server/blob/blob_store.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/store/session_testing.h"

namespace assay {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class BoardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(blobs_, BlobStore::Open(store_.folder() + "/blobs"));
    ASSERT_OK(store_.Run([&](Session& session) {
      return CreateDefinition(session, SampleDefinition());
    }));
    AddWorkload("w1", "");
    AddWorkload("w2", "cpu");
    AddWorkload("gpu", "cuda");
    v1::RegisterWorkerRequest worker;
    worker.set_worker_id("worker");
    *worker.mutable_device() = SampleDevice();
    ASSERT_OK(store_.Run(
        [&](Session& session) { return session.workers().Save(worker, 0); }));
  }

  void AddWorkload(const std::string& uuid, const std::string& hardware) {
    v1::Workload workload = SampleWorkload(uuid);
    if (!hardware.empty()) workload.add_target_hardware(hardware);
    ASSERT_OK(store_.Run([&](Session& session) {
      return CreateWorkload(session, "scale_d64", workload, *blobs_);
    }));
  }

  // Stores the solution and returns its digest.
  std::string Solve(const std::string& name, const std::string& comment = "") {
    v1::Solution solution = SampleSolution(name);
    solution.mutable_sources(0)->mutable_content()->append(comment);
    return store_
        .Run(
            [&](Session& session) { return CreateSolution(session, solution); })
        ->record.digest();
  }

  v1::TraceRecord Trace(const std::string& solution, const std::string& digest,
                        const std::string& workload, double speedup) {
    v1::TraceRecord record;
    record.set_id(absl::StrCat("tra-", ++traces_));
    record.set_worker("worker");
    record.set_solution_digest(digest);
    record.mutable_trace()->set_definition("scale_d64");
    record.mutable_trace()->set_solution(solution);
    *record.mutable_trace()->mutable_workload() = SampleWorkload(workload);
    *record.mutable_trace()->mutable_evaluation() =
        SampleEvaluation(v1::PASSED, speedup);
    return record;
  }

  void Insert(const v1::TraceRecord& record) {
    ASSERT_THAT(store_.Run([&](Session& session) {
      return session.traces().Insert(record);
    }),
                IsOkAndHolds(true));
  }

  absl::StatusOr<v1::Leaderboard> Board(const std::string& hardware = "") {
    v1::GetLeaderboardRequest request;
    request.set_definition("scale_d64");
    request.set_hardware(hardware);
    return store_.Run(
        [&](Session& session) { return MakeLeaderboard(session, request); });
  }

  TestStore store_;
  std::unique_ptr<BlobStore> blobs_;
  int traces_ = 0;
};

TEST_F(BoardTest, CountsTheWorkloadsMeantForTheHardware) {
  const std::string digest = Solve("a");
  Insert(Trace("a", digest, "w1", 2));
  Insert(Trace("a", digest, "w2", 8));
  ASSERT_OK_AND_ASSIGN(const v1::Leaderboard board, Board());
  EXPECT_EQ(board.key().hardware(), "TEST_CPU");
  EXPECT_THAT(board.workload_uuids(), ElementsAre("w1", "w2"));
  ASSERT_THAT(board.entries(), SizeIs(1));
  EXPECT_EQ(board.entries(0).rank(), 1);
  EXPECT_NEAR(board.entries(0).speedup_geomean(), 4, 1e-9);
}

TEST_F(BoardTest, OnlyTheLatestRevisionTakesPart) {
  const std::string old = Solve("a");
  Insert(Trace("a", old, "w1", 9));
  const std::string latest = Solve("a", "# better\n");
  Insert(Trace("a", latest, "w1", 2));
  Insert(Trace("a", latest, "w2", 2));
  ASSERT_OK_AND_ASSIGN(const v1::Leaderboard board, Board());
  ASSERT_THAT(board.entries(), SizeIs(1));
  EXPECT_EQ(board.entries(0).solution_digest(), latest);
  EXPECT_NEAR(board.entries(0).speedup_geomean(), 2, 1e-9);
}

TEST_F(BoardTest, TimersAreNotMixed) {
  const std::string a = Solve("a");
  const std::string b = Solve("b");
  for (const char* workload : {"w1", "w2"}) {
    Insert(Trace("a", a, workload, 2));
    v1::TraceRecord other = Trace("b", b, workload, 100);
    other.mutable_trace()
        ->mutable_evaluation()
        ->mutable_performance()
        ->set_timer(v1::CUDA_EVENTS);
    if (std::string(workload) == "w1") Insert(other);
  }
  ASSERT_OK_AND_ASSIGN(const v1::Leaderboard board, Board());
  EXPECT_EQ(board.key().timer(), v1::HOST_CLOCK);
  ASSERT_THAT(board.entries(), SizeIs(1));
  EXPECT_EQ(board.entries(0).solution(), "a");
}

TEST_F(BoardTest, ImportedTracesDoNotTakePart) {
  v1::TraceRecord imported = Trace("a", Solve("a"), "w1", 9);
  imported.set_imported(true);
  Insert(imported);
  ASSERT_OK_AND_ASSIGN(const v1::Leaderboard board, Board());
  EXPECT_THAT(board.entries(), IsEmpty());
  EXPECT_EQ(board.key().hardware(), "");
  ASSERT_OK_AND_ASSIGN(const auto boards, store_.Run([](Session& session) {
    return session.boards().List(Paging::Parse(0, "", {}).value());
  }));
  EXPECT_THAT(boards.leaderboards(), IsEmpty());
}

TEST_F(BoardTest, HeldEntriesAreCountedUntilTheyAreReviewed) {
  const std::string digest = Solve("a");
  v1::TraceRecord held = Trace("a", digest, "w1", 9);
  v1::Finding& finding =
      *held.mutable_trace()->mutable_evaluation()->add_findings();
  finding.set_rule("device_busy_after_call");
  finding.set_effect(v1::Finding::HOLD);
  Insert(held);
  v1::TraceRecord unstable = Trace("a", digest, "w2", 4);
  unstable.mutable_trace()
      ->mutable_evaluation()
      ->mutable_performance()
      ->set_unstable(true);
  Insert(unstable);
  ASSERT_OK_AND_ASSIGN(v1::Leaderboard board, Board());
  EXPECT_EQ(board.entries_pending(), 1);
  EXPECT_EQ(board.entries(0).rank(), 0);
  EXPECT_EQ(board.entries(0).workloads_unstable(), 1);
  EXPECT_EQ(board.entries(0).cells(0).review_trace_id(), held.id());

  const auto review = [&](v1::Review::State decision) {
    v1::Review review;
    review.set_decision(decision);
    ASSERT_OK(store_.Run([&](Session& session) {
      return session.reviews().Insert(held.id(), review);
    }));
    ASSERT_OK_AND_ASSIGN(board, Board());
  };
  review(v1::Review::APPROVED);
  EXPECT_EQ(board.entries_pending(), 0);
  EXPECT_EQ(board.entries(0).rank(), 1);
  EXPECT_NEAR(board.entries(0).speedup_geomean(), 6, 1e-9);
  review(v1::Review::REJECTED);
  EXPECT_EQ(board.entries_rejected(), 1);
  EXPECT_EQ(board.entries(0).rank(), 0);
}

TEST_F(BoardTest, FailedForACheatItDoesNotRankUntilThatIsReviewed) {
  const std::string digest = Solve("a");
  v1::TraceRecord failed = Trace("a", digest, "w1", 9);
  v1::Evaluation& evaluation = *failed.mutable_trace()->mutable_evaluation();
  evaluation.set_status(v1::RUNTIME_ERROR);
  evaluation.clear_performance();
  v1::Finding& finding = *evaluation.add_findings();
  finding.set_rule("time_unaccounted");
  finding.set_effect(v1::Finding::FAIL);
  Insert(failed);
  Insert(Trace("a", digest, "w1", 4));
  Insert(Trace("a", digest, "w2", 4));
  ASSERT_OK_AND_ASSIGN(v1::Leaderboard board, Board());
  EXPECT_EQ(board.entries(0).rank(), 0);
  EXPECT_EQ(board.entries(0).note(), "held for review on 1 of 2 workloads");
  EXPECT_EQ(board.entries(0).cells(0).review_trace_id(), failed.id());

  v1::Review review;
  review.set_decision(v1::Review::APPROVED);
  ASSERT_OK(store_.Run([&](Session& session) {
    return session.reviews().Insert(failed.id(), review);
  }));
  ASSERT_OK_AND_ASSIGN(board, Board());
  EXPECT_EQ(board.entries(0).rank(), 1);
  EXPECT_NEAR(board.entries(0).speedup_geomean(), 4, 1e-9);
}

TEST_F(BoardTest, FailedWithoutAFindingItMayBeTriedAgain) {
  const std::string digest = Solve("a");
  v1::TraceRecord failed = Trace("a", digest, "w1", 9);
  failed.mutable_trace()->mutable_evaluation()->set_status(v1::RUNTIME_ERROR);
  Insert(failed);
  Insert(Trace("a", digest, "w1", 4));
  Insert(Trace("a", digest, "w2", 4));
  ASSERT_OK_AND_ASSIGN(const v1::Leaderboard board, Board());
  EXPECT_EQ(board.entries(0).rank(), 1);
}

TEST_F(BoardTest, AnotherRevisionIsJudgedAnew) {
  v1::TraceRecord held = Trace("a", Solve("a"), "w1", 9);
  v1::Finding& finding =
      *held.mutable_trace()->mutable_evaluation()->add_findings();
  finding.set_rule("device_busy_after_call");
  finding.set_effect(v1::Finding::HOLD);
  Insert(held);
  const std::string latest = Solve("a", "# honest\n");
  Insert(Trace("a", latest, "w1", 2));
  Insert(Trace("a", latest, "w2", 2));
  ASSERT_OK_AND_ASSIGN(const v1::Leaderboard board, Board());
  EXPECT_EQ(board.entries(0).rank(), 1);
}

TEST_F(BoardTest, ProbesMakeNoBoard) {
  v1::Solution probe = SampleSolution("assay-lint-zeros", "assay-lint");
  ASSERT_OK_AND_ASSIGN(const auto stored, store_.Run([&](Session& session) {
    return CreateSolution(session, probe);
  }));
  Insert(Trace(probe.name(), stored.record.digest(), "w1", 9));
  ASSERT_OK_AND_ASSIGN(const v1::Leaderboard board, Board("TEST_CPU"));
  EXPECT_THAT(board.entries(), IsEmpty());
  ASSERT_OK_AND_ASSIGN(const v1::Leaderboard any, Board());
  EXPECT_EQ(any.key().hardware(), "");
  ASSERT_OK_AND_ASSIGN(const auto boards, store_.Run([](Session& session) {
    return session.boards().List(Paging::Parse(0, "", {}).value());
  }));
  EXPECT_THAT(boards.leaderboards(), IsEmpty());
  const auto list = [this](const std::string& author) {
    return store_
        .Run([&](Session& session) {
          return session.solutions().List("", author,
                                          Paging::Parse(0, "", {}).value());
        })
        ->solutions_size();
  };
  EXPECT_EQ(list(""), 0);
  EXPECT_EQ(list("assay-lint"), 1);
}

TEST_F(BoardTest, HardwareWithoutResultsHasAnEmptyBoard) {
  ASSERT_OK_AND_ASSIGN(const v1::Leaderboard board, Board("NVIDIA_H200"));
  EXPECT_THAT(board.workload_uuids(), ElementsAre("w1", "gpu"));
  EXPECT_THAT(board.entries(), IsEmpty());
}

TEST_F(BoardTest, UnknownDefinitionIsNotFound) {
  v1::GetLeaderboardRequest request;
  request.set_definition("none");
  EXPECT_THAT(store_.Run([&](Session& session) {
    return MakeLeaderboard(session, request);
  }),
              StatusIs(absl::StatusCode::kNotFound, _));
}

}  // namespace
}  // namespace assay
