// The device that a worker owns: its memory, and what is done with tensors in
// it without copying them to the host. One implementation for each kind.
//
// Tensors live in arenas. The worker writes inputs and reads outputs through
// this interface; runner processes get descriptors and map the same memory.

#ifndef ASSAY_WORKER_DEVICE_DEVICE_H_
#define ASSAY_WORKER_DEVICE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/device.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "base/fd.h"
#include "kernels/measure/compare.h"
#include "kernels/measure/philox.h"
#include "worker/device/device_watch.h"
#include "worker/protocol/runner.pb.h"

namespace assay {

// A block of device memory, owned by the worker. Freed by the destructor;
// processes that have mapped it keep their view.
class Arena {
 public:
  virtual ~Arena() = default;

  virtual int64_t size_bytes() const = 0;

  // A descriptor to send to a runner process. What an arena that was allocated
  // for reading shares is to be mapped read-only. On a CPU the kernel sees to
  // it; a GPU's driver does not, so what must not change is checked, too.
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

// A region with, or for, the pattern of this number.
struct PatternRegion {
  Region region;
  uint32_t number = 0;
};

// Two regions of the same size.
struct ComparePair {
  Region got;
  Region want;
};

// How fast the device moves memory, in bytes per second; measured once.
struct MemorySpeed {
  // What a copy of large memory reaches, reads not counted: of a CPU by one
  // thread.
  double copy = 0;
  // More than anything on the device writes at, however it is cached.
  double ceiling = 0;
};

// One thread at a time uses a device. Errors are faults of the device but for
// INVALID_ARGUMENT, which is the caller's, and Allocate's RESOURCE_EXHAUSTED.
class Device {
 public:
  virtual ~Device() = default;

  // What the worker tells the coordinator; fixed after creation.
  virtual const v1::Device& description() const = 0;

  // What a runner process is asked to open before it loads anything; none when
  // it works on the CPU.
  virtual std::optional<worker::SetUp> runner_set_up() const = 0;

  // How much a runner writes before each call so that it finds cold caches. 0
  // where the worker sees to that itself: see Copy, Poison and
  // EvictFromCaches.
  virtual int64_t flush_bytes() const = 0;

  // Fixed after creation.
  virtual MemorySpeed memory_speed() const = 0;

  // Zeroed memory. RESOURCE_EXHAUSTED when there is not enough.
  virtual absl::StatusOr<std::unique_ptr<Arena>> Allocate(
      int64_t bytes, ArenaAccess access) = 0;

  // Copies host memory into the region, whose size is that of `data`.
  virtual absl::Status Upload(const Region& region, absl::string_view data) = 0;

  // The region's bytes, in host memory: for what is small, or cannot be judged
  // where it is.
  virtual absl::StatusOr<std::string> Download(const Region& region) = 0;

  // Copies a region to another one of the same size. Where flush_bytes() is 0
  // the copy is in no cache afterwards.
  virtual absl::Status Copy(const Region& from, const Region& to) = 0;

  // Has what touches the region next find it in no cache, where flush_bytes()
  // is 0; else does nothing.
  virtual absl::Status EvictFromCaches(const Region& region) = 0;

  // Fills the region with random elements; see kernels/measure/generate.h.
  virtual absl::Status Generate(const Region& region, v1::DType dtype,
                                const measure::Key& key, uint32_t stream) = 0;

  // Fills the region with the elements of another one of the same size, each a
  // little moved; see kernels/measure/vary.h.
  virtual absl::Status Vary(const Region& stored, const Region& varied,
                            v1::DType dtype, const measure::Key& key,
                            uint32_t stream) = 0;

  // Turns each row of `columns` elements into a probability distribution.
  virtual absl::Status SoftmaxRows(const Region& region, v1::DType dtype,
                                   int64_t columns) = 0;

  // Fills each region with an unpredictable pattern. Where flush_bytes() is 0
  // the regions are in no cache afterwards.
  virtual absl::Status Poison(const std::vector<PatternRegion>& regions,
                              const measure::Key& key) = 0;

  // Whether all regions still hold what Poison with the same arguments left.
  virtual absl::StatusOr<bool> ArePoisoned(
      const std::vector<PatternRegion>& regions, const measure::Key& key) = 0;

  // Position-dependent checksum of the region's bytes.
  virtual absl::StatusOr<uint64_t> Checksum(const Region& region,
                                            const measure::Key& key) = 0;

  // Compares the regions of each pair, element by element.
  virtual absl::StatusOr<std::vector<measure::CompareResult>> Compare(
      v1::DType dtype, const std::vector<ComparePair>& pairs,
      const measure::Tolerance& tolerance) = 0;

  // How long the device takes to do next to nothing, now: longer when another
  // process keeps it at work. 0 when that does not keep it from other work.
  virtual absl::StatusOr<absl::Duration> TimeToIdle() = 0;

  // Watches from now on for how long others have the device. Null where it does
  // not go from hand to hand.
  virtual absl::StatusOr<std::unique_ptr<DeviceWatch>> Watch() = 0;

  // Clocks, temperature and what holds the device back, now; none when it
  // cannot tell.
  virtual std::optional<v1::DeviceState> ReadState() = 0;

  // Tries whether the device still computes what it should: to be asked after a
  // process that used it has ended abnormally.
  virtual absl::Status Probe() = 0;

  // OK when nothing speaks against new work. FAILED_PRECONDITION when somebody
  // else uses the device, RESOURCE_EXHAUSTED when its memory is taken, both for
  // people; else as Probe. Tries to bring a device that failed back first. No
  // evaluation has memory on it meanwhile.
  virtual absl::Status CheckReady() = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_DEVICE_H_
