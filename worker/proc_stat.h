// What the kernel tells of processes in /proc.

#ifndef ASSAY_WORKER_PROC_STAT_H_
#define ASSAY_WORKER_PROC_STAT_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace assay {

// Of a process, or of one thread; from its file `stat`.
struct ProcStat {
  // Its own choice: any bytes.
  std::string name;
  // 'R' running, 'S' sleeping, 'D' in a call that signals do not interrupt, 'T'
  // stopped, 't' stopped by a debugger, 'Z' or 'X' over.
  char state = 0;
  pid_t parent = 0;
  // Of the process, its first one included.
  int threads = 0;
  // Processor time of all its threads, in steps of the kernel's (10 ms), and
  // that of children that have ended and that it waited for.
  absl::Duration cpu_time;
  absl::Duration children_cpu_time;
  // In the kernel's own unit: tells processes apart that had the same id.
  int64_t start_time = 0;

  // Whether it does nothing any more, though nobody has waited for it yet. Its
  // first thread may be over before others.
  bool is_over() const {
    return (state == 'Z' || state == 'X') && threads <= 1;
  }
};

// The name of a process, which is its own choice, as printable ASCII.
std::string PrintableName(std::string name);

// Nothing when `text` is no content of such a file.
std::optional<ProcStat> ParseProcStat(absl::string_view text);

// Of a process; nothing when it is gone.
std::optional<ProcStat> StatOf(pid_t pid);

// Adds the children of all threads of a process; returns how many threads there
// are, 0 when it is gone.
int AddChildren(pid_t pid, std::vector<pid_t>& children);

// The content of a small file below the folder `folder_fd` (AT_FDCWD: `path` is
// absolute). Nothing when it is not there, as when the process is gone.
std::optional<std::string> ReadProcFile(int folder_fd, const std::string& path);

}  // namespace assay

#endif  // ASSAY_WORKER_PROC_STAT_H_
