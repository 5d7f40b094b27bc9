#include "server/store/migrations.h"

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/sha256.h"
#include "base/status_macros.h"

namespace assay {
namespace {

struct EmbeddedFile {
  const char* name;
  const char* sql;
};

// In the order of their names.
constexpr EmbeddedFile kFiles[] = {
#include "server/store/migrations.inc"
};

constexpr char kHasHistorySql[] =
    "SELECT COUNT(*) FROM sqlite_schema"
    " WHERE type = 'table' AND name = 'schema_migrations'";
constexpr char kIsEmptySql[] = "SELECT COUNT(*) FROM sqlite_schema";
constexpr char kCreateHistorySql[] =
    "CREATE TABLE schema_migrations ("
    " version INTEGER NOT NULL PRIMARY KEY,"
    " name TEXT NOT NULL,"
    " sha256 TEXT NOT NULL) STRICT";
constexpr char kSelectHistorySql[] =
    "SELECT version, name, sha256 FROM schema_migrations ORDER BY version";
constexpr char kInsertHistorySql[] =
    "INSERT INTO schema_migrations (version, name, sha256) VALUES (?, ?, ?)";

absl::StatusOr<int64_t> Count(Database& database, const char* sql) {
  Statement statement = database.Prepare(sql);
  ASSAY_RETURN_IF_ERROR(statement.Step().status());
  return statement.Int(0);
}

// Creates the history in a fresh store; refuses another program's database.
absl::Status EnsureHistory(Database& database, absl::string_view path) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t history,
                         Count(database, kHasHistorySql));
  if (history > 0) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const int64_t tables, Count(database, kIsEmptySql));
  if (tables > 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("store \"", path,
                     "\" is the database of another program: choose another "
                     "--store"));
  }
  return database.Execute(kCreateHistorySql);
}

// The version that the store has; every step to it must be known.
absl::StatusOr<int> CheckHistory(Database& database,
                                 const std::vector<Migration>& migrations,
                                 absl::string_view path) {
  int version = 0;
  Statement statement = database.Prepare(kSelectHistorySql);
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return version;
    version = static_cast<int>(statement.Int(0));
    if (version > static_cast<int>(migrations.size())) continue;
    const Migration& known = migrations[version - 1];
    if (statement.Text(2) != Sha256Hex(known.sql)) {
      return absl::FailedPreconditionError(absl::StrCat(
          "store \"", path, "\" was made with another text of \"",
          statement.Text(1),
          "\" than this program has: use the assay-coordinator that made it"));
    }
  }
}

absl::Status Apply(Database& database, const Migration& migration) {
  ASSAY_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  ASSAY_RETURN_IF_ERROR(database.Execute(migration.sql));
  Statement statement = database.Prepare(kInsertHistorySql);
  statement.Bind(migration.version)
      .Bind(migration.name)
      .Bind(Sha256Hex(migration.sql));
  ASSAY_RETURN_IF_ERROR(statement.Run());
  return transaction.Commit();
}

}  // namespace

const std::vector<Migration>& BuiltInMigrations() {
  static const std::vector<Migration>& migrations = *[] {
    auto* result = new std::vector<Migration>;
    for (const EmbeddedFile& file : kFiles) {
      result->push_back(
          {static_cast<int>(result->size()) + 1, file.name, file.sql});
    }
    return result;
  }();
  return migrations;
}

absl::Status Migrate(Database& database,
                     const std::vector<Migration>& migrations,
                     absl::string_view path) {
  ASSAY_RETURN_IF_ERROR(EnsureHistory(database, path));
  ASSAY_ASSIGN_OR_RETURN(const int version,
                         CheckHistory(database, migrations, path));
  const int known = static_cast<int>(migrations.size());
  if (version > known) {
    return absl::FailedPreconditionError(
        absl::StrCat("store \"", path, "\" has schema version ", version,
                     ", this program knows up to ", known,
                     ": use a newer assay-coordinator"));
  }
  for (int next = version; next < known; ++next) {
    ASSAY_RETURN_IF_ERROR(
        Annotate(Apply(database, migrations[next]),
                 absl::StrCat(path, ": applying ", migrations[next].name)));
    LogInfo("store migrated", {{"store", path},
                               {"version", migrations[next].version},
                               {"name", migrations[next].name}});
  }
  return absl::OkStatus();
}

}  // namespace assay
