#include "server/store/trace_table.h"

#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "schema/lint_solutions.h"
#include "server/store/review_table.h"

namespace assay {
namespace {

constexpr char kInsertTraceSql[] =
    "INSERT INTO traces (id, definition, solution, solution_digest,"
    " workload_uuid, submission_id, worker, status, hardware, timer,"
    " latency_ms, speedup_factor, imported, held, unstable, content)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (id) DO NOTHING";
constexpr char kSelectTraceSql[] = "SELECT content FROM traces WHERE id = ?";
// Conditions for the filters that are set follow, then the order.
constexpr char kListTracesSql[] =
    "SELECT content, seq FROM traces WHERE seq > ?";
// Review.State of a row of `traces`: the latest decision, else PENDING (1) for
// what is held, else none (0).
#define ASSAY_REVIEW_STATE_SQL                            \
  "COALESCE((SELECT decision FROM reviews"                \
  " WHERE reviews.trace_id = traces.id ORDER BY seq DESC" \
  " LIMIT 1), traces.held)"
constexpr char kSelectOfBoardSql[] =
    "SELECT traces.id, traces.solution, traces.solution_digest,"
    " solutions.author, traces.workload_uuid, traces.worker, traces.status,"
    " traces.timer, traces.latency_ms, traces.speedup_factor,"
    " traces.unstable, " ASSAY_REVIEW_STATE_SQL
    " FROM traces JOIN solutions ON solutions.name = traces.solution"
    " AND solutions.digest = traces.solution_digest"
    " AND solutions.is_latest = 1"
    " WHERE traces.definition = ? AND traces.hardware = ?"
    " AND traces.imported = 0 AND traces.solution NOT GLOB ?"
    " ORDER BY traces.seq";
constexpr char kMainHardwareSql[] =
    "SELECT hardware FROM traces WHERE definition = ? AND imported = 0"
    " AND solution NOT GLOB ?"
    " GROUP BY hardware ORDER BY COUNT(*) DESC, hardware LIMIT 1";
constexpr char kListBoardsSql[] =
    "SELECT DISTINCT definition, hardware, timer FROM traces AS board"
    " WHERE imported = 0 AND (definition, hardware, timer) > (?1, ?2, ?3)"
    " AND solution NOT GLOB ?4"
    " AND (timer <> 0 OR NOT EXISTS (SELECT 1 FROM traces"
    "  WHERE imported = 0 AND traces.definition = board.definition"
    "  AND traces.hardware = board.hardware AND traces.timer <> 0"
    "  AND traces.solution NOT GLOB ?4))"
    " ORDER BY definition, hardware, timer";

// STRICT columns of REAL take no NaN: SQLite makes NULL of it.
double Storable(double value) { return std::isnan(value) ? 0 : value; }

// For GLOB.
std::string ProbeNames() { return absl::StrCat(kLintPrefix, "*"); }

}  // namespace

absl::StatusOr<bool> TraceTable::Insert(const v1::TraceRecord& record) {
  const v1::Trace& trace = record.trace();
  const v1::Evaluation& evaluation = trace.evaluation();
  Statement statement = database_.Prepare(kInsertTraceSql);
  statement.Bind(record.id())
      .Bind(trace.definition())
      .Bind(trace.solution())
      .Bind(record.solution_digest())
      .Bind(trace.workload().uuid())
      .Bind(record.submission_id())
      .Bind(record.worker())
      .Bind(static_cast<int>(evaluation.status()))
      .Bind(evaluation.environment().hardware())
      .Bind(static_cast<int>(evaluation.performance().timer()))
      .Bind(Storable(evaluation.performance().latency_ms()))
      .Bind(Storable(evaluation.performance().speedup_factor()))
      .Bind(record.imported())
      .Bind(IsHeld(evaluation))
      .Bind(evaluation.performance().unstable())
      .Bind(record);
  ASSAY_RETURN_IF_ERROR(statement.Run());
  return database_.changes() > 0;
}

absl::StatusOr<v1::TraceRecord> TraceTable::Get(absl::string_view id) {
  Statement statement = database_.Prepare(kSelectTraceSql);
  statement.Bind(id);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) {
    return absl::NotFoundError(
        absl::StrCat("there is no trace \"", id.substr(0, 200),
                     "\": list the traces for the right id"));
  }
  v1::TraceRecord record;
  ASSAY_RETURN_IF_ERROR(statement.Message(0, record));
  ASSAY_RETURN_IF_ERROR(ReviewTable(database_).FillIn(record));
  return record;
}

