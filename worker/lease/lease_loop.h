// The worker's life: register, ask for leases, carry them out, ask again.

#ifndef ASSAY_WORKER_LEASE_LEASE_LOOP_H_
#define ASSAY_WORKER_LEASE_LEASE_LOOP_H_

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "assay/v1/worker_service.grpc.pb.h"
#include "worker/evaluate/job_observer.h"
#include "worker/lease/lease_stream.h"
#include "worker/lease/report_spool.h"

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
    // Called for up to `max_leases` at a time, from as many threads.
    std::function<absl::Status(const v1::Lease&, JobObserver&)> evaluate;
    // Leases to hold at a time: all but one prepare meanwhile.
    int max_leases = 1;
    // Asked before each call for a lease. Not OK: the device cannot take work;
    // the coordinator is told why, and there is no lease until it can.
    std::function<absl::Status()> check_ready = [] { return absl::OkStatus(); };
    // Pause between two checks of a device that cannot take work.
    absl::Duration unwell_pause = absl::Seconds(5);
    // Pause after a faulty lease, longer after each further one.
    absl::Duration fault_pause = absl::Seconds(2);
    // Where results are kept while the coordinator is away; outlives the loop.
    // Null: nowhere, they end with the process.
    ReportSpool* spool = nullptr;
    // Told once, when the worker is registered for the first time.
    std::function<void()> on_registered = [] {};
  };

  explicit LeaseLoop(Options options);

  // Works until Stop. OK then; an error when the coordinator refuses this
  // worker for good, or when this worker fails at lease after lease. An
  // unreachable coordinator is waited for.
  absl::Status Run();

  // Asks for no more, finishes the job at hand, gives the others back; that one
  // too when it takes longer than the coordinator's stop_grace. Thread-safe;
  // repeating is harmless.
  void Stop();

 private:
  // One try; sets the durations.
  absl::Status Register();
  // Delivers what an earlier process has left, before its session is replaced:
  // with that its leases end.
  void DeliverLeft();
  // Until it succeeds, is refused for good, or Stop.
  absl::Status RegisterWithRetry();
  absl::StatusOr<v1::AcquireLeaseResponse> Acquire(
      const absl::Status& readiness);
  // Asks for leases until Stop; returns when it makes no more sense to ask.
  absl::Status AskForLeases();
  // Tells the log when it changes.
  void NoteHeldBack(const std::string& reason);
  // Has a thread of its own carry the lease out.
  void Start(v1::Lease lease);
  void JoinFinishedThreads();
  // What `evaluate` returned; OK when the lease was not to be had.
  absl::Status CarryOut(const v1::Lease& lease, absl::Duration ttl,
                        absl::Duration heartbeat_interval,
                        absl::Duration spool_time);
  // Waits until one more lease may be held; an error after too many faulty
  // leases in a row.
  absl::Status WaitForRoom();
  // Stops them when they take too long.
  void AwaitJobsAtHand();
  bool HasRoom() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  void NoteEnd(const absl::Status& carried_out);
  bool stopping() const;
  // Returns early on Stop.
  void Pause(absl::Duration time);

  const Options options_;
  // One for each life of the process: a restart voids the old one's leases.
  const std::string session_id_;
  // Kept until a call has succeeded: an answer that got lost is repeated.
  std::string request_id_;
  struct LeaseThread {
    std::thread thread;
    // Set at its very end.
    std::shared_ptr<std::atomic<bool>> finished;
  };
  // Used by Run alone.
  std::list<LeaseThread> threads_;
  // As the coordinator has them; used by Run alone.
  absl::Duration lease_ttl_;
  absl::Duration heartbeat_interval_;
  absl::Duration poll_;
  absl::Duration stop_grace_;
  absl::Duration spool_time_;
  std::string held_back_reason_;
  mutable absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // The call in progress, if any, and the leases held.
  grpc::ClientContext* waiting_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::set<LeaseStream*> streams_ ABSL_GUARDED_BY(mutex_);
  // Threads that carry out leases.
  int running_ ABSL_GUARDED_BY(mutex_) = 0;
  // Faulty leases in a row, and what was wrong with the last one.
  int faulty_leases_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status last_fault_ ABSL_GUARDED_BY(mutex_);
  bool pause_due_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace assay

#endif  // ASSAY_WORKER_LEASE_LEASE_LOOP_H_
