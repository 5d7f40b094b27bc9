#include "client/report/folder_boards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "schema/schema_testing.h"

namespace assay {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// One line of a folder; `seconds` is when it was measured.
TraceSetItem<v1::Trace> Line(const std::string& solution, double speedup,
                             int64_t seconds,
                             const std::string& workload = "w-1") {
  TraceSetItem<v1::Trace> item;
  item.origin = "traces/scale.jsonl:" + std::to_string(seconds);
  item.value = ScaleTrace();
  item.value.set_solution(solution);
  item.value.mutable_workload()->set_uuid(workload);
  v1::Evaluation& evaluation = *item.value.mutable_evaluation();
  evaluation.clear_findings();
  evaluation.mutable_environment()->set_hardware("NVIDIA H200");
  evaluation.mutable_timestamp()->set_seconds(seconds);
  evaluation.mutable_performance()->set_speedup_factor(speedup);
  return item;
}

TEST(FolderBoardsTest, AnEmptyFolderHasNone) {
  EXPECT_THAT(FolderBoards(TraceSet()), IsEmpty());
}

TEST(FolderBoardsTest, TheLatestResultCountsAndTheFastestIsFirst) {
  TraceSet set;
  set.traces = {Line("a", 9, 20), Line("b", 5, 10), Line("a", 3, 30)};
  const auto boards = FolderBoards(set);
  ASSERT_THAT(boards, SizeIs(1));
  ASSERT_EQ(boards[0].entries_size(), 2);
  EXPECT_EQ(boards[0].entries(0).solution(), "b");
  EXPECT_EQ(boards[0].entries(1).solution(), "a");
  EXPECT_THAT(boards[0].entries(1).speedup_geomean(), DoubleEq(3));
}

TEST(FolderBoardsTest, HardwareModelsNeverMeet) {
  TraceSet set;
  set.traces = {Line("a", 9, 1), Line("b", 5, 2)};
  set.traces[1].value.mutable_evaluation()->mutable_environment()->set_hardware(
      "NVIDIA B200");
  const auto boards = FolderBoards(set);
  ASSERT_THAT(boards, SizeIs(2));
  EXPECT_EQ(boards[0].key().hardware(), "NVIDIA B200");
  ASSERT_EQ(boards[0].entries_size(), 1);
  EXPECT_EQ(boards[0].entries(0).solution(), "b");
}

TEST(FolderBoardsTest, TimersNeverMeet) {
  TraceSet set;
  set.traces = {Line("a", 9, 1), Line("b", 5, 2), Line("c", 4, 3)};
  set.traces[0].value.mutable_evaluation()->mutable_performance()->set_timer(
      v1::CUDA_EVENTS);
  const auto boards = FolderBoards(set);
  ASSERT_THAT(boards, SizeIs(1));
  EXPECT_EQ(boards[0].key().timer(), v1::HOST_CLOCK);
  EXPECT_EQ(boards[0].entries_size(), 2);
}

TEST(FolderBoardsTest, WhoLacksAWorkloadOfTheFolderDoesNotRank) {
  TraceSet set;
  set.traces = {Line("a", 9, 1)};
  set.workloads = {Line("", 0, 0), Line("", 0, 0, "w-2"),
                   Line("", 0, 0, "for-cpus")};
  set.workloads[2].value.mutable_workload()->add_target_hardware("cpu");
  const auto boards = FolderBoards(set);
  ASSERT_THAT(boards, SizeIs(1));
  EXPECT_THAT(boards[0].workload_uuids(), ElementsAre("w-1", "w-2"));
  EXPECT_EQ(boards[0].entries(0).rank(), 0);
  EXPECT_EQ(boards[0].entries(0).note(), "evaluated on 1 of 2 workloads");
}

TEST(FolderBoardsTest, ForeignTracesNameNeitherAuthorNorTimer) {
  TraceSet set;
  set.traces = {Line("a", 9, 1)};
  set.traces[0]
      .value.mutable_evaluation()
      ->mutable_performance()
      ->clear_timer();
  set.solutions.push_back({"solutions/scale_c.json", ScaleSolution()});
  const auto boards = FolderBoards(set);
  ASSERT_THAT(boards, SizeIs(1));
  EXPECT_EQ(boards[0].key().timer(), v1::TIMER_UNSPECIFIED);
  EXPECT_EQ(boards[0].entries(0).author(), "");
  EXPECT_EQ(boards[0].entries(0).rank(), 1);
}

TEST(FolderBoardsTest, FindingsKeepFromRanking) {
  TraceSet set;
  set.traces = {Line("a", 9, 1)};
  set.traces[0].value.mutable_evaluation()->add_findings()->set_effect(
      v1::Finding::HOLD);
  const auto boards = FolderBoards(set);
  ASSERT_THAT(boards, SizeIs(1));
  EXPECT_EQ(boards[0].entries(0).rank(), 0);
  EXPECT_EQ(boards[0].entries_pending(), 1);
}

}  // namespace
}  // namespace assay
