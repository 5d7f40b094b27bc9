// A runner's process as its session sees it: a program of its own, or a child
// of the Python zygote.

#ifndef ASSAY_WORKER_RUNNER_RUNNER_PROCESS_H_
#define ASSAY_WORKER_RUNNER_RUNNER_PROCESS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace assay {

// Bounds of each process that runs a solution. Files are in memory there.
inline constexpr int64_t kMaxOpenFiles = 1024;
inline constexpr int64_t kMaxFileBytes = int64_t{1} << 30;

// What the end of a process that took more than it may is called, before
// WatchedProcess::limit_hit.
inline constexpr char kStoppedBecauseIt[] = "it was stopped because it ";

// Kill and WaitAndDescribe are thread-safe. The destructor kills.
class RunnerProcess {
 public:
  virtual ~RunnerProcess() = default;

  // Ends the process and everything that it started. Does not wait.
  virtual void Kill() = 0;

  // How the process ended, for people: "exited with code 1", "killed by signal
  // 9 (killed)". Empty when it is still running after `timeout`. A Status when
  // that cannot be known, as when what started it is gone: it is no fault of
  // the process then.
  virtual absl::StatusOr<std::string> WaitAndDescribe(
      absl::Duration timeout) = 0;

  // Whether the parent of the process has no other children than it and those
  // that it left behind.
  virtual bool HasOwnParent() const { return false; }

  // How much host memory it shares with the worker because it was given it;
  // replaces what was said before. It does not count against its limit.
  virtual void SetGivenMemory([[maybe_unused]] int64_t bytes) {}

  // What it printed since the last call. It goes on.
  virtual std::string DrainLog() = 0;

  // Kills the process and gives what it printed since the last DrainLog. Call
  // once, last.
  virtual std::string TakeLog() = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_RUNNER_PROCESS_H_
