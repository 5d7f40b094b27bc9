#include "tests/chaos/event_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/posix.h"

namespace assay::chaos {

absl::StatusOr<std::unique_ptr<EventLog>> EventLog::Open(
    const std::string& path) {
  UniqueFd fd(
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd.valid()) return PosixError(path);
  return std::unique_ptr<EventLog>(new EventLog(std::move(fd)));
}

void EventLog::Add(std::initializer_list<absl::string_view> words) {
  const std::string line = absl::StrCat(absl::StrJoin(words, "\t"), "\n");
  const ssize_t written = write(fd_.get(), line.data(), line.size());
  // Evidence that is missing would pass for a fault of the coordinator.
  if (written != static_cast<ssize_t>(line.size())) std::abort();
}

}  // namespace assay::chaos
