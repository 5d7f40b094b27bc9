// Boards that were kept up to date with every trace against boards that are
// made from all traces there are.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/status_testing.h"
#include "server/blob/blob_store.h"
#include "server/catalog/catalog.h"
#include "server/catalog/samples_testing.h"
#include "server/leaderboard/board.h"
#include "server/store/session_testing.h"

namespace assay {
namespace {

constexpr char kDefinition[] = "scale_d64";
constexpr int kWorkloads = 4;

class BoardHistoryTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(blobs_, BlobStore::Open(store_.folder() + "/blobs"));
    ASSERT_OK(store_.Run([&](Session& session) {
      return CreateDefinition(session, SampleDefinition());
    }));
    for (int i = 0; i < kWorkloads; ++i) AddWorkload();
    RegisterWorker();
  }

  int Below(int bound) {
    return std::uniform_int_distribution<int>(0, bound - 1)(random_);
  }

  void AddWorkload() {
    ASSERT_OK(store_.Run([&](Session& session) {
      return CreateWorkload(session, kDefinition,
                            SampleWorkload(absl::StrCat("w", workloads_)),
                            *blobs_);
    }));
    ++workloads_;
  }

  void RegisterWorker() {
    v1::RegisterWorkerRequest worker;
    worker.set_worker_id(absl::StrCat("worker", Below(2)));
    *worker.mutable_device() = SampleDevice();
    worker.mutable_device()->set_kind(Below(2) == 0 ? "cpu" : "cuda");
    ASSERT_OK(store_.Run(
        [&](Session& session) { return session.workers().Save(worker, 0); }));
  }

  // A revision of one of a few solutions, some of them probes: new, the latest,
  // or an old one that becomes the latest again.
  v1::SolutionRecord Solution() {
    const bool probe = Below(10) == 0;
    v1::Solution solution =
        probe ? SampleSolution("assay-lint-zeros", "assay-lint")
              : SampleSolution(absl::StrCat("s", Below(4)));
    solution.mutable_sources(0)->mutable_content()->append(
        absl::StrCat("# ", Below(3)));
    return store_
        .Run(
            [&](Session& session) { return CreateSolution(session, solution); })
        ->record;
  }

  void AddTrace() {
    const v1::SolutionRecord solution = Solution();
    v1::TraceRecord record;
    record.set_id(absl::StrCat("tra-", traces_.size()));
    record.set_worker(absl::StrCat("worker", Below(3)));
    record.set_solution_digest(solution.digest());
    record.set_imported(Below(10) == 0);
    v1::Trace& trace = *record.mutable_trace();
    trace.set_definition(kDefinition);
    trace.set_solution(solution.solution().name());
    *trace.mutable_workload() =
        SampleWorkload(absl::StrCat("w", Below(workloads_)));
    *trace.mutable_evaluation() = Evaluation();
    ASSERT_OK(store_.Run(
        [&](Session& session) { return session.traces().Insert(record); }));
    traces_.push_back(record.id());
  }

  v1::Evaluation Evaluation() {
    v1::Evaluation evaluation =
        SampleEvaluation(Below(4) == 0 ? v1::INCORRECT_NUMERICAL : v1::PASSED,
                         // Few values, so that some tie.
                         1 + Below(5));
    if (evaluation.has_performance()) {
      evaluation.mutable_performance()->set_timer(
          Below(3) == 0 ? v1::CUPTI : v1::HOST_CLOCK);
      evaluation.mutable_performance()->set_unstable(Below(5) == 0);
    }
    if (Below(4) == 0) {
      evaluation.mutable_environment()->set_hardware("OTHER_CPU");
    }
    if (Below(8) == 0) {
      v1::Finding& finding = *evaluation.add_findings();
      finding.set_rule("time_unaccounted");
      finding.set_effect(Below(2) == 0 ? v1::Finding::HOLD : v1::Finding::FAIL);
    }
    return evaluation;
  }

  void AddReview() {
    if (traces_.empty()) return;
    v1::Review review;
    review.set_decision(Below(2) == 0 ? v1::Review::APPROVED
                                      : v1::Review::REJECTED);
    const std::string& id = traces_[Below(static_cast<int>(traces_.size()))];
    ASSERT_OK(store_.Run([&](Session& session) {
      return session.reviews().Insert(id, review);
    }));
  }

  // From every trace, in the order of their insertion.
  absl::StatusOr<v1::Leaderboard> FromScratch(Session& session,
                                              const std::string& hardware) {
    BoardTraces board;
    ASSAY_ASSIGN_OR_RETURN(Paging page, Paging::Parse(1000, "", {}));
    v1::ListTracesRequest filter;
    filter.set_definition(kDefinition);
    ASSAY_ASSIGN_OR_RETURN(const v1::ListTracesResponse all,
                           session.traces().List(filter, page));
    int64_t seq = 0;
    for (const v1::TraceRecord& record : all.traces()) {
      const v1::Trace& trace = record.trace();
      const v1::Evaluation& evaluation = trace.evaluation();
      ASSAY_ASSIGN_OR_RETURN(const v1::SolutionRecord latest,
                             session.solutions().Get(trace.solution(), ""));
      ++seq;
      if (record.imported() || latest.digest() != record.solution_digest() ||
          evaluation.environment().hardware() != hardware) {
        continue;
      }
      TraceSummary& summary = board.traces.emplace_back();
      summary.seq = seq;
      summary.id = record.id();
      summary.solution = trace.solution();
      summary.solution_digest = record.solution_digest();
      summary.author = latest.solution().author();
      summary.workload_uuid = trace.workload().uuid();
      summary.worker = record.worker();
      summary.status = evaluation.status();
      summary.timer = evaluation.performance().timer();
      summary.latency_ms = evaluation.performance().latency_ms();
      summary.speedup_factor = evaluation.performance().speedup_factor();
      summary.unstable = evaluation.performance().unstable();
      summary.review_state = record.review_state();
      ++board.counts[summary.timer];
    }
    return ComposeLeaderboard(session, kDefinition, hardware, std::move(board));
  }

  void ExpectSame(const std::string& hardware) {
    v1::GetLeaderboardRequest request;
    request.set_definition(kDefinition);
    request.set_hardware(hardware);
    const auto kept = store_.Run(
        [&](Session& session) { return MakeLeaderboard(session, request); });
    const auto made = store_.Run(
        [&](Session& session) { return FromScratch(session, hardware); });
    ASSERT_OK(kept);
    ASSERT_OK(made);
    ASSERT_EQ(kept->DebugString(), made->DebugString());
    entries_ += made->entries_size();
  }

  std::mt19937 random_{static_cast<uint32_t>(GetParam())};
  TestStore store_;
  std::unique_ptr<BlobStore> blobs_;
  int workloads_ = 0;
  int entries_ = 0;
  std::vector<std::string> traces_;
};

TEST_P(BoardHistoryTest, KeptBoardsAreThoseMadeFromAllTraces) {
  for (int step = 0; step < 100; ++step) {
    const int what = Below(20);
    if (what < 16) {
      AddTrace();
    } else if (what < 18) {
      AddReview();
    } else if (what < 19) {
      RegisterWorker();
    } else {
      AddWorkload();
    }
    ASSERT_NO_FATAL_FAILURE(ExpectSame("TEST_CPU"));
    ASSERT_NO_FATAL_FAILURE(ExpectSame("OTHER_CPU"));
  }
  // Else all of it said nothing.
  EXPECT_GT(entries_, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, BoardHistoryTest, ::testing::Range(0, 3));

}  // namespace
}  // namespace assay
