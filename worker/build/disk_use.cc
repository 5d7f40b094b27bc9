#include "worker/build/disk_use.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <limits>
#include <system_error>

namespace assay {
namespace {

// Below this much free disk a failed build is the disk's fault.
constexpr int64_t kMinFreeBytes = int64_t{64} << 20;

// st_blocks counts these whatever the file system's blocks are.
constexpr int64_t kStatBlockBytes = 512;

}  // namespace

DiskUse MeasureDiskUse(const std::string& folder) {
  using Iterator = std::filesystem::recursive_directory_iterator;
  DiskUse use;
  std::error_code error;
  for (Iterator entry(folder, error); !error && entry != Iterator();
       entry.increment(error)) {
    struct stat info;
    if (lstat(entry->path().c_str(), &info) == 0) {
      use.used_bytes += int64_t{info.st_blocks} * kStatBlockBytes;
    }
  }
  struct statvfs disk;
  use.free_bytes = statvfs(folder.c_str(), &disk) == 0
                       ? static_cast<int64_t>(disk.f_bavail * disk.f_frsize)
                       : std::numeric_limits<int64_t>::max();
  return use;
}

DiskFault JudgeDiskUse(const DiskUse& use) {
  if (use.used_bytes > kMaxBuildBytes) return DiskFault::kBuild;
  if (use.free_bytes < kMinFreeBytes) return DiskFault::kMachine;
  return DiskFault::kNone;
}

}  // namespace assay
