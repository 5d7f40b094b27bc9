#include "server/store/board_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "schema/lint_solutions.h"
#include "server/store/review_state.h"

namespace assay {
namespace {

constexpr char kCountTraceSql[] =
    "INSERT INTO boards (definition, hardware, timer, traces)"
    " VALUES (?, ?, ?, 1)"
    " ON CONFLICT (definition, hardware, timer)"
    " DO UPDATE SET traces = traces + 1";
constexpr char kSaveCellSql[] =
    "INSERT INTO board_cells (definition, hardware, solution, solution_digest,"
    " workload_uuid, timer, traces, trace_seq, trace_id, worker, status,"
    " latency_ms, speedup_factor, unstable)"
    " VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (definition, hardware, solution, solution_digest,"
    "  workload_uuid, timer)"
    " DO UPDATE SET traces = traces + 1, trace_seq = excluded.trace_seq,"
    " trace_id = excluded.trace_id, worker = excluded.worker,"
    " status = excluded.status, latency_ms = excluded.latency_ms,"
    " speedup_factor = excluded.speedup_factor, unstable = excluded.unstable";
constexpr char kContestSql[] =
    "INSERT INTO contested_traces (definition, hardware, trace_seq)"
    " VALUES (?, ?, ?)";
constexpr char kContestReviewedSql[] =
    "INSERT INTO contested_traces (definition, hardware, trace_seq)"
    " SELECT definition, hardware, seq FROM traces"
    " WHERE id = ? AND imported = 0 AND solution NOT GLOB ?"
    " ON CONFLICT DO NOTHING";
constexpr char kSelectDefinitionSql[] =
    "SELECT definition FROM traces WHERE id = ?";
constexpr char kSelectCellsSql[] =
    "SELECT cell.trace_seq, cell.trace_id, cell.solution, cell.solution_digest,"
    " solutions.author, cell.workload_uuid, cell.worker, cell.status,"
    " cell.timer, cell.latency_ms, cell.speedup_factor, cell.unstable, 0,"
    " cell.traces"
    " FROM board_cells AS cell JOIN solutions ON solutions.name = cell.solution"
    " AND solutions.digest = cell.solution_digest AND solutions.is_latest = 1"
    " WHERE cell.definition = ? AND cell.hardware = ?";
constexpr char kSelectContestedSql[] =
    "SELECT traces.seq, traces.id, traces.solution, traces.solution_digest,"
    " solutions.author, traces.workload_uuid, traces.worker, traces.status,"
    " traces.timer, traces.latency_ms, traces.speedup_factor,"
    " traces.unstable, " ASSAY_REVIEW_STATE_SQL
    " FROM contested_traces JOIN traces"
    " ON traces.seq = contested_traces.trace_seq"
    " JOIN solutions ON solutions.name = traces.solution"
    " AND solutions.digest = traces.solution_digest"
    " AND solutions.is_latest = 1"
    " WHERE contested_traces.definition = ? AND contested_traces.hardware = ?";
constexpr char kMainHardwareSql[] =
    "SELECT hardware FROM boards WHERE definition = ?"
    " GROUP BY hardware ORDER BY SUM(traces) DESC, hardware LIMIT 1";
constexpr char kListBoardsSql[] =
    "SELECT definition, hardware, timer FROM boards AS board"
    " WHERE (definition, hardware, timer) > (?, ?, ?)"
    " AND (timer <> 0 OR NOT EXISTS (SELECT 1 FROM boards"
    "  WHERE boards.definition = board.definition"
    "  AND boards.hardware = board.hardware AND boards.timer <> 0))"
    " ORDER BY definition, hardware, timer";

// STRICT columns of REAL take no NaN: SQLite makes NULL of it.
double Storable(double value) { return std::isnan(value) ? 0 : value; }

TraceSummary ReadSummary(const Statement& row) {
  TraceSummary summary;
  summary.seq = row.Int(0);
  summary.id = row.String(1);
  summary.solution = row.String(2);
  summary.solution_digest = row.String(3);
  summary.author = row.String(4);
  summary.workload_uuid = row.String(5);
  summary.worker = row.String(6);
  summary.status = static_cast<v1::EvaluationStatus>(row.Int(7));
  summary.timer = static_cast<v1::Timer>(row.Int(8));
  summary.latency_ms = row.Double(9);
  summary.speedup_factor = row.Double(10);
  summary.unstable = row.Int(11) != 0;
  summary.review_state = static_cast<v1::Review::State>(row.Int(12));
  return summary;
}

}  // namespace

absl::Status BoardTable::NoteTrace(const v1::TraceRecord& record, int64_t seq) {
  const v1::Trace& trace = record.trace();
  if (record.imported() || IsLintSolution(trace.solution())) {
    return absl::OkStatus();
  }
  changes_.effects().ChangeBoards(trace.definition());
  const v1::Evaluation& evaluation = trace.evaluation();
  const v1::Performance& performance = evaluation.performance();
  const std::string& hardware = evaluation.environment().hardware();
  const int timer = static_cast<int>(performance.timer());
  ASSAY_RETURN_IF_ERROR(database_.Prepare(kCountTraceSql)
                            .Bind(trace.definition())
                            .Bind(hardware)
                            .Bind(timer)
                            .Run());
  ASSAY_RETURN_IF_ERROR(database_.Prepare(kSaveCellSql)
                            .Bind(trace.definition())
                            .Bind(hardware)
                            .Bind(trace.solution())
                            .Bind(record.solution_digest())
                            .Bind(trace.workload().uuid())
                            .Bind(timer)
                            .Bind(seq)
                            .Bind(record.id())
                            .Bind(record.worker())
                            .Bind(static_cast<int>(evaluation.status()))
                            .Bind(Storable(performance.latency_ms()))
                            .Bind(Storable(performance.speedup_factor()))
                            .Bind(performance.unstable())
                            .Run());
  if (!IsHeld(evaluation)) return absl::OkStatus();
  return database_.Prepare(kContestSql)
      .Bind(trace.definition())
      .Bind(hardware)
      .Bind(seq)
      .Run();
}

absl::Status BoardTable::NoteReview(absl::string_view trace_id) {
  ASSAY_RETURN_IF_ERROR(database_.Prepare(kContestReviewedSql)
                            .Bind(trace_id)
                            .Bind(absl::StrCat(kLintPrefix, "*"))
                            .Run());
  Statement definition = database_.Prepare(kSelectDefinitionSql);
  definition.Bind(trace_id);
  ASSAY_ASSIGN_OR_RETURN(const bool found, definition.Step());
  if (found) changes_.effects().ChangeBoards(definition.String(0));
  return absl::OkStatus();
}

absl::StatusOr<BoardTraces> BoardTable::Traces(absl::string_view definition,
                                               absl::string_view hardware) {
  BoardTraces board;
  // First, because of a trace that is both only one stays, the first.
  ASSAY_RETURN_IF_ERROR(AddContested(definition, hardware, board));
  ASSAY_RETURN_IF_ERROR(AddCells(definition, hardware, board));
  std::stable_sort(board.traces.begin(), board.traces.end(),
                   [](const TraceSummary& a, const TraceSummary& b) {
                     return a.seq < b.seq;
                   });
  board.traces.erase(
      std::unique(board.traces.begin(), board.traces.end(),
                  [](const TraceSummary& a, const TraceSummary& b) {
                    return a.seq == b.seq;
                  }),
      board.traces.end());
  return board;
}

absl::Status BoardTable::AddContested(absl::string_view definition,
                                      absl::string_view hardware,
                                      BoardTraces& board) {
  Statement row = database_.Prepare(kSelectContestedSql);
  row.Bind(definition).Bind(hardware);
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, row.Step());
    if (!found) return absl::OkStatus();
    board.traces.push_back(ReadSummary(row));
  }
}

