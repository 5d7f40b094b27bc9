// Memory of the GPU for arguments and results of the measuring kernels, kept
// from call to call.

#ifndef ASSAY_WORKER_DEVICE_CUDA_SCRATCH_H_
#define ASSAY_WORKER_DEVICE_CUDA_SCRATCH_H_

#include <cstddef>

#include "absl/status/status.h"

namespace assay {

// Needs the GPU's context to be current, but for construction.
class CudaScratch {
 public:
  CudaScratch() = default;
  CudaScratch(const CudaScratch&) = delete;
  CudaScratch& operator=(const CudaScratch&) = delete;

  // Starts over with room for `bytes` in all, alignment included; what was
  // taken before is void. Nothing that uses it may be queued.
  absl::Status Reserve(size_t bytes);

  // The next `count` elements of what was reserved, aligned to 256 bytes.
  template <typename T>
  T* Take(size_t count) {
    T* taken = reinterpret_cast<T*>(memory_ + used_);
    used_ += Rounded(count * sizeof(T));
    return taken;
  }

  // What Take needs of a reservation.
  static size_t Rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

  // Frees the memory.
  void Release();
  // Forgets the memory, whose context is gone.
  void Forget();

 private:
  char* memory_ = nullptr;
  size_t size_ = 0;
  size_t used_ = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_CUDA_SCRATCH_H_
