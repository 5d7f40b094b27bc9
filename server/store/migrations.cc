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

// Other programs have a table of this name too.
constexpr char kHasHistorySql[] =
    "SELECT COUNT(*) = 3 FROM pragma_table_info('schema_migrations')"
    " WHERE name IN ('version', 'name', 'sha256')";
constexpr char kCountTablesSql[] = "SELECT COUNT(*) FROM sqlite_schema";
constexpr char kCreateHistorySql[] =
    "CREATE TABLE schema_migrations ("
    " version INTEGER NOT NULL PRIMARY KEY,"
    " name TEXT NOT NULL,"
    " sha256 TEXT NOT NULL) STRICT";
constexpr char kApplicationIdSql[] = "PRAGMA application_id";
constexpr char kSelectHistorySql[] =
    "SELECT version, name, sha256 FROM schema_migrations ORDER BY version";
constexpr char kSelectVersionSql[] =
    "SELECT MAX(version) FROM schema_migrations";
constexpr char kInsertHistorySql[] =
    "INSERT INTO schema_migrations (version, name, sha256) VALUES (?, ?, ?)";

absl::StatusOr<int64_t> Number(Database& database, const char* sql) {
  Statement statement = database.Prepare(sql);
  ASSAY_RETURN_IF_ERROR(statement.Step().status());
  return statement.Int(0);
}

absl::Status Mark(Database& database) {
  return database.Execute(
      absl::StrCat(kApplicationIdSql, " = ", kApplicationId));
}

absl::Status BelongsToAnother(absl::string_view path) {
  return absl::FailedPreconditionError(
      absl::StrCat("store \"", path,
                   "\" belongs to another program: choose another --store"));
}

// True for a store with a history, false for a fresh one; refuses another
// program's database. Changes nothing.
absl::StatusOr<bool> CheckOwner(Database& database, absl::string_view path) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t id, Number(database, kApplicationIdSql));
  ASSAY_ASSIGN_OR_RETURN(const int64_t tables,
                         Number(database, kCountTablesSql));
  ASSAY_ASSIGN_OR_RETURN(const int64_t history,
                         Number(database, kHasHistorySql));
  const bool fresh = tables == 0 && id == 0;
  const bool ours = history != 0 && (id == 0 || id == kApplicationId);
  if (!fresh && !ours) return BelongsToAnother(path);
  return ours;
}

// A file with the mark has the history too, whenever the program ends.
absl::Status CreateHistory(Database& database) {
  ASSAY_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  ASSAY_RETURN_IF_ERROR(database.Execute(kCreateHistorySql));
  ASSAY_RETURN_IF_ERROR(Mark(database));
  return transaction.Commit();
}

// The version that the store has; every step to it must be known.
absl::StatusOr<int64_t> CheckHistory(Database& database,
                                     const std::vector<Migration>& migrations,
                                     absl::string_view path) {
  int64_t version = 0;
  Statement statement = database.Prepare(kSelectHistorySql);
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return version;
    version = statement.Int(0);
    if (version < 1) return BelongsToAnother(path);
    if (version > static_cast<int64_t>(migrations.size())) continue;
    const Migration& known = migrations[static_cast<size_t>(version - 1)];
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

absl::StatusOr<int64_t> SchemaVersion(Database& database) {
  return Number(database, kSelectVersionSql);
}

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
  // Every check comes before the first change.
  ASSAY_ASSIGN_OR_RETURN(const bool has_history, CheckOwner(database, path));
  int64_t version = 0;
  if (has_history) {
    ASSAY_ASSIGN_OR_RETURN(version, CheckHistory(database, migrations, path));
  }
  const int64_t known = static_cast<int64_t>(migrations.size());
  if (version > known) {
    return absl::FailedPreconditionError(
        absl::StrCat("store \"", path, "\" has schema version ", version,
                     ", this program knows up to ", known,
                     ": use a newer assay-coordinator"));
  }
  ASSAY_RETURN_IF_ERROR(database.EnableWal());
  ASSAY_RETURN_IF_ERROR(has_history ? Mark(database) : CreateHistory(database));
  for (int64_t done = version; done < known; ++done) {
    const Migration& next = migrations[static_cast<size_t>(done)];
    ASSAY_RETURN_IF_ERROR(Annotate(
        Apply(database, next), absl::StrCat(path, ": applying ", next.name)));
    LogInfo("store migrated",
            {{"store", path}, {"version", next.version}, {"name", next.name}});
  }
  return absl::OkStatus();
}

}  // namespace assay
