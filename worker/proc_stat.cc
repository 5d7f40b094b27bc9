#include "worker/proc_stat.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/fd.h"

namespace assay {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

absl::Duration Ticks(int64_t count) {
  static const int64_t per_second = sysconf(_SC_CLK_TCK);
  return absl::Seconds(1) * count / per_second;
}

}  // namespace

std::optional<ProcStat> ParseProcStat(absl::string_view text) {
  // "pid (name) state parent …", where the name may hold anything.
  const size_t open = text.find('(');
  const size_t close = text.rfind(')');
  if (open == text.npos || close == text.npos || close < open) {
    return std::nullopt;
  }
  constexpr size_t kState = 0;
  constexpr size_t kParent = 1;
  constexpr size_t kUserTime = 11;
  constexpr size_t kSystemTime = 12;
  constexpr size_t kChildrenUserTime = 13;
  constexpr size_t kChildrenSystemTime = 14;
  constexpr size_t kThreads = 17;
  constexpr size_t kStartTime = 19;
  const std::vector<absl::string_view> fields =
      absl::StrSplit(text.substr(close + 1), ' ', absl::SkipEmpty());
  ProcStat stat;
  int64_t times[4];
  if (fields.size() <= kStartTime ||
      !absl::SimpleAtoi(fields[kParent], &stat.parent) ||
      !absl::SimpleAtoi(fields[kUserTime], &times[0]) ||
      !absl::SimpleAtoi(fields[kSystemTime], &times[1]) ||
      !absl::SimpleAtoi(fields[kChildrenUserTime], &times[2]) ||
      !absl::SimpleAtoi(fields[kChildrenSystemTime], &times[3]) ||
      !absl::SimpleAtoi(fields[kThreads], &stat.threads) ||
      !absl::SimpleAtoi(fields[kStartTime], &stat.start_time)) {
    return std::nullopt;
  }
  stat.name = std::string(text.substr(open + 1, close - open - 1));
  stat.state = fields[kState][0];
  stat.cpu_time = Ticks(times[0] + times[1]);
  stat.children_cpu_time = Ticks(times[2] + times[3]);
  return stat;
}

std::string PrintableName(std::string name) {
  for (char& c : name) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = '?';
  }
  return name;
}

std::optional<ProcStat> StatOf(pid_t pid) {
  const auto text =
      ReadProcFile(AT_FDCWD, absl::StrCat("/proc/", pid, "/stat"));
  return text.has_value() ? ParseProcStat(*text) : std::nullopt;
}

int AddChildren(pid_t pid, std::vector<pid_t>& children) {
  const std::string path = absl::StrCat("/proc/", pid, "/task");
  const std::unique_ptr<DIR, CloseFolder> threads(opendir(path.c_str()));
  if (threads == nullptr) return 0;
  int count = 0;
  while (const dirent* thread = readdir(threads.get())) {
    if (thread->d_name[0] == '.') continue;
    ++count;
    // The kernel lists children by the thread that started them.
    const std::optional<std::string> text = ReadProcFile(
        dirfd(threads.get()), absl::StrCat(thread->d_name, "/children"));
    if (!text.has_value()) continue;
    for (const absl::string_view word :
         absl::StrSplit(*text, ' ', absl::SkipEmpty())) {
      pid_t child;
      if (absl::SimpleAtoi(word, &child)) children.push_back(child);
    }
  }
  return count;
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
