// What is left to do when the process has to end at once: programs that it
// started are killed and temporary folders removed, although no destructor
// runs.
//
//   LastResort last_resort;
//   last_resort.AddFolder(dir.path());
//   last_resort.AddProgram(child);
//   // elsewhere:
//   LastResort::CarryOutAll();
//   _exit(1);
//
// Thread-safe.

#ifndef ASSAY_CLIENT_CLI_LAST_RESORT_H_
#define ASSAY_CLIENT_CLI_LAST_RESORT_H_

#include <sys/types.h>

#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "base/child_process.h"
#include "base/fd.h"

namespace assay {

// Declare it before what it looks after, so that it outlives that.
class LastResort {
 public:
  LastResort();
  // Waits for a CarryOutAll() under way.
  ~LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;

  // Its process group is killed, unless it has ended before.
  void AddProgram(const ChildProcess& child);
  void AddFolder(const std::string& path);
  void KeepFolder(const std::string& path);

  // Kills the programs and removes the folders of all that exist. From a
  // thread, not from a signal handler.
  static void CarryOutAll();

 private:
  struct Program {
    pid_t pid;
    UniqueFd pidfd;
  };

  void CarryOut();

  absl::Mutex mutex_;
  std::vector<Program> programs_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> folders_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_CLIENT_CLI_LAST_RESORT_H_
