// Memory of a GPU that two processes can map: created by one, which gives the
// other a descriptor.
//
//   owner:  DeviceMemory::Create(context, bytes), then Share() -> descriptor
//   other:  DeviceMemory::Import(context, fd, bytes, /*writable=*/false)
//
// A mapping for reading keeps kernels of the importing process from writing by
// mistake (an illegal access, there alone). It does not bind one that is out to
// write: it can map the descriptor anew.

#ifndef ASSAY_WORKER_CUDA_DEVICE_MEMORY_H_
#define ASSAY_WORKER_CUDA_DEVICE_MEMORY_H_

#include <cuda.h>

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "worker/cuda/context.h"

namespace assay {

// Movable. Unmapped by the destructor; the memory is free when nobody maps it
// and no descriptor is open. The context outlives it.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory() { Reset(); }
  DeviceMemory(DeviceMemory&& other) noexcept { Swap(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    Swap(other);
    return *this;
  }

  // New memory of undefined content, mapped for reading and writing.
  // RESOURCE_EXHAUSTED when the GPU has not enough.
  static absl::StatusOr<DeviceMemory> Create(const CudaContext& context,
                                             int64_t bytes);

  // Maps memory that another process created with the same `bytes`. `fd` stays
  // the caller's.
  static absl::StatusOr<DeviceMemory> Import(const CudaContext& context, int fd,
                                             int64_t bytes, bool writable);

  // A descriptor for Import; only of memory that was created here.
  absl::StatusOr<UniqueFd> Share() const;

  CUdeviceptr address() const { return address_; }
  int64_t size_bytes() const { return size_bytes_; }

 private:
  absl::Status Map(bool writable);
  void Reset();
  void Swap(DeviceMemory& other) noexcept;

  const CudaContext* context_ = nullptr;
  int64_t size_bytes_ = 0;
  // `size_bytes_` in whole pages.
  size_t mapped_bytes_ = 0;
  CUmemGenericAllocationHandle handle_ = 0;
  CUdeviceptr address_ = 0;
  bool is_mapped_ = false;
};

}  // namespace assay

#endif  // ASSAY_WORKER_CUDA_DEVICE_MEMORY_H_
