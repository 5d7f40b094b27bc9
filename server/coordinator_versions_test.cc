// Stores of earlier versions: a coordinator brings them up to date and goes on.
// server/store/testdata/ has one of each version that was ever released.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_testing.h"
#include "server/coordinator_fixture_testing.h"
#include "server/store/sqlite.h"

namespace assay {
namespace {

using testing::ElementsAre;

class CoordinatorVersionsTest : public CoordinatorTest,
                                public testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    const auto sql = ReadFile(
        absl::StrCat("server/store/testdata/store_v", GetParam(), ".sql"));
    ASSERT_OK(sql);
    test_.RestartOn([&](const std::string& path) {
      const auto database =
          Database::Open(path, Database::Mode::kReadWriteCreate);
      ASSERT_OK(database);
      ASSERT_OK((*database)->Execute(*sql));
    });
  }

  v1::Leaderboard Board() {
    v1::GetLeaderboardRequest request;
    request.set_definition("double_n8");
    const auto board = test_.Call<v1::LeaderboardService>(
        &v1::LeaderboardService::Stub::GetLeaderboard, request);
    EXPECT_OK(board);
    return board.value_or(v1::Leaderboard());
  }
};

TEST_P(CoordinatorVersionsTest, KeepsWhatWasStored) {
  const auto solutions = test_.Call<v1::CatalogService>(
      &v1::CatalogService::Stub::ListSolutions, v1::ListSolutionsRequest());
  ASSERT_OK(solutions);
  EXPECT_EQ(solutions->solutions_size(), 3);
  const auto submissions = test_.Call<v1::EvaluationService>(
      &v1::EvaluationService::Stub::ListSubmissions,
      v1::ListSubmissionsRequest());
  ASSERT_OK(submissions);
  std::vector<int> completed;
  for (const v1::Submission& submission : submissions->submissions()) {
    completed.push_back(submission.completed());
  }
  EXPECT_THAT(completed, testing::UnorderedElementsAre(2, 2, 0));
  const auto traces = test_.Call<v1::EvaluationService>(
      &v1::EvaluationService::Stub::ListTraces, v1::ListTracesRequest());
  ASSERT_OK(traces);
  std::vector<v1::EvaluationStatus> statuses;
  for (const v1::TraceRecord& record : traces->traces()) {
    statuses.push_back(record.trace().evaluation().status());
  }
  EXPECT_THAT(statuses,
              ElementsAre(v1::PASSED, v1::PASSED, v1::INCORRECT_NUMERICAL,
                          v1::INCORRECT_NUMERICAL));
}

TEST_P(CoordinatorVersionsTest, BoardRanksWhatWasMeasured) {
  const v1::Leaderboard board = Board();
  ASSERT_GE(board.entries_size(), 1);
  EXPECT_EQ(board.entries(0).solution(), "double_py");
  EXPECT_EQ(board.entries(0).rank(), 1);
}

TEST_P(CoordinatorVersionsTest, QueuedWorkIsDone) {
  ASSERT_OK(Register());
  const v1::Lease lease = AcquireLease();
  EXPECT_EQ(lease.solution().name(), "late_py");
  ASSERT_EQ(lease.jobs_size(), 2);
  RunToEnd(lease, SampleEvaluation());
  v1::ListTracesRequest filter;
  filter.set_solution("late_py");
  const auto traces = test_.Call<v1::EvaluationService>(
      &v1::EvaluationService::Stub::ListTraces, filter);
  ASSERT_OK(traces);
  EXPECT_EQ(traces->traces_size(), 2);
}

INSTANTIATE_TEST_SUITE_P(Versions, CoordinatorVersionsTest,
                         testing::Values(1, 2, 3));

}  // namespace
}  // namespace assay
