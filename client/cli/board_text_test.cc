#include "client/cli/board_text.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

v1::Leaderboard Board() {
  v1::Leaderboard board;
  board.mutable_key()->set_definition("scale_h4096");
  board.mutable_key()->set_hardware("AMD_EPYC_9554");
  board.mutable_key()->set_timer(v1::HOST_CLOCK);
  board.add_workload_uuids("w1");
  v1::LeaderboardEntry* entry = board.add_entries();
  entry->set_rank(1);
  entry->set_solution("scale_cpp");
  entry->set_author("assay");
  entry->set_speedup_geomean(12.3);
  entry->set_workloads_passed(1);
  entry->set_workloads_total(1);
  v1::LeaderboardCell* cell = entry->add_cells();
  cell->set_workload_uuid("w1");
  cell->set_status(v1::PASSED);
  cell->set_latency_ms(0.5);
  cell->set_speedup_factor(12.3);
  cell->set_trace_id("tra-1");
  entry = board.add_entries();
  entry->set_solution("scale_bad");
  entry->set_author("assay");
  entry->set_speedup_geomean(99);
  entry->set_workloads_total(1);
  entry->set_note("1 workload did not pass");
  entry->add_cells()->set_workload_uuid("w1");
  return board;
}

TEST(BoardTextTest, RanksAndNotes) {
  EXPECT_EQ(
      BoardText(Board(), 0),
      "scale_h4096 on AMD_EPYC_9554, host clock, 1 workload\n"
      "rank  solution   author  speed-up  passed  note\n"
      "   1  scale_cpp  assay      12.3x     1/1\n"
      "   -  scale_bad  assay          -     0/1  1 workload did not pass");
}

TEST(BoardTextTest, SaysWhatIsHeldBackAndWhatIsUnstable) {
  v1::Leaderboard board = Board();
  board.set_entries_pending(1);
  board.set_entries_rejected(2);
  board.mutable_entries(0)->set_workloads_unstable(1);
  board.mutable_entries(1)->set_workloads_unstable(1);
  board.mutable_entries(1)->set_note("held for review on 1 of 1 workloads");
  EXPECT_EQ(BoardText(board, 0),
            "scale_h4096 on AMD_EPYC_9554, host clock, 1 workload; 1 entry "
            "held for review, 2 entries rejected in a review\n"
            "rank  solution   author  speed-up  passed  note\n"
            "   1  scale_cpp  assay      12.3x     1/1  unstable on 1 of 1 "
            "workloads\n"
            "   -  scale_bad  assay          -     0/1  held for review on 1 "
            "of 1 workloads; unstable on 1 of 1 workloads");
}

TEST(BoardTextTest, CellsNameTheTraceThatIsHeld) {
  v1::Leaderboard board = Board();
  v1::LeaderboardCell& cell = *board.mutable_entries(0)->mutable_cells(0);
  cell.set_unstable(true);
  cell.set_review_state(v1::Review::PENDING);
  cell.set_review_trace_id("tra-0");
  EXPECT_NE(BoardCellsText(board, Labels(), 0)
                .find("PASSED, held, unstable  0.500 ms     12.3x  tra-0\n"),
            std::string::npos);
}

TEST(BoardTextTest, EmptyBoardSaysSo) {
  v1::Leaderboard board = Board();
  board.clear_entries();
  EXPECT_NE(BoardText(board, 0).find("\nno results yet"), std::string::npos);
}

TEST(BoardTextTest, Cells) {
  v1::Workload workload;
  workload.set_uuid("w1");
  workload.add_axes()->set_name("n");
  workload.mutable_axes(0)->set_value(8);
  Labels labels;
  labels.AddWorkload(workload);
  EXPECT_EQ(BoardCellsText(Board(), labels, 0),
            "solution   workload  status   latency  speed-up  trace\n"
            "scale_cpp  n=8       PASSED  0.500 ms     12.3x  tra-1\n"
            "scale_bad  n=8       -              -         -");
}

}  // namespace
}  // namespace assay
