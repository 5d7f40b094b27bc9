// The device that a worker owns: its memory, and what is done with tensors in
// it without copying them to the host. One implementation for each kind.
//
// Tensors live in arenas. The worker writes inputs and reads outputs through
// this interface; runner processes get descriptors and map the same memory.

#ifndef ASSAY_WORKER_DEVICE_DEVICE_H_
#define ASSAY_WORKER_DEVICE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/device.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "base/fd.h"
#include "kernels/measure/compare.h"
#include "kernels/measure/philox.h"

namespace assay {

// A block of device memory, owned by the worker. Freed by the destructor;
// processes that have mapped it keep their view.
class Arena {
 public:
  virtual ~Arena() = default;

  virtual int64_t size_bytes() const = 0;

  // A descriptor to send to a runner process. What an arena that was allocated
  // for reading shares can be mapped read-only, and in no other way.
  virtual absl::StatusOr<UniqueFd> Share() const = 0;
};

// What runner processes may do with an arena.
enum class ArenaAccess { kRead, kWrite };

// Part of an arena. The arena outlives it.
struct Region {
  Arena* arena = nullptr;
  int64_t offset = 0;
  int64_t bytes = 0;
};

// Not thread-safe: one evaluation at a time uses a device.
class Device {
 public:
  virtual ~Device() = default;

  // What the worker tells the coordinator; fixed after creation.
  virtual const v1::Device& description() const = 0;

  // The timer behind times that runners on this device report.
  virtual v1::Timer timer() const = 0;

  // How much a runner writes before each call so that it finds cold caches.
  virtual int64_t flush_bytes() const = 0;

  // Zeroed memory. RESOURCE_EXHAUSTED when there is not enough.
  virtual absl::StatusOr<std::unique_ptr<Arena>> Allocate(
      int64_t bytes, ArenaAccess access) = 0;

  // Copies host memory into the region, whose size is that of `data`.
  virtual absl::Status Upload(const Region& region, absl::string_view data) = 0;

  // Fills the region with random elements; see kernels/measure/generate.h.
  virtual absl::Status Generate(const Region& region, v1::DType dtype,
                                const measure::Key& key, uint32_t stream) = 0;

  // Turns each row of `columns` elements into a probability distribution.
  virtual absl::Status SoftmaxRows(const Region& region, v1::DType dtype,
                                   int64_t columns) = 0;

  // Fills the region with an unpredictable pattern.
  virtual absl::Status Poison(const Region& region, const measure::Key& key,
                              uint32_t stream) = 0;

  // Whether the region still holds what Poison with the same arguments left.
  virtual absl::StatusOr<bool> IsPoisoned(const Region& region,
                                          const measure::Key& key,
                                          uint32_t stream) = 0;

  // Position-dependent checksum of the region's bytes.
  virtual absl::StatusOr<uint64_t> Checksum(const Region& region,
                                            const measure::Key& key) = 0;

  // Compares two regions of the same size, element by element.
  virtual absl::StatusOr<measure::CompareResult> Compare(
      v1::DType dtype, const Region& got, const Region& want,
      const measure::Tolerance& tolerance) = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_DEVICE_H_
