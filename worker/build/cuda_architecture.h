// GPU architectures as CUDA's compiler and people name them.
//
//   ASSAY_ASSIGN_OR_RETURN(std::vector<CudaArchitecture> architectures,
//                          CudaArchitecturesFor(std::getenv(...), 9, 0));
//   // {9.0a}: -gencode=arch=compute_90a,code=sm_90a

#ifndef ASSAY_WORKER_BUILD_CUDA_ARCHITECTURE_H_
#define ASSAY_WORKER_BUILD_CUDA_ARCHITECTURE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// Compute capability `major.minor`, and what of it a build uses.
struct CudaArchitecture {
  int major = 0;
  int minor = 0;
  // "": runs on later devices of the same major version, too. "a": all
  // instructions of this one device. "f": those of its family.
  std::string features;
  // Also carries PTX, which the driver translates for later devices.
  bool ptx = false;

  // "9.0a", "8.0+PTX".
  std::string Name() const;
  // "sm_90a", as the compiler and solutions' target_hardware spell it.
  std::string SmName() const;
  // One word: "-gencode=arch=compute_90a,code=sm_90a".
  std::string GencodeOption() const;
  // Whether code for this one runs on a device of that compute capability.
  bool RunsOn(int device_major, int device_minor) const;
};

bool operator==(const CudaArchitecture& a, const CudaArchitecture& b);

// "8.0", "9.0a", "12.0f", "8.0+PTX". INVALID_ARGUMENT when it is anything else.
absl::StatusOr<CudaArchitecture> ParseCudaArchitecture(absl::string_view text);

// Several, separated by spaces, commas or semicolons; at least one.
absl::StatusOr<std::vector<CudaArchitecture>> ParseCudaArchitectures(
    absl::string_view list);

// What gives a device all its instructions: "a" from 9.0 on, plain before.
CudaArchitecture NativeCudaArchitecture(int major, int minor);

// What to build for on a worker whose device has that compute capability: the
// list when there is one (the value of ASSAY_CUDA_ARCH_LIST), else the device's
// own. FAILED_PRECONDITION when nothing in the list runs on the device.
absl::StatusOr<std::vector<CudaArchitecture>> CudaArchitecturesFor(
    absl::string_view list, int device_major, int device_minor);

}  // namespace assay

#endif  // ASSAY_WORKER_BUILD_CUDA_ARCHITECTURE_H_
