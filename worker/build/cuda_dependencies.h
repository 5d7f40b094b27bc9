// The libraries that a CUDA solution may depend on, by the names that
// `dependencies` of a solution has for them.
//
//   CudaLibraryPlaces places;
//   places.toolkit = toolkit;
//   ASSAY_ASSIGN_OR_RETURN(CudaDependencyFlags flags,
//                          ResolveCudaDependencies(places, {"cublas"}));

#ifndef ASSAY_WORKER_BUILD_CUDA_DEPENDENCIES_H_
#define ASSAY_WORKER_BUILD_CUDA_DEPENDENCIES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/build/cuda_toolkit.h"

namespace assay {

// Where to look for libraries.
struct CudaLibraryPlaces {
  CudaToolkit toolkit;
  // The folder of CUTLASS's `include`; empty: not installed.
  std::string cutlass_dir;
  // In front of /usr/include, /usr/lib/x86_64-linux-gnu and /usr/lib64.
  std::string system_root;
};

// What the compiler is given for some dependencies.
struct CudaDependencyFlags {
  // Folders of headers beyond those that the compiler searches anyway.
  std::vector<std::string> include_dirs;
  // Further options, e.g. "--expt-relaxed-constexpr".
  std::vector<std::string> options;
  // Libraries, as whole paths.
  std::vector<std::string> libraries;
  // Folders that the built library must find them in when it runs.
  std::vector<std::string> run_time_folders;
};

// INVALID_ARGUMENT that lists the known names when `name` is none of them.
absl::Status CheckCudaDependency(absl::string_view name);

// Finds the libraries and headers of `names`, in order, in the toolkit, beside
// it and in the system's folders. FAILED_PRECONDITION names the first that is
// not on this machine and where it was looked for.
absl::StatusOr<CudaDependencyFlags> ResolveCudaDependencies(
    const CudaLibraryPlaces& places, const std::vector<std::string>& names);

// The folder of CUTLASS: `folder`, or when that is empty $ASSAY_CUTLASS_DIR;
// empty when neither is given. FAILED_PRECONDITION when there is no CUTLASS in
// it.
absl::StatusOr<std::string> FindCutlass(absl::string_view folder);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_CUDA_DEPENDENCIES_H_
