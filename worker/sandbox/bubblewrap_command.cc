#include "worker/sandbox/bubblewrap_command.h"

#include <unistd.h>

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay {
namespace {

// Size of each private memory file system.
constexpr int64_t kTmpfsBytes = int64_t{1} << 30;

// One method for each concern, in the order that bubblewrap needs.
class CommandLine {
 public:
  explicit CommandLine(const std::string& bubblewrap) : argv_{bubblewrap} {}

  void Namespaces() {
    Add({"--unshare-all", "--die-with-parent", "--new-session"});
    // As root it would keep them all.
    Add({"--cap-drop", "ALL"});
    // Only the name inside: outside it is the worker's user, which for a worker
    // that is root is root, so files of root can be read here. It must not be 0
    // inside, because a process without capabilities may make user namespaces
    // of its own for any user but root.
    Add({"--uid", "65534", "--gid", "65534"});
  }

  void FileSystem(const std::vector<std::string>& hidden_paths) {
    Add({"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"});
    for (const char* path : {"/tmp", "/dev/shm", "/run"}) Tmpfs(path);
    for (const char* path : {"/root", "/home"}) {
      if (access(path, F_OK) == 0) Tmpfs(path);
    }
    for (const std::string& path : hidden_paths) Tmpfs(path);
  }

  // After FileSystem: these show through what it hides.
  void Paths(const SandboxProfile& profile) {
    for (const std::string& path : profile.readable_paths) {
      Add({"--ro-bind", path, path});
    }
    for (const std::string& path : profile.writable_paths) {
      Add({"--bind", path, path});
    }
    for (const std::string& path : profile.device_paths) {
      Add({"--dev-bind", path, path});
    }
    Add({"--chdir", profile.working_directory});
  }

  void Environment(const std::vector<std::string>& environment) {
    Add({"--clearenv"});
    for (const std::string& variable : environment) {
      const std::pair<std::string, std::string> parts =
          absl::StrSplit(variable, absl::MaxSplits('=', 1));
      Add({"--setenv", parts.first, parts.second});
    }
  }

  void Filter(int fd) { Add({"--seccomp", absl::StrCat(fd)}); }

  void Status(int fd) { Add({"--json-status-fd", absl::StrCat(fd)}); }

  std::vector<std::string> For(const std::vector<std::string>& command) && {
    argv_.emplace_back("--");
    argv_.insert(argv_.end(), command.begin(), command.end());
    return std::move(argv_);
  }

 private:
  void Add(std::initializer_list<std::string> arguments) {
    argv_.insert(argv_.end(), arguments);
  }
  void Tmpfs(const std::string& path) {
    Add({"--size", absl::StrCat(kTmpfsBytes), "--tmpfs", path});
  }

  std::vector<std::string> argv_;
};

}  // namespace

std::vector<std::string> BubblewrapCommand(
    const std::string& bubblewrap, const std::vector<std::string>& hidden_paths,
    const SandboxProfile& profile, const std::vector<std::string>& command) {
  CommandLine line(bubblewrap);
  line.Namespaces();
  line.FileSystem(hidden_paths);
  line.Paths(profile);
  line.Environment(profile.environment);
  if (profile.filter_fd) line.Filter(*profile.filter_fd);
  if (profile.status_fd) line.Status(*profile.status_fd);
  return std::move(line).For(command);
}

}  // namespace assay
