#include "worker/sandbox/bubblewrap_command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay {
namespace {

// Size of each private memory file system.
constexpr int64_t kTmpfsBytes = int64_t{1} << 30;

// Programs and libraries of the system.
constexpr const char* kProgramFolders[] = {"/usr",   "/bin",   "/sbin",  "/lib",
                                           "/lib32", "/lib64", "/libx32"};

// What programs need of /etc: where libraries lie, which of several is meant,
// and the time zone. Nothing about users, networks or keys.
constexpr const char* kSettings[] = {"/etc/alternatives", "/etc/ld.so.cache",
                                     "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                                     "/etc/localtime"};

// One method for each concern, in the order that bubblewrap needs.
class CommandLine {
 public:
  explicit CommandLine(const std::string& bubblewrap) : argv_{bubblewrap} {}

  void Namespaces(const SandboxProfile& profile) {
    Add({"--die-with-parent", "--new-session"});
    // As root it would keep them all.
    Add({"--cap-drop", "ALL"});
    // It then is the first process, and the program its child.
    if (!profile.enter_path.empty()) Add({"--as-pid-1"});
    if (profile.user_namespace_fd) {
      Add({"--userns", absl::StrCat(*profile.user_namespace_fd),
           "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
           "--unshare-cgroup-try"});
      // For assay-enter, which then drops these, too.
      for (const char* capability :
           {"CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"}) {
        Add({"--cap-add", capability});
      }
      if (profile.filter == SeccompKind::kZygote) {
        Add({"--cap-add", "CAP_SYS_ADMIN"});
      }
      return;
    }
    Add({"--unshare-all"});
    // Only the name inside: outside it is the worker's user, which for a worker
    // that is root is root, so files of root can be read here. It must not be 0
    // inside, because a process without capabilities may make user namespaces
    // of its own for any user but root.
    Add({"--uid", "65534", "--gid", "65534"});
  }

  // An empty root with what programs of the system need.
  void System(const SandboxProfile& profile) {
    for (const char* path : kProgramFolders) Program(path);
    Parents("/etc/passwd");
    for (const char* path : kSettings) Add({"--ro-bind-try", path, path});
    if (profile.users_fd) {
      Add({"--perms", "0644", "--ro-bind-data", absl::StrCat(*profile.users_fd),
           "/etc/passwd"});
    }
    if (profile.groups_fd) {
      Add({"--perms", "0644", "--ro-bind-data",
           absl::StrCat(*profile.groups_fd), "/etc/group"});
    }
    Add({"--dev", "/dev", "--proc", "/proc"});
    Hardware(!profile.device_paths.empty());
    for (const char* path : {"/tmp", "/dev/shm"}) Tmpfs(path);
  }

  // Each path after those that it lies in, so that what is shown can lie in
  // something hidden, and the other way round.
  void Paths(const std::vector<std::string>& hidden_paths,
             const SandboxProfile& profile) {
    enum Kind { kHidden, kReadable, kWritable };
    std::vector<std::pair<std::string, Kind>> mounts;
    for (const std::string& path : hidden_paths) {
      mounts.emplace_back(path, kHidden);
    }
    for (const std::string& path : profile.readable_paths) {
      mounts.emplace_back(path, kReadable);
    }
    for (const std::string& path : profile.writable_paths) {
      mounts.emplace_back(path, kWritable);
    }
    if (!profile.enter_path.empty()) {
      mounts.emplace_back(profile.enter_path, kReadable);
    }
    std::sort(mounts.begin(), mounts.end());
    for (const auto& [path, kind] : mounts) {
      Parents(path);
      if (kind == kHidden) {
        Hide(path);
      } else {
        Add({kind == kReadable ? "--ro-bind" : "--bind", path, path});
      }
    }
    for (const std::string& path : profile.device_paths) {
      Add({"--dev-bind", path, path});
    }
  }

  // After all else. These are memory file systems, which nobody counts.
  void Close(const SandboxProfile& profile) {
    for (const std::string& path : hidden_) Add({"--remount-ro", path});
    Add({"--remount-ro", "/dev", "--remount-ro", "/"});
    // Root inside may not enter a folder of the user; assay-enter does.
    if (!profile.user_namespace_fd) {
      Add({"--chdir", profile.working_directory});
    }
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
  // As on the host, where it may be a link into /usr.
  void Program(const std::string& path) {
    std::error_code error;
    const std::filesystem::path target =
        std::filesystem::read_symlink(path, error);
    if (!error) {
      Add({"--symlink", target.string(), path});
    } else {
      Add({"--ro-bind-try", path, path});
    }
  }

  // Programs ask how many processors there are; a GPU's driver also where its
  // device is. The rest of /sys says much about a machine and its network.
  void Hardware(bool uses_devices) {
    if (!uses_devices) {
      Parents("/sys/devices/system");
      Add({"--ro-bind-try", "/sys/devices/system", "/sys/devices/system"});
      return;
    }
    Add({"--ro-bind", "/sys", "/sys"});
    for (const char* path : {"/sys/class/net", "/sys/devices/virtual/net",
                             "/sys/firmware", "/sys/fs", "/sys/kernel"}) {
      if (access(path, F_OK) == 0) Hide(path);
    }
  }

  // Else they get the rights that they have outside.
  void Parents(const std::string& path) {
    for (size_t i = 1; (i = path.find('/', i)) != std::string::npos; ++i) {
      std::string parent = path.substr(0, i);
      if (parents_.insert(parent).second) Add({"--dir", parent});
    }
  }

  void Add(std::initializer_list<std::string> arguments) {
    argv_.insert(argv_.end(), arguments);
  }
  void Tmpfs(const std::string& path) {
    Add({"--size", absl::StrCat(kTmpfsBytes), "--perms", "1777", "--tmpfs",
         path});
  }

  // Places for what is shown below it can be made until the end.
  void Hide(const std::string& path) {
    Tmpfs(path);
    hidden_.push_back(path);
  }

  std::vector<std::string> argv_;
  std::set<std::string> parents_;
  std::vector<std::string> hidden_;
};

// What comes before the command.
std::vector<std::string> Enter(const SandboxProfile& profile) {
  if (profile.enter_path.empty()) return {};
  std::vector<std::string> enter = {profile.enter_path};
  if (profile.user_namespace_fd) {
    if (profile.filter == SeccompKind::kZygote) {
      enter.emplace_back("--whole-proc");
    }
    enter.insert(enter.end(), {"--user", absl::StrCat(profile.user_id)});
  }
  if (profile.processes > 0) {
    enter.insert(enter.end(), {"--processes", absl::StrCat(profile.processes)});
  }
  enter.push_back(profile.working_directory);
  return enter;
}

}  // namespace

std::vector<std::string> BubblewrapCommand(
    const std::string& bubblewrap, const std::vector<std::string>& hidden_paths,
    const SandboxProfile& profile, const std::vector<std::string>& command) {
  CommandLine line(bubblewrap);
  line.Namespaces(profile);
  line.System(profile);
  line.Paths(hidden_paths, profile);
  line.Close(profile);
  line.Environment(profile.environment);
  if (profile.filter_fd) line.Filter(*profile.filter_fd);
  if (profile.status_fd) line.Status(*profile.status_fd);
  std::vector<std::string> entered = Enter(profile);
  entered.insert(entered.end(), command.begin(), command.end());
  return std::move(line).For(entered);
}

}  // namespace assay
