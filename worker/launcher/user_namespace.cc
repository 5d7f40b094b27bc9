#include "worker/launcher/user_namespace.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/posix.h"
#include "base/status_macros.h"

namespace assay {
namespace {

// A process that is in the namespace until this is destroyed.
class Holder {
 public:
  static absl::StatusOr<Holder> Start() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return PosixError("pipe");
    const UniqueFd read_end(ends[0]);
    UniqueFd write_end(ends[1]);
    const pid_t pid = fork();
    if (pid < 0) return PosixError("fork");
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const int error = unshare(CLONE_NEWUSER) == 0 ? 0 : errno;
      [[maybe_unused]] const ssize_t written =
          write(write_end.get(), &error, sizeof(error));
      while (error == 0) pause();
      _exit(1);
    }
    Holder holder(pid);
    write_end.Reset();
    int error = 0;
    ssize_t got;
    do {
      got = read(read_end.get(), &error, sizeof(error));
    } while (got < 0 && errno == EINTR);
    if (got != sizeof(error)) return absl::InternalError("a holder died");
    if (error != 0) return PosixError("making a user namespace", error);
    return holder;
  }

  ~Holder() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Holder(Holder&& other) noexcept : pid_(other.pid_) { other.pid_ = 0; }
  Holder& operator=(Holder&&) = delete;

  std::string Proc(const char* file) const {
    return absl::StrCat("/proc/", pid_, "/", file);
  }

 private:
  explicit Holder(pid_t pid) : pid_(pid) {}
  pid_t pid_;
};

// The kernel takes a map in one write, once.
absl::Status WriteMap(const std::string& path, const std::string& map) {
  const UniqueFd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid()) return PosixError(absl::StrCat("opening ", path));
  return WriteAll(file.get(), map, path);
}

}  // namespace

absl::StatusOr<UniqueFd> MakeUserNamespace(uid_t id) {
  ASSAY_ASSIGN_OR_RETURN(const Holder holder, Holder::Start());
  const std::string map = absl::StrCat("0 0 1\n", id, " ", id, " 1\n");
  ASSAY_RETURN_IF_ERROR(WriteMap(holder.Proc("uid_map"), map));
  ASSAY_RETURN_IF_ERROR(WriteMap(holder.Proc("gid_map"), map));
  UniqueFd space(open(holder.Proc("ns/user").c_str(), O_RDONLY | O_CLOEXEC));
  if (!space.valid()) return PosixError("opening a user namespace");
  return space;
}

}  // namespace assay
