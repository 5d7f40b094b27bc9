// The store's schema and its history.
//
// Each file of migrations/ is applied once, in its own transaction, and
// recorded with its SHA-256. Migrations only go forward: an edited old file and
// a store from a newer program are refused.

#ifndef ASSAY_SERVER_STORE_MIGRATIONS_H_
#define ASSAY_SERVER_STORE_MIGRATIONS_H_

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

// Brings the store up to the last of `migrations`. `path` is for messages.
// FAILED_PRECONDITION when the store has a version that is not among them, or
// was made with other text.
absl::Status Migrate(Database& database,
                     const std::vector<Migration>& migrations,
                     absl::string_view path);

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_MIGRATIONS_H_
