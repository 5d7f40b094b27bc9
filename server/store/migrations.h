// The store's schema and its history.
//
// Each file of migrations/ is applied once, in its own transaction, and
// recorded with its SHA-256. Migrations only go forward: an edited old file and
// a store from a newer program are refused.

#ifndef ASSAY_SERVER_STORE_MIGRATIONS_H_
#define ASSAY_SERVER_STORE_MIGRATIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/store/sqlite.h"

namespace assay {

struct Migration {
  int version;
  // File name, e.g. `0001_create_tables.sql`.
  std::string name;
  std::string sql;
};

// Those of this program, from version 1 on without gaps.
const std::vector<Migration>& BuiltInMigrations();

// Marks a file as a store of Assay: SQLite's `application_id`, "Assy" in ASCII.
// Stores made before there was the mark have 0, and get it.
inline constexpr int64_t kApplicationId = 0x41737379;

// Brings the store up to the last of `migrations`, with a WAL. `path` is for
// messages. FAILED_PRECONDITION when the store has a version that is not among
// them, was made with other text, or is the database of another program, which
// is left as it is.
absl::Status Migrate(Database& database,
                     const std::vector<Migration>& migrations,
                     absl::string_view path);

// The version of a store that was migrated.
absl::StatusOr<int64_t> SchemaVersion(Database& database);

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_MIGRATIONS_H_
