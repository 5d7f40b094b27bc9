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
    // Carries out one lease; returns when nothing more will be reported, with
    // the fault of this worker that kept it from going on, if there was one.
    std::function<absl::Status(const v1::Lease&, JobObserver&)> evaluate;
    // Pause after a faulty lease, longer after each further one.
    absl::Duration fault_pause = absl::Seconds(2);
    // Told once, when the worker is registered for the first time.
    std::function<void()> on_registered = [] {};
  };

  explicit LeaseLoop(Options options);

  // Works until Stop. OK then; an error when the coordinator refuses this
  // worker for good, or when this worker fails at lease after lease. An
  // unreachable coordinator is waited for.
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
  // What `evaluate` returned; OK when the lease was not to be had.
  absl::Status CarryOut(const v1::Lease& lease);
  // Pauses after a faulty lease; an error after too many in a row.
  absl::Status NoteFaults(const absl::Status& carried_out);
  bool stopping() const;
  // Returns early on Stop.
  void Pause(absl::Duration time);

  const Options options_;
  // One for each life of the process: a restart voids the old one's leases.
  const std::string session_id_;
  // Kept until a call has succeeded: an answer that got lost is repeated.
  std::string request_id_;
  int faulty_leases_ = 0;
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
