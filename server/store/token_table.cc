#include "server/store/token_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

#define ASSAY_TOKEN_COLUMNS                                  \
  "tokens.id, name, role, create_time_us, last_use_time_us," \
  " revoke_time_us, secret_sha256, seq, quota"

constexpr char kInsertTokenSql[] =
    "INSERT INTO tokens (id, name, role, create_time_us, last_use_time_us,"
    " revoke_time_us, secret_sha256, quota) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
constexpr char kFindTokenSql[] =
    "SELECT " ASSAY_TOKEN_COLUMNS " FROM tokens WHERE id = ?";
constexpr char kListTokensSql[] =
    "SELECT " ASSAY_TOKEN_COLUMNS " FROM tokens WHERE seq > ? ORDER BY seq";
constexpr char kRevokeTokenSql[] =
    "UPDATE tokens SET revoke_time_us = ? WHERE id = ? AND revoke_time_us = 0";
constexpr char kNoteUseSql[] =
    "UPDATE tokens SET last_use_time_us = ?"
    " WHERE id = ? AND last_use_time_us < ?";
constexpr char kBindWorkerSql[] =
    "INSERT INTO worker_tokens (worker_id, token_id) VALUES (?, ?)"
    " ON CONFLICT (worker_id) DO UPDATE SET token_id = excluded.token_id";
constexpr char kTokenOfWorkerSql[] =
    "SELECT " ASSAY_TOKEN_COLUMNS
    " FROM worker_tokens JOIN tokens ON tokens.id = token_id"
    " WHERE worker_id = ? AND revoke_time_us = 0";
#undef ASSAY_TOKEN_COLUMNS
constexpr char kForgetEndedSql[] =
    "DELETE FROM submission_tokens WHERE token_id = ? AND NOT EXISTS ("
    " SELECT 1 FROM jobs WHERE jobs.submission_id ="
    "  submission_tokens.submission_id AND state IN (1, 2))";
constexpr char kCountOpenJobsSql[] =
    "SELECT COUNT(*) FROM submission_tokens JOIN jobs"
    " ON jobs.submission_id = submission_tokens.submission_id"
    " WHERE token_id = ? AND submission_tokens.submission_id <> ?"
    " AND state IN (1, 2)";
constexpr char kNoteSubmissionSql[] =
    "INSERT OR IGNORE INTO submission_tokens (token_id, submission_id) VALUES "
    "(?, ?)";

absl::StatusOr<TokenRow> ReadRow(const Statement& row) {
  TokenRow result;
  v1::Token& token = result.token;
  token.set_id(row.String(0));
  token.set_name(row.String(1));
  token.set_role(static_cast<v1::TokenRole>(row.Int(2)));
  token.set_create_time_us(row.Int(3));
  token.set_last_use_time_us(row.Int(4));
  token.set_revoke_time_us(row.Int(5));
  result.secret_sha256 = row.String(6);
  ASSAY_RETURN_IF_ERROR(row.Message(8, *token.mutable_quota()));
  return result;
}

absl::StatusOr<absl::optional<v1::Token>> ReadOne(Statement row) {
  ASSAY_ASSIGN_OR_RETURN(const bool found, row.Step());
  if (!found) return absl::optional<v1::Token>();
  ASSAY_ASSIGN_OR_RETURN(TokenRow result, ReadRow(row));
  return absl::make_optional(std::move(result.token));
}

}  // namespace

absl::Status TokenTable::Insert(const TokenRow& row) {
  return database_.Prepare(kInsertTokenSql)
      .Bind(row.token.id())
      .Bind(row.token.name())
      .Bind(static_cast<int>(row.token.role()))
      .Bind(int64_t{row.token.create_time_us()})
      .Bind(int64_t{row.token.last_use_time_us()})
      .Bind(int64_t{row.token.revoke_time_us()})
      .Bind(row.secret_sha256)
      .Bind(row.token.quota())
      .Run();
}

absl::StatusOr<absl::optional<v1::Token>> TokenTable::Find(
    absl::string_view id) {
  Statement statement = database_.Prepare(kFindTokenSql);
  statement.Bind(id);
  return ReadOne(std::move(statement));
}

absl::StatusOr<std::vector<TokenRow>> TokenTable::All() {
  std::vector<TokenRow> rows;
  Statement statement = database_.Prepare(kListTokensSql);
  statement.Bind(0);
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
    if (!found) return rows;
    ASSAY_ASSIGN_OR_RETURN(TokenRow row, ReadRow(statement));
    rows.push_back(std::move(row));
  }
}

absl::StatusOr<v1::ListTokensResponse> TokenTable::List(Paging paging) {
  v1::ListTokensResponse response;
  Statement statement = database_.Prepare(kListTokensSql);
  statement.Bind(paging.after_number());
  int64_t last = 0;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
    if (!found) return response;
    ASSAY_ASSIGN_OR_RETURN(TokenRow row, ReadRow(statement));
    v1::Token& token = row.token;
    if (!paging.Take(static_cast<int64_t>(token.ByteSizeLong()))) break;
    last = statement.Int(7);
    *response.add_tokens() = std::move(token);
  }
  response.set_next_page_token(paging.Token(absl::StrCat(last)));
  return response;
}

absl::Status TokenTable::Revoke(absl::string_view id, int64_t now_us) {
  return database_.Prepare(kRevokeTokenSql).Bind(now_us).Bind(id).Run();
}

absl::Status TokenTable::NoteUse(absl::string_view id, int64_t time_us) {
  return database_.Prepare(kNoteUseSql)
      .Bind(time_us)
      .Bind(id)
      .Bind(time_us)
      .Run();
}

absl::StatusOr<int64_t> TokenTable::CountOpenJobs(absl::string_view id,
                                                  absl::string_view but_for) {
  // Each is forgotten once: what is counted is what is open.
  ASSAY_RETURN_IF_ERROR(database_.Prepare(kForgetEndedSql).Bind(id).Run());
  Statement statement = database_.Prepare(kCountOpenJobsSql);
  statement.Bind(id).Bind(but_for);
  ASSAY_RETURN_IF_ERROR(statement.Step().status());
  return statement.Int(0);
}

absl::Status TokenTable::NoteSubmission(absl::string_view id,
                                        absl::string_view submission_id) {
  return database_.Prepare(kNoteSubmissionSql)
      .Bind(id)
      .Bind(submission_id)
      .Run();
}

absl::Status TokenTable::BindWorker(absl::string_view worker_id,
                                    absl::string_view token_id) {
  return database_.Prepare(kBindWorkerSql).Bind(worker_id).Bind(token_id).Run();
}

absl::StatusOr<absl::optional<v1::Token>> TokenTable::OfWorker(
    absl::string_view worker_id) {
  Statement statement = database_.Prepare(kTokenOfWorkerSql);
  statement.Bind(worker_id);
  return ReadOne(std::move(statement));
}

}  // namespace assay
