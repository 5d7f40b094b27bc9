#include "client/report/report_html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReportHtmlTest, ShowsBoardsAndAuthors) {
  v1::Leaderboard board;
  board.mutable_key()->set_definition("scale");
  board.mutable_key()->set_hardware("NVIDIA H200");
  board.add_workload_uuids("w-1");
  v1::LeaderboardEntry& entry = *board.add_entries();
  entry.set_rank(1);
  entry.set_solution("fast");
  entry.set_speedup_geomean(2.5);
  entry.set_workloads_passed(1);
  entry.set_workloads_total(1);
  FolderSummary summary;
  summary.traces = 1;
  summary.by_status[v1::PASSED] = 1;
  summary.authors.push_back({"NVIDIA H200", "ann", 2.5, 1, 1, 1, 1});
  EXPECT_THAT(ReportHtml("set", summary, {board}),
              AllOf(HasSubstr("<title>set</title>"), HasSubstr("fast"),
                    HasSubstr("NVIDIA H200, 1 workload<"), HasSubstr("ann"),
                    HasSubstr("value=\"2.5\""), HasSubstr("2.5x")));
}

TEST(ReportHtmlTest, NamesAreTextWhateverIsInThem) {
  v1::Leaderboard board;
  board.mutable_key()->set_definition("<script>alert(1)</script>");
  board.mutable_key()->set_hardware("\"><img src=x>");
  v1::LeaderboardEntry& entry = *board.add_entries();
  entry.set_solution("<b>");
  entry.set_author("'&");
  entry.set_note("<i>");
  FolderSummary summary;
  summary.authors.push_back({"<u>", "<s>"});
  EXPECT_THAT(
      ReportHtml("<title>", summary, {board}),
      AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<img")),
            Not(HasSubstr("<b>")), Not(HasSubstr("<i>")), Not(HasSubstr("<u>")),
            Not(HasSubstr("<s>")), HasSubstr("&lt;script&gt;")));
}

}  // namespace
}  // namespace assay
