#include "worker/sandbox/self_test.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/posix.h"
#include "base/random_id.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// It takes 10 ms.
constexpr absl::Duration kTimeout = absl::Seconds(20);

constexpr char kLastLine[] = "done";

// A socket that nothing but its name protects.
absl::StatusOr<UniqueFd> ListenAbstract(const std::string& name) {
  UniqueFd listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof(address.sun_path) - 1);
  const auto size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (!listener.valid() ||
      bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener.get(), 1) != 0) {
    return PosixError("listening on an abstract socket");
  }
  return listener;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> TestSandbox(const std::string& probe,
                                                     const std::string& folder,
                                                     const RunConfined& run) {
  ASSAY_ASSIGN_OR_RETURN(const TempDir work,
                         TempDir::CreateIn(folder, "sandbox-test-"));
  const std::string secret = work.path() + "/secret";
  ASSAY_RETURN_IF_ERROR(WriteFileAtomically(secret, "secret"));
  const std::string name = RandomId("assay-probe-");
  ASSAY_ASSIGN_OR_RETURN(const UniqueFd listener, ListenAbstract(name));
  ASSAY_ASSIGN_OR_RETURN(const std::string output, run({probe, secret, name}));
  std::vector<std::string> lines =
      absl::StrSplit(output, '\n', absl::SkipEmpty());
  if (lines.empty() || lines.back() != kLastLine) {
    return absl::UnavailableError(absl::StrCat(
        "the sandbox's probe did not come to its end; it printed \"", output,
        "\""));
  }
  lines.pop_back();
  return lines;
}

RunConfined InSandbox(Launcher& launcher, const Sandbox& sandbox,
                      const std::string& probe) {
  return [&launcher, &sandbox, probe](const std::vector<std::string>& command)
             -> absl::StatusOr<std::string> {
    SandboxProfile profile;
    profile.readable_paths = {probe};
    ASSAY_ASSIGN_OR_RETURN(SandboxRun run,
                           sandbox.Run(launcher, profile, command, kTimeout));
    return std::move(run.log);
  };
}

}  // namespace assay
