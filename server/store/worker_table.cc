#include "server/store/worker_table.h"

#include <utility>

#include "base/status_macros.h"

namespace assay {
namespace {

#define ASSAY_SELECT_WORKER                                           \
  "SELECT worker_id, session_id, version, device, register_time_us,"  \
  " COALESCE((SELECT id FROM leases WHERE leases.worker_id ="         \
  "  workers.worker_id AND state = 1 ORDER BY seq DESC LIMIT 1), '')" \
  ", admission, hold_reason FROM workers WHERE "

constexpr char kSaveWorkerSql[] =
    "INSERT INTO workers (worker_id, session_id, version, device,"
    " register_time_us) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (worker_id) DO UPDATE SET session_id = excluded.session_id,"
    " version = excluded.version, device = excluded.device,"
    " register_time_us = excluded.register_time_us";
constexpr char kSelectWorkerSql[] = ASSAY_SELECT_WORKER "worker_id = ?";
constexpr char kListWorkersSql[] =
    ASSAY_SELECT_WORKER "worker_id > ? ORDER BY worker_id";
#undef ASSAY_SELECT_WORKER
constexpr char kIsCurrentSql[] =
    "SELECT 1 FROM workers WHERE worker_id = ? AND session_id = ?";
constexpr char kNoteReplacedSql[] =
    "INSERT OR IGNORE INTO replaced_sessions (worker_id, session_id)"
    " VALUES (?, ?)";
constexpr char kForgetReplacedSql[] =
    "DELETE FROM replaced_sessions WHERE worker_id = ?1 AND seq <="
    " (SELECT seq FROM replaced_sessions WHERE worker_id = ?1"
    "  ORDER BY seq DESC LIMIT 1 OFFSET ?2)";
constexpr char kSetAdmissionSql[] =
    "UPDATE workers SET admission = ?, hold_reason = ? WHERE worker_id = ?";
constexpr char kIsReplacedSql[] =
    "SELECT 1 FROM replaced_sessions WHERE worker_id = ? AND session_id = ?";

absl::StatusOr<WorkerRow> ReadRow(const Statement& row) {
  WorkerRow result;
  v1::WorkerRecord& record = result.record;
  record.set_worker_id(row.String(0));
  result.session_id = row.String(1);
  record.set_version(row.String(2));
  ASSAY_RETURN_IF_ERROR(row.Message(3, *record.mutable_device()));
  record.set_register_time_us(row.Int(4));
  record.set_lease_id(row.String(5));
  result.admission = static_cast<Admission>(row.Int(6));
  record.set_hold_reason(row.String(7));
  if (result.admission == Admission::kDrained) {
    record.set_state(v1::WorkerRecord::DRAINED);
  } else if (result.admission == Admission::kQuarantined) {
    record.set_state(v1::WorkerRecord::QUARANTINED);
  }
  return result;
}

}  // namespace

absl::Status WorkerTable::Save(const v1::RegisterWorkerRequest& worker,
                               int64_t now_us) {
  // A board tells of the device of its latest trace, which may be this one.
  changes_.effects().all_boards_changed = true;
  Statement statement = database_.Prepare(kSaveWorkerSql);
  statement.Bind(worker.worker_id())
      .Bind(worker.session_id())
      .Bind(worker.version())
      .Bind(worker.device())
      .Bind(now_us);
  return statement.Run();
}

absl::StatusOr<absl::optional<WorkerRow>> WorkerTable::Find(
    absl::string_view worker_id) {
  Statement statement = database_.Prepare(kSelectWorkerSql);
  statement.Bind(worker_id);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return absl::optional<WorkerRow>();
  ASSAY_ASSIGN_OR_RETURN(WorkerRow row, ReadRow(statement));
  return absl::make_optional(std::move(row));
}

absl::StatusOr<bool> WorkerTable::IsCurrent(absl::string_view worker_id,
                                            absl::string_view session_id) {
  return Exists(kIsCurrentSql, worker_id, session_id);
}

absl::Status WorkerTable::NoteReplaced(absl::string_view worker_id,
                                       absl::string_view session_id) {
  ASSAY_RETURN_IF_ERROR(database_.Prepare(kNoteReplacedSql)
                            .Bind(worker_id)
                            .Bind(session_id)
                            .Run());
  return database_.Prepare(kForgetReplacedSql)
      .Bind(worker_id)
      .Bind(kMaxReplaced)
      .Run();
}

absl::Status WorkerTable::SetAdmission(absl::string_view worker_id,
                                       Admission admission,
                                       absl::string_view reason) {
  return database_.Prepare(kSetAdmissionSql)
      .Bind(static_cast<int>(admission))
      .Bind(reason)
      .Bind(worker_id)
      .Run();
}

absl::StatusOr<bool> WorkerTable::IsReplaced(absl::string_view worker_id,
                                             absl::string_view session_id) {
  return Exists(kIsReplacedSql, worker_id, session_id);
}

absl::StatusOr<bool> WorkerTable::Exists(absl::string_view sql,
                                         absl::string_view worker_id,
                                         absl::string_view session_id) {
  return database_.Prepare(sql).Bind(worker_id).Bind(session_id).Step();
}

absl::StatusOr<std::vector<WorkerRow>> WorkerTable::All() {
  std::vector<WorkerRow> rows;
  Statement statement = database_.Prepare(kListWorkersSql);
  statement.Bind("");
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
    if (!found) return rows;
    ASSAY_ASSIGN_OR_RETURN(WorkerRow row, ReadRow(statement));
    rows.push_back(std::move(row));
  }
}

absl::StatusOr<v1::ListWorkersResponse> WorkerTable::List(Paging paging) {
  v1::ListWorkersResponse response;
  Statement statement = database_.Prepare(kListWorkersSql);
  statement.Bind(paging.after());
  std::string last;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
    if (!found) return response;
    ASSAY_ASSIGN_OR_RETURN(WorkerRow row, ReadRow(statement));
    if (!paging.Take(row.record.ByteSizeLong())) break;
    last = row.record.worker_id();
    *response.add_workers() = std::move(row.record);
  }
  response.set_next_page_token(paging.Token(last));
  return response;
}

}  // namespace assay
