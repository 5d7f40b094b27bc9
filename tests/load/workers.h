// Many simulated workers as one.

#ifndef ASSAY_TESTS_LOAD_WORKERS_H_
#define ASSAY_TESTS_LOAD_WORKERS_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "tests/load/scenarios.h"
#include "tests/load/simulated_worker.h"

namespace assay::load {

// Thread-safe.
class Workers {
 public:
  // `on_recorded` as SimulatedWorker::Options has it.
  Workers(const Target& target, int count, int stages,
          std::function<void(absl::Duration)> on_recorded);

  void Start();
  // The first failure of a worker, if there was one.
  absl::Status Stop();

  // How many wait for a lease now.
  int asking() const;
  // AcquireLease calls that were answered.
  int64_t answers() const;

 private:
  void NoteFailure(const absl::Status& status);

  std::vector<std::unique_ptr<SimulatedWorker>> workers_;
  absl::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_WORKERS_H_
