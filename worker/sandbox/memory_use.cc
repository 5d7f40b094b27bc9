#include "worker/sandbox/memory_use.h"

#include <dirent.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/fd.h"

namespace assay {
namespace {

// Where confined processes have memory file systems of their own.
constexpr const char* kMemoryFolders[] = {"/tmp", "/dev/shm"};

// st_blocks counts these, whatever the file system's own are.
constexpr int64_t kStatBlockBytes = 512;

// Of one process, in bytes.
struct Memory {
  int64_t own = 0;
  int64_t shared = 0;
};

// Lines of a file of /proc that add up: how much is the process's own, and how
// much it shares.
struct Lines {
  const char* file;
  absl::string_view own;
  absl::string_view swapped;
  absl::string_view shared;
};
constexpr Lines kFastLines = {"status", "RssAnon:", "VmSwap:", "RssShmem:"};
constexpr Lines kExactLines = {"smaps_rollup",
                               "Pss_Anon:", "SwapPss:", "Pss_Shmem:"};

// Nothing when the process is gone, or the kernel says nothing there.
std::optional<Memory> Read(pid_t pid, const Lines& lines) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/", lines.file));
  Memory memory;
  bool found = false;
  for (std::string name; file >> name;) {
    const bool is_own = name == lines.own || name == lines.swapped;
    if (is_own || name == lines.shared) {
      int64_t kib = 0;
      file >> kib;
      (is_own ? memory.own : memory.shared) += kib << 10;
      found = true;
    }
    file.ignore(1 << 20, '\n');
  }
  if (!found) return std::nullopt;
  return memory;
}

Memory MemoryOf(pid_t pid, Precision precision) {
  std::optional<Memory> memory;
  if (precision == Precision::kExact) memory = Read(pid, kExactLines);
  if (!memory.has_value()) memory = Read(pid, kFastLines);
  return memory.value_or(Memory());
}

// The kernel has all files of memfd_create on one file system.
dev_t DeviceOfMemfds() {
  static const dev_t device = [] {
    const UniqueFd file(memfd_create("assay-probe", MFD_CLOEXEC));
    struct stat info = {};
    return fstat(file.get(), &info) == 0 ? info.st_dev : dev_t{0};
  }();
  return device;
}

// Of the memfds that a process holds and that are not in `seen` yet.
int64_t HeldBytes(pid_t pid, std::set<ino_t>& seen) {
  const std::string path = absl::StrCat("/proc/", pid, "/fd");
  struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
  };
  const std::unique_ptr<DIR, CloseFolder> folder(opendir(path.c_str()));
  if (folder == nullptr) return 0;
  int64_t bytes = 0;
  while (const dirent* entry = readdir(folder.get())) {
    struct stat info;
    if (fstatat(dirfd(folder.get()), entry->d_name, &info, 0) == 0 &&
        info.st_dev == DeviceOfMemfds() && seen.insert(info.st_ino).second) {
      bytes += info.st_blocks * kStatBlockBytes;
    }
  }
  return bytes;
}

// Of the memory file system at `folder`, as the process sees it.
int64_t FileSystemBytes(pid_t pid, const char* folder) {
  const std::string path = absl::StrCat("/proc/", pid, "/root", folder);
  struct stat theirs;
  struct stat ours;
  struct statfs use;
  if (stat(path.c_str(), &theirs) != 0 || statfs(path.c_str(), &use) != 0 ||
      use.f_type != TMPFS_MAGIC ||
      (stat(folder, &ours) == 0 && ours.st_dev == theirs.st_dev)) {
    return 0;
  }
  return static_cast<int64_t>(use.f_blocks - use.f_bfree) * use.f_bsize;
}

}  // namespace

int64_t MemoryInFiles(const std::vector<pid_t>& pids) {
  int64_t bytes = 0;
  std::set<ino_t> seen;
  for (const pid_t pid : pids) bytes += HeldBytes(pid, seen);
  if (pids.empty()) return bytes;
  for (const char* folder : kMemoryFolders) {
    bytes += FileSystemBytes(pids.back(), folder);
  }
  return bytes;
}

int64_t MemoryUse(const std::vector<pid_t>& pids, int64_t in_files,
                  int64_t given, Precision precision) {
  Memory all;
  for (const pid_t pid : pids) {
    const Memory memory = MemoryOf(pid, precision);
    all.own += memory.own;
    all.shared += memory.shared;
  }
  return all.own + std::max(in_files, all.shared - given);
}

}  // namespace assay
