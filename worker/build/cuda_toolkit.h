// Where NVIDIA's compiler, headers and libraries lie on this machine.

#ifndef ASSAY_WORKER_BUILD_CUDA_TOOLKIT_H_
#define ASSAY_WORKER_BUILD_CUDA_TOOLKIT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// An installed CUDA toolkit, in NVIDIA's own layout (/usr/local/cuda) or that
// of its Python packages (site-packages/nvidia/cu13). Immutable.
struct CudaToolkit {
  // Without symbolic links.
  std::string folder;
  // "13.0".
  std::string version;

  std::string nvcc() const { return folder + "/bin/nvcc"; }
  std::string include_folder() const { return folder + "/include"; }
  // Folders that exist of those that a toolkit keeps libraries in.
  std::vector<std::string> LibraryFolders() const;
};

// The toolkit in `folder`, or when that is empty in the first of $CUDA_HOME,
// $CUDA_PATH and /usr/local/cuda that is given. FAILED_PRECONDITION with the
// remedy when there is none.
absl::StatusOr<CudaToolkit> FindCudaToolkit(absl::string_view folder);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_CUDA_TOOLKIT_H_
