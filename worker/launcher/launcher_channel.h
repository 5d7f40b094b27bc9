// The worker's connection to its launcher: requests go out, replies come back
// in any order and are kept for those who wait.

#ifndef ASSAY_WORKER_LAUNCHER_LAUNCHER_CHANNEL_H_
#define ASSAY_WORKER_LAUNCHER_LAUNCHER_CHANNEL_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/seqpacket.h"
#include "worker/launcher/spawn_options.h"
#include "worker/protocol/launcher.pb.h"

namespace assay {

// Thread-safe.
class LauncherChannel {
 public:
  struct Started {
    uint64_t id = 0;
    pid_t pid = 0;
  };

  explicit LauncherChannel(SeqPacketSocket socket)
      : socket_(std::move(socket)) {}

  absl::StatusOr<Started> Spawn(const SpawnOptions& options);
  void Kill(uint64_t id);
  absl::StatusOr<ExitStatus> Wait(uint64_t id, absl::Duration timeout);

  // Drops what is known about a process.
  void Forget(uint64_t id);

  // Handles replies until the connection ends. For one thread.
  void ReadReplies();

  // Makes ReadReplies end, and the launcher too. Not for use after that.
  void Disconnect();

 private:
  struct ProcessState {
    pid_t pid = 0;
    // Why there is no process; OK when there is or may be one.
    absl::Status spawn_error;
    std::optional<ExitStatus> exit;
  };

  void HandleReply(const worker::LaunchReply& reply);
  absl::Status Send(const worker::LaunchRequest& request,
                    const std::vector<int>& fds);
  // Whether waiting for the process makes no more sense.
  bool IsOver(uint64_t id) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  // Written under send_mutex_, read by the thread in ReadReplies.
  SeqPacketSocket socket_;
  absl::Mutex send_mutex_;

  mutable absl::Mutex mutex_;
  bool connected_ ABSL_GUARDED_BY(mutex_) = true;
  uint64_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  // A map whose elements stay where they are while others come and go.
  std::map<uint64_t, ProcessState> processes_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay

#endif  // ASSAY_WORKER_LAUNCHER_LAUNCHER_CHANNEL_H_
