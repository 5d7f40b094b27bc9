#include "client/report/folder_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/report/folder_boards.h"
#include "schema/schema_testing.h"

namespace assay {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

void AddResult(TraceSet& set, const std::string& author, double latency_ms,
               const std::string& workload,
               v1::EvaluationStatus status = v1::PASSED) {
  v1::Solution solution = ScaleSolution();
  solution.set_name("by_" + author);
  solution.set_author(author);
  set.solutions.push_back({"", solution});
  v1::Trace trace = ScaleTrace();
  trace.set_solution(solution.name());
  trace.mutable_workload()->set_uuid(workload);
  v1::Evaluation& evaluation = *trace.mutable_evaluation();
  evaluation.clear_findings();
  evaluation.set_status(status);
  if (status != v1::PASSED) evaluation.clear_performance();
  if (status == v1::PASSED) {
    evaluation.mutable_performance()->set_latency_ms(latency_ms);
    evaluation.mutable_performance()->set_speedup_factor(8 / latency_ms);
  }
  set.traces.push_back({"", trace});
}

TEST(FolderSummaryTest, AnEmptyFolder) {
  const FolderSummary summary = SummarizeFolder(TraceSet(), {});
  EXPECT_EQ(summary.traces, 0);
  EXPECT_THAT(summary.authors, IsEmpty());
}

TEST(FolderSummaryTest, CountsAndScores) {
  TraceSet set;
  AddResult(set, "ann", 1, "w-1");
  AddResult(set, "ann", 4, "w-2");
  AddResult(set, "bo", 2, "w-1");
  AddResult(set, "bo", 0, "w-2", v1::TIMEOUT);
  const FolderSummary summary = SummarizeFolder(set, FolderBoards(set));
  EXPECT_EQ(summary.traces, 4);
  EXPECT_EQ(summary.by_status.at(v1::PASSED), 3);
  EXPECT_EQ(summary.by_status.at(v1::TIMEOUT), 1);
  ASSERT_THAT(summary.authors, SizeIs(2));
  const AuthorScore& ann = summary.authors[0];
  EXPECT_EQ(ann.author, "ann");
  EXPECT_DOUBLE_EQ(ann.speedup_geomean, 4);
  EXPECT_EQ(ann.workloads_won, 2);
  const AuthorScore& bo = summary.authors[1];
  EXPECT_DOUBLE_EQ(bo.speedup_geomean, 4);
  EXPECT_EQ(bo.cells, 2);
  EXPECT_EQ(bo.cells_passed, 1);
  EXPECT_EQ(bo.workloads_passed, 1);
  EXPECT_EQ(bo.workloads_won, 0);
}

TEST(FolderSummaryTest, WhatWasNotMeasuredHasNoSpeedUp) {
  TraceSet set;
  AddResult(set, "ann", 1, "w-1");
  set.traces[0]
      .value.mutable_evaluation()
      ->mutable_performance()
      ->set_speedup_factor(0);
  const FolderSummary summary = SummarizeFolder(set, FolderBoards(set));
  ASSERT_THAT(summary.authors, SizeIs(1));
  EXPECT_EQ(summary.authors[0].speedup_geomean, 0);
  EXPECT_EQ(summary.authors[0].cells_passed, 1);
}

}  // namespace
}  // namespace assay