absl::Status BoardTable::AddCells(absl::string_view definition,
                                  absl::string_view hardware,
                                  BoardTraces& board) {
  Statement row = database_.Prepare(kSelectCellsSql);
  row.Bind(definition).Bind(hardware);
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, row.Step());
    if (!found) return absl::OkStatus();
    board.traces.push_back(ReadSummary(row));
    board.counts[board.traces.back().timer] += row.Int(13);
  }
}

absl::StatusOr<std::string> BoardTable::MainHardware(
    absl::string_view definition) {
  Statement statement = database_.Prepare(kMainHardwareSql);
  statement.Bind(definition);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  return found ? statement.String(0) : std::string();
}

absl::StatusOr<v1::ListLeaderboardsResponse> BoardTable::List(Paging paging) {
  std::vector<std::string> after = absl::StrSplit(paging.after(), '\n');
  after.resize(3);
  int64_t after_timer = -1;
  if (!paging.first() && !absl::SimpleAtoi(after[2], &after_timer)) {
    return absl::InvalidArgumentError(
        "page_token does not belong to this query");
  }
  Statement row = database_.Prepare(kListBoardsSql);
  row.Bind(after[0]).Bind(after[1]).Bind(after_timer);
  v1::ListLeaderboardsResponse response;
  std::string last;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, row.Step());
    if (!found) return response;
    if (!paging.Take(0)) break;
    v1::LeaderboardKey& key = *response.add_leaderboards();
    key.set_definition(row.String(0));
    key.set_hardware(row.String(1));
    key.set_timer(static_cast<v1::Timer>(row.Int(2)));
    last =
        absl::StrCat(key.definition(), "\n", key.hardware(), "\n", row.Int(2));
  }
  response.set_next_page_token(paging.Token(last));
  return response;
}

}  // namespace assay
