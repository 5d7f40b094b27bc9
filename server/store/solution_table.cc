#include "server/store/solution_table.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "schema/lint_solutions.h"

namespace assay {
namespace {

constexpr char kClearLatestSql[] =
    "UPDATE solutions SET is_latest = 0 WHERE name = ? AND is_latest = 1";
constexpr char kSetLatestSql[] =
    "UPDATE solutions SET is_latest = 1 WHERE name = ? AND digest = ?"
    " RETURNING definition";
constexpr char kInsertSolutionSql[] =
    "INSERT INTO solutions (name, digest, definition, author, is_latest,"
    " summary, content, create_time_us) VALUES (?, ?, ?, ?, 1, ?, ?, ?)";
constexpr char kSelectLatestSql[] =
    "SELECT content, digest, create_time_us FROM solutions"
    " WHERE name = ? AND is_latest = 1";
constexpr char kSelectRevisionSql[] =
    "SELECT content, digest, create_time_us FROM solutions"
    " WHERE name = ? AND digest = ?";
// A condition on the author, maybe one on the definition, and the order follow.
constexpr char kListSolutionsSql[] =
    "SELECT summary, digest, create_time_us FROM solutions"
    " WHERE is_latest = 1 AND name > ?";

absl::StatusOr<v1::SolutionRecord> ReadRecord(const Statement& row) {
  v1::SolutionRecord record;
  ASSAY_RETURN_IF_ERROR(row.Message(0, *record.mutable_solution()));
  record.set_digest(row.String(1));
  record.set_create_time_us(row.Int(2));
  return record;
}

v1::Solution Summary(const v1::Solution& solution) {
  v1::Solution summary;
  summary.set_name(solution.name());
  summary.set_definition(solution.definition());
  summary.set_author(solution.author());
  summary.set_description(solution.description());
  *summary.mutable_spec() = solution.spec();
  for (const v1::SourceFile& source : solution.sources()) {
    summary.add_sources()->set_path(source.path());
  }
  summary.set_unknown_json(solution.unknown_json());
  return summary;
}

}  // namespace

absl::Status SolutionTable::Insert(const v1::SolutionRecord& record) {
  const v1::Solution& solution = record.solution();
  // What an older revision achieved does not count from now on.
  changes_.effects().ChangeBoards(solution.definition());
  ASSAY_RETURN_IF_ERROR(
      database_.Prepare(kClearLatestSql).Bind(solution.name()).Run());
  Statement statement = database_.Prepare(kInsertSolutionSql);
  statement.Bind(solution.name())
      .Bind(record.digest())
      .Bind(solution.definition())
      .Bind(solution.author())
      .Bind(Summary(solution))
      .Bind(solution)
      .Bind(record.create_time_us());
  return statement.Run();
}

absl::Status SolutionTable::MakeLatest(absl::string_view name,
                                       absl::string_view digest) {
  ASSAY_RETURN_IF_ERROR(database_.Prepare(kClearLatestSql).Bind(name).Run());
  Statement statement = database_.Prepare(kSetLatestSql);
  statement.Bind(name).Bind(digest);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (found) changes_.effects().ChangeBoards(statement.String(0));
  return absl::OkStatus();
}

absl::StatusOr<absl::optional<v1::SolutionRecord>> SolutionTable::Find(
    absl::string_view name, absl::string_view digest) {
  Statement statement =
      database_.Prepare(digest.empty() ? kSelectLatestSql : kSelectRevisionSql);
  statement.Bind(name);
  if (!digest.empty()) statement.Bind(digest);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return absl::optional<v1::SolutionRecord>();
  ASSAY_ASSIGN_OR_RETURN(v1::SolutionRecord record, ReadRecord(statement));
  return absl::make_optional(std::move(record));
}

absl::StatusOr<v1::SolutionRecord> SolutionTable::Get(
    absl::string_view name, absl::string_view digest) {
  ASSAY_ASSIGN_OR_RETURN(absl::optional<v1::SolutionRecord> record,
                         Find(name, digest));
  if (record.has_value()) return *std::move(record);
  if (digest.empty()) {
    return absl::NotFoundError(absl::StrCat(
        "there is no solution \"", name.substr(0, 200),
        "\": create it first, or list the solutions for the right name"));
  }
  return absl::NotFoundError(absl::StrCat(
      "solution \"", name.substr(0, 200), "\" has no revision \"",
      digest.substr(0, 64), "\": leave the digest out for the latest"));
}

absl::StatusOr<v1::ListSolutionsResponse> SolutionTable::List(
    absl::string_view definition, absl::string_view author, Paging paging) {
  v1::ListSolutionsResponse response;
  Statement statement = database_.Prepare(absl::StrCat(
      kListSolutionsSql,
      author.empty() ? " AND author <> ?" : " AND author = ?",
      definition.empty() ? "" : " AND definition = ?", " ORDER BY name"));
  statement.Bind(paging.after()).Bind(author.empty() ? kLintAuthor : author);
  if (!definition.empty()) statement.Bind(definition);
  std::string last;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return response;
    ASSAY_ASSIGN_OR_RETURN(v1::SolutionRecord record, ReadRecord(statement));
    if (!paging.Take(record.ByteSizeLong())) break;
    last = record.solution().name();
    *response.add_solutions() = std::move(record);
  }
  response.set_next_page_token(paging.Token(last));
  return response;
}

}  // namespace assay
