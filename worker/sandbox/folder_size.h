// What a folder takes on its disk.

#ifndef ASSAY_WORKER_SANDBOX_FOLDER_SIZE_H_
#define ASSAY_WORKER_SANDBOX_FOLDER_SIZE_H_

#include <cstdint>
#include <string>

namespace assay {

// Bytes of disk that the files below the folder take; those that cannot be seen
// do not count.
int64_t FolderSize(const std::string& folder);

}  // namespace assay

#endif  // ASSAY_WORKER_SANDBOX_FOLDER_SIZE_H_
