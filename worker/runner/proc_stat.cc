#include "worker/runner/proc_stat.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "base/fd.h"

namespace assay {

std::optional<ProcStat> ParseProcStat(absl::string_view text) {
  // "pid (name) state parent …", where the name may hold anything.
  const size_t open = text.find('(');
  const size_t close = text.rfind(')');
  if (open == text.npos || close == text.npos || close < open) {
    return std::nullopt;
  }
  constexpr size_t kState = 0;
  constexpr size_t kParent = 1;
  constexpr size_t kThreads = 17;
  const std::vector<absl::string_view> fields =
      absl::StrSplit(text.substr(close + 1), ' ', absl::SkipEmpty());
  ProcStat stat;
  if (fields.size() <= kThreads ||
      !absl::SimpleAtoi(fields[kParent], &stat.parent) ||
      !absl::SimpleAtoi(fields[kThreads], &stat.threads)) {
    return std::nullopt;
  }
  stat.name = std::string(text.substr(open + 1, close - open - 1));
  stat.state = fields[kState][0];
  return stat;
}

std::optional<std::string> ReadProcFile(int folder_fd,
                                        const std::string& path) {
  const UniqueFd fd(openat(folder_fd, path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return std::nullopt;
  std::string content;
  char buffer[4096];
  while (true) {
    const ssize_t got = read(fd.get(), buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return content;
    content.append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace assay
