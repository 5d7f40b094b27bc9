// Puts a worker together: device, launcher, sandbox, builder, Python, and the
// loop that works for the coordinator.

#ifndef ASSAY_WORKER_WORKER_H_
#define ASSAY_WORKER_WORKER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "worker/worker_options.h"

namespace assay {

class Worker {
 public:
  // Checks everything that can be checked before there is work: the device, the
  // sandbox, the compiler, Python and torch. An error says what to do.
  static absl::StatusOr<std::unique_ptr<Worker>> Create(
      const WorkerOptions& options);
  virtual ~Worker() = default;

  // Works until Stop; see LeaseLoop::Run.
  virtual absl::Status Run() = 0;

  // Finishes the job at hand, then ends Run. Thread-safe.
  virtual void Stop() = 0;

  // What the worker is and can do, some lines for people.
  virtual std::string Describe() const = 0;
};

}  // namespace assay

#endif  // ASSAY_WORKER_WORKER_H_
