// One GPU, opened by this process: its primary context, which everything that
// uses CUDA's runtime in this process shares.

#ifndef ASSAY_WORKER_CUDA_CONTEXT_H_
#define ASSAY_WORKER_CUDA_CONTEXT_H_

#include <cuda.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/cuda/driver.h"

namespace assay {

// Thread-compatible. Released by the destructor.
class CudaContext {
 public:
  // The GPU with this number, as CUDA counts in this process. INVALID_ARGUMENT
  // when there is none.
  static absl::StatusOr<std::unique_ptr<CudaContext>> Open(int ordinal);
  // The GPU with this id, in the form of CudaUuid. NOT_FOUND when this process
  // does not see it.
  static absl::StatusOr<std::unique_ptr<CudaContext>> OpenByUuid(
      absl::string_view uuid);
  ~CudaContext();
  CudaContext(const CudaContext&) = delete;
  CudaContext& operator=(const CudaContext&) = delete;

  const CudaDriver& driver() const { return driver_; }
  CUdevice device() const { return device_; }
  int ordinal() const { return ordinal_; }
  CUcontext handle() const { return context_; }
  // "GPU-5a3f…", as nvidia-smi and CUDA_VISIBLE_DEVICES have it.
  const std::string& uuid() const { return uuid_; }

  // Makes it the calling thread's context, as most calls need.
  absl::Status MakeCurrent() const;

  // An attribute of the device; 0 when the driver does not know it.
  int Attribute(CUdevice_attribute attribute) const;

 private:
  CudaContext(const CudaDriver& driver, CUdevice device, int ordinal,
              std::string uuid, CUcontext context)
      : driver_(driver),
        device_(device),
        ordinal_(ordinal),
        uuid_(std::move(uuid)),
        context_(context) {}

  const CudaDriver& driver_;
  const CUdevice device_;
  const int ordinal_;
  const std::string uuid_;
  CUcontext context_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_CUDA_CONTEXT_H_
