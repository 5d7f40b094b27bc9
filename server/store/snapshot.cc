#include "server/store/snapshot.h"

#include <fcntl.h>
#include <unistd.h>

#include <memory>

#include "absl/strings/str_cat.h"
#include "base/posix.h"
#include "base/status_macros.h"
#include "server/store/sqlite.h"

namespace assay {
namespace {

constexpr char kCopySql[] = "VACUUM INTO ?";

absl::Status Copy(const std::string& store_path, const std::string& copy) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Database> database,
                         Database::Open(store_path, Database::Mode::kReadOnly));
  return database->Prepare(kCopySql).Bind(copy).Run();
}

}  // namespace

absl::StatusOr<UniqueFd> MakeSnapshot(const std::string& store_path) {
  const std::string path = absl::StrCat(store_path, ".snapshot");
  // Of a program that was killed while it made one.
  unlink(path.c_str());
  const absl::Status copied = Copy(store_path, path);
  UniqueFd fd(copied.ok() ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1);
  const int error = errno;
  unlink(path.c_str());
  if (!copied.ok()) return Annotate(copied, "copying the store");
  if (!fd.valid()) return PosixError(absl::StrCat("opening ", path), error);
  return fd;
}

}  // namespace assay
