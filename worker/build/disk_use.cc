#include "worker/build/disk_use.h"

#include <sys/statvfs.h>

#include <limits>

#include "worker/sandbox/folder_size.h"

namespace assay {
namespace {

// Below this much free disk a failed build is the disk's fault.
constexpr int64_t kMinFreeBytes = int64_t{64} << 20;

}  // namespace

DiskUse MeasureDiskUse(const std::string& folder) {
  DiskUse use;
  use.used_bytes = FolderSize(folder);
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
