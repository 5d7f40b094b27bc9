// A worker that keeps the protocol of leases and evaluates nothing: it reports
// an evaluation for every job at once.
//
//   SimulatedWorker::Options options;
//   options.id = "worker-1";
//   options.channel = channel;
//   SimulatedWorker worker(options);
//   worker.Start();
//   …
//   worker.Stop();
//
// No thread of its own, so that one process can be a thousand of them.

#ifndef ASSAY_TESTS_LOAD_SIMULATED_WORKER_H_
#define ASSAY_TESTS_LOAD_SIMULATED_WORKER_H_

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "assay/v1/worker_service.grpc.pb.h"

namespace assay::load {

// Thread-safe.
class SimulatedWorker {
 public:
  struct Options {
    std::string id;
    std::shared_ptr<grpc::Channel> channel;
    // AcquireLeaseRequest.max_jobs.
    int max_jobs = 100;
    // Reports of stages before each evaluation, as a worker sends them: 7.
    int stages = 0;
    // Called when the coordinator has acknowledged an evaluation, with the time
    // since it was sent. On a thread of gRPC; must not block. May be null.
    std::function<void(absl::Duration)> on_recorded;
    // Called with what ended the worker but Stop.
    std::function<void(const absl::Status&)> on_failed;
  };

  explicit SimulatedWorker(Options options);
  // Stops.
  ~SimulatedWorker();

  // Registers, then asks for leases until it is stopped.
  void Start();
  // Breaks the calls off and waits for their end.
  void Stop();

  // True while it waits for a lease, registered.
  bool asking() const { return asking_; }
  // AcquireLease calls that were answered.
  int64_t answers() const { return answers_; }

 private:
  class LeaseRun;

  void Ask();
  void OnAnswer(const grpc::Status& status);
  void OnLeaseEnd(const absl::Status& status);
  // Before a call, which EndCall follows. False: the worker is stopping, and
  // none must be started.
  bool BeginCall() ABSL_LOCKS_EXCLUDED(mutex_);
  void EndCall() ABSL_LOCKS_EXCLUDED(mutex_);
  void Fail(const absl::Status& status);
  grpc::ClientContext& NewContext() ABSL_LOCKS_EXCLUDED(mutex_);

  const Options options_;
  const std::string session_id_;
  const std::unique_ptr<v1::WorkerService::Stub> stub_;
  std::atomic<bool> asking_ = false;
  std::atomic<int64_t> answers_ = 0;

  // Belong to gRPC while a call is under way.
  v1::RegisterWorkerRequest register_request_;
  v1::RegisterWorkerResponse register_response_;
  v1::AcquireLeaseRequest acquire_request_;
  v1::AcquireLeaseResponse acquire_response_;
  std::unique_ptr<LeaseRun> run_;

  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // Those whose last callback has not returned: the one that ends, and the one
  // that it has started.
  int calls_ ABSL_GUARDED_BY(mutex_) = 0;
  std::unique_ptr<grpc::ClientContext> context_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<grpc::ClientContext> previous_context_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_SIMULATED_WORKER_H_
