// What a worker needs to build for a GPU and to have processes use it.

#ifndef ASSAY_WORKER_GPU_TOOLS_H_
#define ASSAY_WORKER_GPU_TOOLS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "worker/build/builder.h"
#include "worker/cuda/context.h"
#include "worker/worker_options.h"

namespace assay {

struct GpuTools {
  // Keeps the GPU open until its device is there.
  std::unique_ptr<CudaContext> context;
  CudaBuildOptions build;
  // libcupti.so; empty: times come from CUDA events.
  std::string cupti_path;
  // For processes that use the GPU: NAME=value pairs, and device files.
  std::vector<std::string> environment;
  std::vector<std::string> device_paths;
  // Folder of the driver's libraries, where that is not one of the system's.
  std::vector<std::string> readable_paths;
};

// For GPU `ordinal`. FAILED_PRECONDITION when CUDA is not available here, with
// the reason in one line, or something else is missing; INVALID_ARGUMENT when
// there is no such GPU.
absl::StatusOr<GpuTools> FindGpuTools(const WorkerOptions& options,
                                      int ordinal);

}  // namespace assay

#endif  // ASSAY_WORKER_GPU_TOOLS_H_
