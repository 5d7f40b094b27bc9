// fork and exec, with everything a child must not inherit undone.

#ifndef ASSAY_WORKER_LAUNCHER_SPAWN_H_
#define ASSAY_WORKER_LAUNCHER_SPAWN_H_

#include <sys/types.h>

#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "worker/protocol/launcher.pb.h"

namespace assay {

// Starts the program in a new process group, with `fds` under the numbers that
// the request gives, and returns its process id once the program runs. Only for
// a single-threaded process whose every descriptor is close-on-exec.
absl::StatusOr<pid_t> SpawnProgram(const worker::Spawn& spawn,
                                   const std::vector<UniqueFd>& fds);

}  // namespace assay

#endif  // ASSAY_WORKER_LAUNCHER_SPAWN_H_
