// assay-launcher: started by a worker, with its control socket as descriptor 3.
// See worker/protocol/launcher.proto.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "absl/status/status.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/seqpacket.h"
#include "worker/launcher/supervisor.h"

namespace {

constexpr int kControlFd = 3;

// Nothing that the worker left open may reach a child.
void CloseInheritedFds() {
  if (close_range(kControlFd + 1, ~0U, 0) == 0) return;
  // Kernels before 5.9.
  const int limit = static_cast<int>(sysconf(_SC_OPEN_MAX));
  for (int fd = kControlFd + 1; fd < limit; ++fd) close(fd);
}

}  // namespace

int main() {
  if (fcntl(kControlFd, F_SETFD, FD_CLOEXEC) != 0) {
    assay::LogError("assay-launcher is started by assay-worker only");
    return 2;
  }
  CloseInheritedFds();
  // The end of the worker is the one reason to stop: a signal to all processes
  // of a service must let the worker finish what it does.
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) ::signal(signal, SIG_IGN);

  assay::Supervisor supervisor(
      assay::SeqPacketSocket{assay::UniqueFd(kControlFd)});
  const absl::Status status = supervisor.Run();
  if (!status.ok()) {
    assay::LogError("launcher failed", {{"error", status.ToString()}});
    return 1;
  }
  return 0;
}
