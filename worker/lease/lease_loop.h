// The worker's life: register, ask for a lease, carry it out, ask again.

#ifndef ASSAY_WORKER_LEASE_LEASE_LOOP_H_
#define ASSAY_WORKER_LEASE_LEASE_LOOP_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "assay/v1/worker_service.grpc.pb.h"
#include "worker/evaluate/lease_evaluation.h"
#include "worker/lease/lease_stream.h"

namespace assay {

class LeaseLoop {
 public:
  struct Options {
    // Outlives the loop.
    v1::WorkerService::StubInterface* stub = nullptr;
    std::string worker_id;
    std::string version;
    v1::Device device;
    // Carries out one lease; returns when nothing more will be reported.
    std::function<void(const v1::Lease&, JobObserver&)> evaluate;
    // Told once, when the worker is registered for the first time.
    std::function<void()> on_registered = [] {};
  };

  explicit LeaseLoop(Options options);

  // Works until Stop. OK then; an error when the coordinator refuses this
  // worker for good. An unreachable coordinator is waited for.
  absl::Status Run();

  // Asks for no more, finishes the job at hand, gives the others back.
  // Thread-safe; repeating is harmless.
  void Stop();

 private:
  // One try; sets the durations.
  absl::Status Register();
  // Until it succeeds, is refused for good, or Stop.
  absl::Status RegisterWithRetry();
  absl::StatusOr<v1::AcquireLeaseResponse> Acquire();
  void CarryOut(const v1::Lease& lease);
  bool stopping() const;
  // Returns early on Stop.
  void Pause(absl::Duration time);

  const Options options_;
  // One for each life of the process: a restart voids the old one's leases.
  const std::string session_id_;
  absl::Duration lease_ttl_;
  absl::Duration heartbeat_interval_;
  absl::Duration poll_;
  mutable absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // The call and the lease in progress, if any.
  grpc::ClientContext* waiting_ ABSL_GUARDED_BY(mutex_) = nullptr;
  LeaseStream* lease_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace assay

#endif  // ASSAY_WORKER_LEASE_LEASE_LOOP_H_
