// Calls at equal distances, whether earlier ones have been answered or not: a
// service that falls behind is not given time to catch up.

#ifndef ASSAY_TESTS_LOAD_OPEN_LOOP_H_
#define ASSAY_TESTS_LOAD_OPEN_LOOP_H_

#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "tests/load/latencies.h"

namespace assay::load {

class OpenLoop {
 public:
  using Done = std::function<void(const absl::Status&)>;

  // Starts `rate` calls a second for `length`, then waits for their ends.
  // `start` starts call `number`, counted from 0, and has `done` called once,
  // on any thread. Latencies count from when the call was due. The first error
  // of a call.
  absl::Status Run(int rate, absl::Duration length,
                   const std::function<void(int number, Done done)>& start);

  const Latencies& latencies() const { return latencies_; }

 private:
  Latencies latencies_;
  absl::Mutex mutex_;
  int open_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_OPEN_LOOP_H_
