// The worker's line to one running Python zygote; the messages are described in
// python/assay_runner/zygote.py.

#ifndef ASSAY_WORKER_RUNNER_ZYGOTE_CONNECTION_H_
#define ASSAY_WORKER_RUNNER_ZYGOTE_CONNECTION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/seqpacket.h"
#include "worker/launcher/launcher.h"
#include "worker/log_capture.h"

namespace assay {

// Thread-safe.
class ZygoteConnection {
 public:
  // Takes over a zygote that was just started and waits until it is ready.
  static absl::StatusOr<std::shared_ptr<ZygoteConnection>> Connect(
      SeqPacketSocket socket, std::unique_ptr<Process> process,
      std::unique_ptr<LogCapture> log, absl::Duration timeout);
  ~ZygoteConnection();
  ZygoteConnection(const ZygoteConnection&) = delete;
  ZygoteConnection& operator=(const ZygoteConnection&) = delete;

  // Forks a child with these descriptors, which stay the caller's. Returns its
  // id. UNAVAILABLE when the zygote is gone.
  absl::StatusOr<uint64_t> Fork(int socket_fd, int log_fd,
                                absl::Duration timeout);

  // Process id of the child's supervisor, as this process sees it; 0 when it is
  // not known.
  pid_t ProcessId(uint64_t id);

  // Asks the zygote to end a child; returns at once.
  void Kill(uint64_t id);

  // The child's wait status; nothing when it still runs after `timeout`.
  // UNAVAILABLE when the zygote is gone, and its children with it: that is no
  // fault of theirs. But a child that was given up was killed by SIGKILL.
  absl::StatusOr<std::optional<int>> Wait(uint64_t id, absl::Duration timeout);

  // Nobody will ask about a child any more.
  void Forget(uint64_t id);

  // Ends the zygote and all its children.
  void KillAll();

  // KillAll, because of a child that does not end otherwise.
  void GiveUp(uint64_t id);

  bool alive() const;

  // What the zygote itself printed.
  std::string Log() const { return log_->Snapshot(); }

 private:
  struct Child {
    bool forked = false;
    pid_t pid = 0;
    // Why it was not forked; empty when it was.
    std::string failure;
    std::optional<int> wait_status;
    bool given_up = false;
  };

  ZygoteConnection(SeqPacketSocket socket, std::unique_ptr<Process> process,
                   std::unique_ptr<LogCapture> log);

  // Whether it is known that the zygote works, or that it does not.
  bool Started() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ReadLoop();
  void Handle(const Packet& packet);
  absl::Status Send(absl::string_view message, const std::vector<int>& fds,
                    absl::Duration timeout);

  std::unique_ptr<Process> process_;
  const std::unique_ptr<LogCapture> log_;
  // Only the reader thread receives.
  SeqPacketSocket socket_;
  absl::Mutex send_mutex_;
  mutable absl::Mutex mutex_;
  bool ready_ ABSL_GUARDED_BY(mutex_) = false;
  bool gone_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, Child> children_ ABSL_GUARDED_BY(mutex_);
  std::thread reader_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_ZYGOTE_CONNECTION_H_
