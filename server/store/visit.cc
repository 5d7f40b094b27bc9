#include "server/store/visit.h"

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "server/store/migrations.h"
#include "server/store/sqlite.h"
#include "server/store/store_lock.h"
#include "server/store/store_path.h"

namespace assay {
namespace {

absl::Status Run(Database& database, Clock& clock,
                 const std::function<absl::Status(Session&)>& work) {
  ASSAY_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  // Of no use to anybody: only the coordinator numbers changes.
  int64_t changes = 0;
  Session session(database, changes, absl::ToUnixMicros(clock.Now()));
  ASSAY_RETURN_IF_ERROR(work(session));
  return transaction.Commit();
}

}  // namespace

absl::Status VisitStore(const std::string& path, Clock& clock,
                        const std::function<absl::Status(Session&)>& work) {
  ASSAY_ASSIGN_OR_RETURN(const std::string resolved, ResolveStorePath(path));
  // Held to the end: no coordinator starts in between.
  const absl::StatusOr<std::unique_ptr<StoreLock>> lock =
      StoreLock::Acquire(resolved);
  ASSAY_ASSIGN_OR_RETURN(
      const std::unique_ptr<Database> database,
      Database::Open(resolved, Database::Mode::kReadWriteCreate));
  if (lock.ok()) {
    ASSAY_RETURN_IF_ERROR(Migrate(*database, BuiltInMigrations(), resolved));
  } else {
    ASSAY_ASSIGN_OR_RETURN(const int64_t version, SchemaVersion(*database));
    if (version != static_cast<int64_t>(BuiltInMigrations().size())) {
      return absl::FailedPreconditionError(absl::StrCat(
          "store \"", resolved,
          "\" is served by a coordinator with schema "
          "version ",
          version, ", and this program has ", BuiltInMigrations().size(),
          ": use the program of that coordinator"));
    }
  }
  return Run(*database, clock, work);
}

}  // namespace assay
