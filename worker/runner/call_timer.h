// How calls are timed on one kind of device.

#ifndef ASSAY_WORKER_RUNNER_CALL_TIMER_H_
#define ASSAY_WORKER_RUNNER_CALL_TIMER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "worker/runner/failure.h"

namespace assay {

struct CallTime {
  // What the device took, by the timer's own way of measuring.
  int64_t call_ns = 0;
  // Wall-clock from before the call until the device had done all of it, and
  // what may be left of the flush before.
  int64_t host_ns = 0;
  // Work of the device that belongs to no call; see Ran.outside_ns.
  int64_t outside_ns = 0;
};

// The clock that the worker compares times with, CLOCK_MONOTONIC: lest an
// adjustment of its rate look like a lie.
int64_t MonotonicNs();

// Used as Begin; Prepare, Start, (the call), Stop for each call; Finish. Begin
// forgets calls whose times nobody asked for. What fails ends the batch. Settle
// comes between batches. Not thread-safe.
class CallTimer {
 public:
  virtual ~CallTimer() = default;

  // What the device did so far is accounted for: a solution was loaded, memory
  // bound. What it does from now on outside of calls is reported. With
  // `copies_follow` whoever makes the calls has the device copy what they
  // returned, each time after Stop.
  virtual MaybeFailed Settle(bool copies_follow) { return std::nullopt; }

  virtual MaybeFailed Begin() = 0;

  // Makes caches cold by writing `flush_bytes` of other memory. 0: leaves them
  // as they are.
  virtual MaybeFailed Prepare(int64_t flush_bytes) = 0;

  virtual void Start() = 0;

  // Waits until all that the call had the device do is done. RAISED when the
  // device says that it failed.
  virtual MaybeFailed Stop() = 0;

  // The times of the calls since Begin, in order.
  virtual MaybeFailed Finish(std::vector<CallTime>& times) = 0;
};

// The wall-clock of calls on the CPU.
class CpuCallTimer final : public CallTimer {
 public:
  MaybeFailed Begin() override;
  MaybeFailed Prepare(int64_t flush_bytes) override;
  void Start() override;
  MaybeFailed Stop() override;
  MaybeFailed Finish(std::vector<CallTime>& times) override;

 private:
  std::unique_ptr<unsigned char[]> flushed_;
  int64_t flushed_bytes_ = 0;
  // Differs on each flush, so that no write is of the value already there.
  unsigned char pattern_ = 0;
  int64_t start_ns_ = 0;
  std::vector<CallTime> times_;
};

}  // namespace assay

#endif  // ASSAY_WORKER_RUNNER_CALL_TIMER_H_
