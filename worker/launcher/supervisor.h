// The launcher's work: starts processes on request, reports their ends, and
// leaves nothing behind.

#ifndef ASSAY_WORKER_LAUNCHER_SUPERVISOR_H_
#define ASSAY_WORKER_LAUNCHER_SUPERVISOR_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "base/fd.h"
#include "base/seqpacket.h"
#include "worker/protocol/launcher.pb.h"

namespace assay {

// Single-threaded, and only in a process that has no other children.
class Supervisor {
 public:
  explicit Supervisor(SeqPacketSocket control) : control_(std::move(control)) {}
  // Kills and reaps whatever is left.
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Serves until the worker closes its end, which is OK.
  absl::Status Run();

 private:
  // The end of a process that is reported once its descendants are gone, too.
  struct EndedProcess {
    worker::LaunchReply reply;
    absl::Duration since;
  };

  // Becomes the parent of orphaned descendants; SIGCHLD becomes readable.
  absl::Status Prepare();
  absl::Status HandleRequest();
  absl::Status HandleSpawn(uint64_t id, const worker::Spawn& spawn,
                           const std::vector<UniqueFd>& fds);
  void HandleKill(uint64_t id);
  void ReapChildren();
  void ReapProcess(pid_t pid, uint64_t id);
  // Kills orphans that came to this process; false when there are none.
  bool KillStrays();
  absl::Status ReportEnds();

  SeqPacketSocket control_;
  UniqueFd child_signal_;
  // Process id, which is also the process group's, to the request's id.
  std::map<pid_t, uint64_t> processes_;
  std::vector<EndedProcess> ended_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_LAUNCHER_SUPERVISOR_H_
