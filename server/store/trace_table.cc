#include "server/store/trace_table.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "schema/lint_solutions.h"
#include "server/store/board_table.h"
#include "server/store/review_state.h"
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
constexpr char kSelectAfterSql[] =
    "SELECT content, seq FROM traces WHERE seq > ? ORDER BY seq LIMIT ?";
constexpr char kReplaceContentSql[] =
    "UPDATE traces SET content = ? WHERE seq = ?";
// Conditions for the filters that are set follow, then the order.
constexpr char kListTracesSql[] =
    "SELECT content, seq FROM traces WHERE seq > ?";

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
  if (database_.changes() == 0) return false;
  ASSAY_RETURN_IF_ERROR(
      BoardTable(database_, changes_).NoteTrace(record, database_.last_row()));
  return true;
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
  ASSAY_RETURN_IF_ERROR(ReviewTable(database_, changes_).FillIn(record));
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
    ASSAY_RETURN_IF_ERROR(ReviewTable(database_, changes_).FillIn(record));
    if (!paging.Take(record.ByteSizeLong())) break;
    last = statement.Int(1);
    *response.add_traces() = std::move(record);
  }
  response.set_next_page_token(paging.Token(absl::StrCat(last)));
  return response;
}

absl::StatusOr<std::vector<TraceRow>> TraceTable::After(int64_t seq,
                                                        int limit) {
  std::vector<TraceRow> rows;
  Statement statement = database_.Prepare(kSelectAfterSql);
  statement.Bind(seq).Bind(limit);
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
    if (!found) return rows;
    TraceRow& row = rows.emplace_back();
    row.seq = statement.Int(1);
    ASSAY_RETURN_IF_ERROR(statement.Message(0, row.record));
    ASSAY_RETURN_IF_ERROR(ReviewTable(database_, changes_).FillIn(row.record));
  }
}

absl::Status TraceTable::Replace(const TraceRow& row) {
  v1::TraceRecord content = row.record;
  // They have a table of their own.
  content.clear_review_state();
  content.clear_reviews();
  return database_.Prepare(kReplaceContentSql)
      .Bind(content)
      .Bind(row.seq)
      .Run();
}

}  // namespace assay