absl::StatusOr<v1::ListTracesResponse> TraceTable::List(
    const v1::ListTracesRequest& request, Paging paging) {
  const std::pair<const char*, const std::string&> text_filters[] = {
      {" AND definition = ?", request.definition()},
      {" AND solution = ?", request.solution()},
      {" AND workload_uuid = ?", request.workload_uuid()},
      {" AND submission_id = ?", request.submission_id()},
      {" AND hardware = ?", request.hardware()},
  };
  const bool by_status = request.status() != v1::EVALUATION_STATUS_UNSPECIFIED;
  const bool by_review =
      request.review_state() != v1::Review::STATE_UNSPECIFIED;
  const bool hide_probes =
      request.solution().empty() && request.submission_id().empty();
  std::string sql = kListTracesSql;
  for (const auto& [condition, value] : text_filters) {
    if (!value.empty()) absl::StrAppend(&sql, condition);
  }
  if (by_status) absl::StrAppend(&sql, " AND status = ?");
  if (by_review) absl::StrAppend(&sql, " AND " ASSAY_REVIEW_STATE_SQL " = ?");
  // Lets the index of the few that are held be used.
  if (request.review_state() == v1::Review::PENDING) {
    absl::StrAppend(&sql, " AND held = 1");
  }
  if (hide_probes) absl::StrAppend(&sql, " AND solution NOT GLOB ?");
  absl::StrAppend(&sql, " ORDER BY seq");

  Statement statement = database_.Prepare(sql);
  statement.Bind(paging.after_number());
  for (const auto& [condition, value] : text_filters) {
    if (!value.empty()) statement.Bind(value);
  }
  if (by_status) statement.Bind(static_cast<int>(request.status()));
  if (by_review) statement.Bind(static_cast<int>(request.review_state()));
  if (hide_probes) statement.Bind(ProbeNames());

  v1::ListTracesResponse response;
  int64_t last = 0;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return response;
    v1::TraceRecord record;
    ASSAY_RETURN_IF_ERROR(statement.Message(0, record));
    ASSAY_RETURN_IF_ERROR(ReviewTable(database_).FillIn(record));
    if (!paging.Take(record.ByteSizeLong())) break;
    last = statement.Int(1);
    *response.add_traces() = std::move(record);
  }
  response.set_next_page_token(paging.Token(absl::StrCat(last)));
  return response;
}

absl::StatusOr<std::vector<TraceSummary>> TraceTable::OfBoard(
    absl::string_view definition, absl::string_view hardware) {
  std::vector<TraceSummary> summaries;
  Statement row = database_.Prepare(kSelectOfBoardSql);
  row.Bind(definition).Bind(hardware).Bind(ProbeNames());
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, row.Step());
    if (!found) return summaries;
    TraceSummary summary;
    summary.id = row.String(0);
    summary.solution = row.String(1);
    summary.solution_digest = row.String(2);
    summary.author = row.String(3);
    summary.workload_uuid = row.String(4);
    summary.worker = row.String(5);
    summary.status = static_cast<v1::EvaluationStatus>(row.Int(6));
    summary.timer = static_cast<v1::Timer>(row.Int(7));
    summary.latency_ms = row.Double(8);
    summary.speedup_factor = row.Double(9);
    summary.unstable = row.Int(10) != 0;
    summary.review_state = static_cast<v1::Review::State>(row.Int(11));
    summaries.push_back(std::move(summary));
  }
}

absl::StatusOr<std::string> TraceTable::MainHardware(
    absl::string_view definition) {
  Statement statement = database_.Prepare(kMainHardwareSql);
  statement.Bind(definition).Bind(ProbeNames());
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  return found ? statement.String(0) : std::string();
}

absl::StatusOr<v1::ListLeaderboardsResponse> TraceTable::ListBoards(
    Paging paging) {
  std::vector<std::string> after = absl::StrSplit(paging.after(), '\n');
  after.resize(3);
  int64_t after_timer = -1;
  if (!paging.first() && !absl::SimpleAtoi(after[2], &after_timer)) {
    return absl::InvalidArgumentError(
        "page_token does not belong to this query");
  }
  Statement row = database_.Prepare(kListBoardsSql);
  row.Bind(after[0]).Bind(after[1]).Bind(after_timer).Bind(ProbeNames());
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
