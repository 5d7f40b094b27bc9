// Starts and ends processes for the worker.
//
// A worker has many threads, and a thread that forks copies the descriptors
// that the others hold at that moment: a binary being written can then not be
// executed (ETXTBSY), and a pipe never ends. So the worker never forks. It
// starts one small single-threaded program, `assay-launcher`, and asks it.
//
//   ASSAY_ASSIGN_OR_RETURN(auto launcher, Launcher::Start(path));
//   SpawnOptions options;
//   options.argv = {"/bin/true"};
//   ASSAY_ASSIGN_OR_RETURN(auto process, launcher->Spawn(options));
//   ASSAY_ASSIGN_OR_RETURN(ExitStatus exit, process->Wait(absl::Seconds(5)));
//
// A process runs in its own process group. The group is killed when its first
// process ends, when the launcher ends and when the worker dies.

#ifndef ASSAY_WORKER_LAUNCHER_LAUNCHER_H_
#define ASSAY_WORKER_LAUNCHER_LAUNCHER_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "worker/launcher/spawn_options.h"

namespace assay {

class LauncherChannel;

// A process that was started. The destructor kills it and waits until it is
// gone. Thread-safe. May outlive its Launcher, and is then over.
class Process {
 public:
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }

  // Sends SIGKILL to the process group; returns at once. Harmless when it is
  // over.
  void Kill();

  // Waits for the end. DEADLINE_EXCEEDED when `timeout` passes first (the
  // process goes on); UNAVAILABLE when the launcher died. May be called again.
  absl::StatusOr<ExitStatus> Wait(absl::Duration timeout);

 private:
  friend class Launcher;
  Process(std::shared_ptr<LauncherChannel> channel, uint64_t id, pid_t pid);

  const std::shared_ptr<LauncherChannel> channel_;
  const uint64_t id_;
  const pid_t pid_;
};

// Thread-safe.
class Launcher {
 public:
  // Starts the program at `launcher_path`.
  static absl::StatusOr<std::unique_ptr<Launcher>> Start(
      const std::string& launcher_path);

  // Ends the launcher and with it every process.
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  // INVALID_ARGUMENT when the options make no sense or the program cannot be
  // executed; UNAVAILABLE when the launcher died.
  absl::StatusOr<std::unique_ptr<Process>> Spawn(const SpawnOptions& options);

 private:
  Launcher(std::shared_ptr<LauncherChannel> channel, pid_t pid);

  const std::shared_ptr<LauncherChannel> channel_;
  const pid_t pid_;
  // Hands what the launcher says to those who wait for it.
  std::thread reader_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_LAUNCHER_LAUNCHER_H_
