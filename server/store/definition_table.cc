#include "server/store/definition_table.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr char kInsertDefinitionSql[] =
    "INSERT INTO definitions (name, op_type, digest, content, create_time_us)"
    " VALUES (?, ?, ?, ?, ?)";
constexpr char kSelectDefinitionSql[] =
    "SELECT content, digest, create_time_us FROM definitions WHERE name = ?";
constexpr char kSelectDigestSql[] =
    "SELECT digest FROM definitions WHERE name = ?";
constexpr char kListDefinitionsSql[] =
    "SELECT content, digest, create_time_us FROM definitions"
    " WHERE name > ?1 AND (?2 = '' OR op_type = ?2) ORDER BY name";

absl::StatusOr<v1::DefinitionRecord> ReadRecord(const Statement& row) {
  v1::DefinitionRecord record;
  ASSAY_RETURN_IF_ERROR(row.Message(0, *record.mutable_definition()));
  record.set_digest(row.String(1));
  record.set_create_time_us(row.Int(2));
  return record;
}

absl::Status NotFound(absl::string_view name) {
  return absl::NotFoundError(absl::StrCat(
      "there is no definition \"", name.substr(0, 200),
      "\": create it first, or list the definitions for the right name"));
}

}  // namespace

absl::Status DefinitionTable::Insert(const v1::DefinitionRecord& record) {
  Statement statement = database_.Prepare(kInsertDefinitionSql);
  statement.Bind(record.definition().name())
      .Bind(record.definition().op_type())
      .Bind(record.digest())
      .Bind(record.definition())
      .Bind(record.create_time_us());
  return statement.Run();
}

absl::StatusOr<v1::DefinitionRecord> DefinitionTable::Get(
    absl::string_view name) {
  Statement statement = database_.Prepare(kSelectDefinitionSql);
  statement.Bind(name);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return NotFound(name);
  return ReadRecord(statement);
}

absl::StatusOr<std::string> DefinitionTable::Digest(absl::string_view name) {
  Statement statement = database_.Prepare(kSelectDigestSql);
  statement.Bind(name);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return NotFound(name);
  return statement.String(0);
}

absl::StatusOr<v1::ListDefinitionsResponse> DefinitionTable::List(
    absl::string_view op_type, Paging paging) {
  v1::ListDefinitionsResponse response;
  Statement statement = database_.Prepare(kListDefinitionsSql);
  statement.Bind(paging.after()).Bind(op_type);
  std::string last;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return response;
    ASSAY_ASSIGN_OR_RETURN(v1::DefinitionRecord record, ReadRecord(statement));
    if (!paging.Take(record.ByteSizeLong())) break;
    last = record.definition().name();
    *response.add_definitions() = std::move(record);
  }
  response.set_next_page_token(paging.Token(last));
  return response;
}

}  // namespace assay
