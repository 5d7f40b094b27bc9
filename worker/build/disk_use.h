// Whose fault it is that a build found no room on the disk.

#ifndef ASSAY_WORKER_BUILD_DISK_USE_H_
#define ASSAY_WORKER_BUILD_DISK_USE_H_

#include <cstdint>
#include <string>

namespace assay {

// What a build may take on the disk. A fair one takes a few MiB.
constexpr int64_t kMaxBuildBytes = int64_t{2} << 30;

struct DiskUse {
  // What the files below the folder take; those that cannot be seen do not
  // count.
  int64_t used_bytes = 0;
  // What is left for others on its disk.
  int64_t free_bytes = 0;
};

DiskUse MeasureDiskUse(const std::string& folder);

enum class DiskFault {
  kNone,
  // It took more than kMaxBuildBytes; so the disk may be full, too.
  kBuild,
  // The disk is full, and not of this build.
  kMachine,
};

DiskFault JudgeDiskUse(const DiskUse& use);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_DISK_USE_H_
