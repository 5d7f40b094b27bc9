#include "server/metrics/own_process.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "base/file.h"

namespace assay {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) * 1e-6;
}

// Entries of a folder, without those of the folder itself.
int64_t CountEntries(const char* path) {
  DIR* const folder = opendir(path);
  if (folder == nullptr) return 0;
  int64_t count = 0;
  while (const dirent* const entry = readdir(folder)) {
    if (entry->d_name[0] != '.') ++count;
  }
  closedir(folder);
  return count;
}

int64_t ResidentBytes() {
  const absl::StatusOr<std::string> text = ReadFile("/proc/self/statm");
  if (!text.ok()) return 0;
  // Pages: size, resident, …
  const std::vector<std::string> fields = absl::StrSplit(*text, ' ');
  int64_t pages = 0;
  if (fields.size() < 2 || !absl::SimpleAtoi(fields[1], &pages)) return 0;
  return pages * sysconf(_SC_PAGESIZE);
}

}  // namespace

OwnProcess ReadOwnProcess() {
  OwnProcess process;
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  process.cpu_seconds = Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
  process.resident_bytes = ResidentBytes();
  process.threads = CountEntries("/proc/self/task");
  // One of them is the folder that is being read.
  process.open_fds = CountEntries("/proc/self/fd") - 1;
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  process.max_fds = static_cast<int64_t>(limit.rlim_cur);
  return process;
}

}  // namespace assay
