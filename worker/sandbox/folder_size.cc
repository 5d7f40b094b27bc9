#include "worker/sandbox/folder_size.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

namespace assay {
namespace {

// st_blocks counts these whatever the file system's blocks are.
constexpr int64_t kStatBlockBytes = 512;

}  // namespace

int64_t FolderSize(const std::string& folder) {
  using Iterator = std::filesystem::recursive_directory_iterator;
  int64_t bytes = 0;
  std::error_code error;
  for (Iterator entry(folder, error); !error && entry != Iterator();
       entry.increment(error)) {
    struct stat info;
    if (lstat(entry->path().c_str(), &info) == 0) {
      bytes += int64_t{info.st_blocks} * kStatBlockBytes;
    }
  }
  return bytes;
}

}  // namespace assay
