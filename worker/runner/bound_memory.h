// The memory that a Bind request gives to a runner, mapped, with the DLTensors
// that describe it.
//
//   ASSAY_ASSIGN_OR_RETURN(auto memory,
//                          BoundMemory::Map(bind, fds, /*gpu=*/nullptr));
//   const BoundValue& x = memory->draws()[0][0];
//   Use(x.tensor->tensor.data);

#ifndef ASSAY_WORKER_RUNNER_BOUND_MEMORY_H_
#define ASSAY_WORKER_RUNNER_BOUND_MEMORY_H_

#include <dlpack/dlpack.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "worker/cuda/context.h"
#include "worker/cuda/device_memory.h"
#include "worker/protocol/runner.pb.h"

namespace assay {

// A contiguous tensor in mapped memory. `tensor` points into the other members:
// it does not move.
struct BoundTensor {
  DLTensor tensor = {};
  v1::DType dtype = v1::DTYPE_UNSPECIFIED;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t bytes = 0;
};

// An argument: a tensor, or a scalar by value.
struct BoundValue {
  // Null for a scalar; then `scalar` holds it.
  std::unique_ptr<BoundTensor> tensor;
  worker::Value scalar;
};

// Immutable; its addresses are stable until it is destroyed.
class BoundMemory {
 public:
  // The descriptors are of memory of `gpu`, which outlives what is returned;
  // null: of shared memory of the host. INVALID_ARGUMENT when `bind` does not
  // fit its descriptors or itself.
  static absl::StatusOr<std::unique_ptr<BoundMemory>> Map(
      const worker::Bind& bind, const std::vector<UniqueFd>& fds,
      const CudaContext* gpu);

  // Waits until the GPU does nothing that may use the memory.
  ~BoundMemory();

  // Per draw, the inputs in call order.
  const std::vector<std::vector<BoundValue>>& draws() const { return draws_; }
  // Per slot, the outputs in call order.
  const std::vector<std::vector<std::unique_ptr<BoundTensor>>>& slots() const {
    return slots_;
  }

 private:
  // Mapped memory, held by one of the first two members.
  struct Arena {
    Mapping host;
    DeviceMemory device;
    char* data = nullptr;
    int64_t bytes = 0;
  };

  explicit BoundMemory(const CudaContext* gpu) : gpu_(gpu) {}

  absl::StatusOr<Arena> MapArena(const worker::Bind::Arena& arena,
                                 int fd) const;
  absl::StatusOr<std::unique_ptr<BoundTensor>> Resolve(
      const worker::TensorRef& ref) const;

  const CudaContext* const gpu_;
  std::vector<Arena> arenas_;
  std::vector<std::vector<BoundValue>> draws_;
  std::vector<std::vector<std::unique_ptr<BoundTensor>>> slots_;
};

// DLPack's description of an element type.
DLDataType ToDLDataType(v1::DType dtype);

// "float32[2, 3]": what a tensor is, for messages.
std::string DescribeTensor(const DLTensor& tensor);

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_BOUND_MEMORY_H_
