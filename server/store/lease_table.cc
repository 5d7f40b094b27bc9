#include "server/store/lease_table.h"

#include <utility>

#include "base/status_macros.h"

namespace assay {
namespace {

// A week.
constexpr int64_t kKeptUs = int64_t{7} * 24 * 3600 * 1000000;

#define ASSAY_SELECT_LEASE                                              \
  "SELECT id, worker_id, session_id, request_id, submission_id, state," \
  " last_number FROM leases WHERE "

constexpr char kInsertLeaseSql[] =
    "INSERT INTO leases (id, worker_id, session_id, request_id, submission_id,"
    " state, last_number, create_time_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
// Changes nothing where the state is another one: that is in an index, which
// SQLite would write with every report.
constexpr char kUpdateNumberSql[] =
    "UPDATE leases SET last_number = ? WHERE id = ? AND state = ?";
// Two for each that is made: they get fewer.
constexpr char kForgetEndedSql[] =
    "DELETE FROM leases WHERE seq IN (SELECT seq FROM (SELECT seq,"
    " create_time_us FROM leases WHERE state <> 1 ORDER BY seq LIMIT 2)"
    " WHERE create_time_us < ?)";
constexpr char kUpdateLeaseSql[] =
    "UPDATE leases SET state = ?, last_number = ? WHERE id = ?";
constexpr char kSelectLeaseSql[] = ASSAY_SELECT_LEASE "id = ?";
constexpr char kSelectActiveOfSql[] =
    ASSAY_SELECT_LEASE "worker_id = ? AND state = 1 ORDER BY seq";
constexpr char kSelectAllActiveSql[] =
    ASSAY_SELECT_LEASE "state = 1 ORDER BY worker_id, seq";
#undef ASSAY_SELECT_LEASE

LeaseRow ReadRow(const Statement& row) {
  LeaseRow result;
  result.id = row.String(0);
  result.worker_id = row.String(1);
  result.session_id = row.String(2);
  result.request_id = row.String(3);
  result.submission_id = row.String(4);
  result.state = static_cast<LeaseState>(row.Int(5));
  result.last_number = row.Int(6);
  return result;
}

}  // namespace

absl::Status LeaseTable::Insert(const LeaseRow& row, int64_t now_us) {
  ASSAY_RETURN_IF_ERROR(
      database_.Prepare(kForgetEndedSql).Bind(now_us - kKeptUs).Run());
  Statement statement = database_.Prepare(kInsertLeaseSql);
  statement.Bind(row.id)
      .Bind(row.worker_id)
      .Bind(row.session_id)
      .Bind(row.request_id)
      .Bind(row.submission_id)
      .Bind(static_cast<int>(row.state))
      .Bind(row.last_number)
      .Bind(now_us);
  return statement.Run();
}

absl::Status LeaseTable::Save(const LeaseRow& row) {
  ASSAY_RETURN_IF_ERROR(database_.Prepare(kUpdateNumberSql)
                            .Bind(row.last_number)
                            .Bind(row.id)
                            .Bind(static_cast<int>(row.state))
                            .Run());
  if (database_.changes() > 0) return absl::OkStatus();
  Statement statement = database_.Prepare(kUpdateLeaseSql);
  statement.Bind(static_cast<int>(row.state))
      .Bind(row.last_number)
      .Bind(row.id);
  return statement.Run();
}

absl::StatusOr<absl::optional<LeaseRow>> LeaseTable::Find(
    absl::string_view id) {
  Statement statement = database_.Prepare(kSelectLeaseSql);
  statement.Bind(id);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return absl::optional<LeaseRow>();
  return absl::make_optional(ReadRow(statement));
}

absl::StatusOr<std::vector<LeaseRow>> LeaseTable::ReadAll(Statement statement) {
  std::vector<LeaseRow> rows;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return rows;
    rows.push_back(ReadRow(statement));
  }
}

absl::StatusOr<std::vector<LeaseRow>> LeaseTable::ActiveOf(
    absl::string_view worker_id) {
  Statement statement = database_.Prepare(kSelectActiveOfSql);
  statement.Bind(worker_id);
  return ReadAll(std::move(statement));
}

absl::StatusOr<std::vector<LeaseRow>> LeaseTable::AllActive() {
  return ReadAll(database_.Prepare(kSelectAllActiveSql));
}

}  // namespace assay
