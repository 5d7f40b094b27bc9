// How a single call is timed on one kind of device.

#ifndef ASSAY_WORKER_RUNNER_CALL_TIMER_H_
#define ASSAY_WORKER_RUNNER_CALL_TIMER_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay {

// Used as Prepare, Start, (the call), Stop, for each call. Not thread-safe.
class CallTimer {
 public:
  virtual ~CallTimer() = default;

  // Makes caches cold by writing `flush_bytes` of other memory. 0: does
  // nothing.
  virtual absl::Status Prepare(int64_t flush_bytes) = 0;

  virtual void Start() = 0;

  // Nanoseconds since Start.
  virtual absl::StatusOr<int64_t> Stop() = 0;
};

// The wall-clock of a call on the CPU.
class CpuCallTimer final : public CallTimer {
 public:
  absl::Status Prepare(int64_t flush_bytes) override;
  void Start() override;
  absl::StatusOr<int64_t> Stop() override;

 private:
  std::unique_ptr<unsigned char[]> flushed_;
  int64_t flushed_bytes_ = 0;
  // Differs on each flush, so that no write is of the value already there.
  unsigned char pattern_ = 0;
  int64_t start_ns_ = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_CALL_TIMER_H_
