#include "server/store/state_table.h"

#include "base/status_macros.h"

namespace assay {
namespace {

constexpr char kPutSql[] =
    "INSERT INTO coordinator_state (name, value) VALUES (?, ?)"
    " ON CONFLICT (name) DO UPDATE SET value = excluded.value";
constexpr char kFindSql[] =
    "SELECT value FROM coordinator_state WHERE name = ?";

}  // namespace

absl::Status StateTable::Put(absl::string_view name, absl::string_view value) {
  return database_.Prepare(kPutSql).Bind(name).Bind(value).Run();
}

absl::StatusOr<absl::optional<std::string>> StateTable::Find(
    absl::string_view name) {
  Statement statement = database_.Prepare(kFindSql);
  statement.Bind(name);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return absl::optional<std::string>();
  return absl::make_optional(statement.String(0));
}

}  // namespace assay
