// How much memory processes take together, from /proc.
//
//   const int64_t kept = MemoryInFiles(pids);
//   if (MemoryUse(pids, kept, given, Precision::kFast) > limit &&
//       MemoryUse(pids, kept, given, Precision::kExact) > limit) ...
//
// What is theirs alone counts, and what several share: memory in files of a
// memory file system, in files without a name (memfd) that they hold open, and
// in mappings (MAP_SHARED). As a mapping may be one of such a file, the greater
// of the two counts: what they share may be more, never less. Descriptors that
// wait in a socket to be received are not seen.

#ifndef ASSAY_WORKER_SANDBOX_MEMORY_USE_H_
#define ASSAY_WORKER_SANDBOX_MEMORY_USE_H_

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace assay {

enum class Precision {
  // What forks still share counts for each: may be much too high.
  kFast,
  // It counts once. Takes longer; where the kernel does not tell: as kFast.
  kExact,
};

// Bytes in memory files that processes could use: those that they have open
// and have no name, each once, and what lies in /tmp and /dev/shm as the last
// of `pids` sees them, unless they are this process's own.
int64_t MemoryInFiles(const std::vector<pid_t>& pids);

// Bytes that they take, swapped out or not. `in_files` is what MemoryInFiles
// said; `given` is how much memory they share with others because it was given
// to them, which does not count. Those that are gone take nothing.
int64_t MemoryUse(const std::vector<pid_t>& pids, int64_t in_files,
                  int64_t given, Precision precision);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_MEMORY_USE_H_
